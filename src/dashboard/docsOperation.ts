// Owns one operation of an API page: what it takes and what it answers.
import { html } from 'hono/html'
import { fieldsOf, rulesOf, sampleOf, typeOf } from './docsSchema.ts'
import { JSON_TYPE } from './docsShapes.ts'
import { firstAndRest, inline, prose } from './docsText.ts'
import { tryPart } from './docsTrial.ts'
import { table } from './parts.ts'
import { fill } from './words.ts'
import type { OpenApiResponse } from '../contract/openapiDocument.ts'
import type { JsonSchema } from '../contract/openapiSchemas.ts'
import type { SchemaField } from './docsSchema.ts'
import type { Shared, Shown } from './docsShapes.ts'
import type { Html } from './page.ts'
import type { Words } from './words.ts'

/** The section of an operation. */
export function operationPart(shared: Shared, shown: Shown): Html {
  const { words } = shared
  const { id, name, method, path, operation, trial } = shown
  const [first, rest] = firstAndRest(operation.description)
  const told = `${method} ${path} ${operation.summary} ${operation.operationId} ${operation.tags.join(' ')}`
  return html`<section
    class="card operation"
    id="${id}"
    aria-labelledby="${id}-title"
    data-filter="${told.toLowerCase()}"
  >
    <h3 id="${id}-title">
      <span class="verb ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      <a class="anchor" href="#${id}" aria-label="${fill(words.docsLink, name)}">#</a>
    </h3>
    <p class="summary">${operation.summary}</p>
    ${prose(first)}
    ${
      rest !== '' &&
      html`<details>
        <summary>${words.docsMore}</summary>
        ${prose(rest)}
      </details>`
    }
    ${trial && tryPart(shared, shown, trial)} ${shared.kept(operation, () => describedPart(shared, shown))}
  </section>`
}

function describedPart(shared: Shared, shown: Shown): Html {
  return html`${parametersPart(shared, shown)} ${bodyPart(shared, shown)} ${answersPart(shared, shown)}`
}

function parametersPart({ words, schemas }: Shared, { id, operation }: Shown): Html | null {
  const rows = (operation.parameters ?? []).map((parameter) => {
    const { name, in: place, required, description = '', schema } = parameter
    const type = html`${typeOf(schema, schemas)} <span class="faint">${place}</span>`
    return row(words, `${id}-${place}-${name}`, name, type, {
      required,
      nullable: false,
      rules: rulesOf(schema),
      description,
    })
  })
  return rows.length === 0 ? null : part(words.docsParameters, fieldTable(words, words.docsParameters, rows))
}

function bodyPart(shared: Shared, { id, operation }: Shown): Html | null {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type === undefined || !content) return null
  const { words } = shared
  return html`<h4>${words.docsBody} <span class="faint">${type}</span></h4>
    ${schemaTable(shared, `${id}-body`, words.docsBody, content.schema)}`
}

function part(title: string, body: Html): Html {
  return html`<h4>${title}</h4>
    ${body}`
}

function schemaTable({ words, schemas }: Shared, id: string, caption: string, schema: JsonSchema): Html {
  const rows = fieldsOf(schema, schemas).map((field) =>
    row(words, `${id}-${field.path}`, field.path, field.type, field),
  )
  return rows.length === 0
    ? html`<p><code>${typeOf(schema, schemas)}</code></p>`
    : fieldTable(words, caption, rows)
}

interface Row {
  id: string
  cells: unknown[]
}

function fieldTable(words: Words, caption: string, rows: Row[]): Html {
  return table(
    caption,
    [{ name: words.docsField }, { name: words.docsType }, { name: words.docsRules }],
    rows,
  )
}

function row(
  words: Words,
  id: string,
  name: string,
  type: unknown,
  { required, nullable, rules, description }: Omit<SchemaField, 'path' | 'type'>,
): Row {
  const needed = required ? html`<span class="needed">${words.docsRequired}</span>` : ''
  const limits = rules.map((rule) => html`<code>${rule}</code> `)
  return {
    id,
    cells: [
      html`<code>${name}</code>`,
      html`${type} ${nullable && html`<span class="faint">${words.docsNullable}</span>`}`,
      html`${needed} ${limits} ${inline(description)}`,
    ],
  }
}

function answersPart(shared: Shared, { id, operation }: Shown): Html {
  const answers = Object.entries(operation.responses)
  return html`<h4>${shared.words.docsAnswers}</h4>
    <ul class="answers">
      ${answers.map(
        ([status, answer]) =>
          html`<li>
            <span class="chip ${status.startsWith('2') ? 'good' : 'quiet'}">${status}</span>
            <div>${prose(answer.description)} ${shapePart(shared, `${id}-${status}`, status, answer)}</div>
          </li>`,
      )}
    </ul>`
}

/** Shape and example of a success; refusals all have the envelope, so that their codes are enough. */
function shapePart(
  shared: Shared,
  id: string,
  status: string,
  { content = {} }: OpenApiResponse,
): Html | null {
  const { words, schemas } = shared
  const schema = content[JSON_TYPE]?.schema
  if (!schema || !status.startsWith('2')) return null
  return html`<details>
    <summary>${words.docsShape}</summary>
    ${schemaTable(shared, id, words.docsShape, schema)}
    <pre tabindex="0" aria-label="${words.docsExample}">
${JSON.stringify(sampleOf(schema, schemas), null, 2)}</pre>
  </details>`
}
