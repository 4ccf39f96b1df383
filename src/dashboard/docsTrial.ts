// Owns the form that tries an operation: its parameters, its body with examples, and the place for the answer.
import { html } from 'hono/html'
import { sampleOf } from './docsSchema.ts'
import { JSON_TYPE } from './docsShapes.ts'
import type { OpenApiOperation, OpenApiParameter } from '../contract/openapiDocument.ts'
import type { Example } from './docsExamples.ts'
import type { Shared, Shown, Trial } from './docsShapes.ts'
import type { Html } from './page.ts'
import type { Words } from './words.ts'

/** Lines of a body that are seen at once. */
const MAX_LINES = 16

/** The form of an operation. The script sends it. */
export function tryPart(
  shared: Shared,
  { id, method, operation }: Shown,
  { path, examples, known }: Trial,
): Html {
  const { words } = shared
  const needsToken = operation.security.length > 0
  const parameters = operation.parameters ?? []
  return html`<details class="try">
    <summary>${words.docsTry}</summary>
    <form
      class="trial"
      id="${id}-try"
      data-method="${method}"
      data-path="${path}"
      data-token="${String(needsToken)}"
      autocomplete="off"
    >
      ${parameters.length > 0 && html`<div class="inputs">${parameters.map((each) => parameterInput(id, each, known, shared))}</div>`}
      ${bodyInput(shared, id, operation, examples)}
      <p><button class="button main">${words.docsSend}</button></p>
      <div class="result" role="status" aria-label="${words.docsAnswer}"></div>
    </form>
  </details>`
}

function parameterInput(
  id: string,
  { name, in: place, required, schema }: OpenApiParameter,
  known: Trial['known'],
  { words }: Shared,
): Html {
  const choices = schema['enum']
  const label = html`<span
    >${name} ${required ? html`<span class="needed">${words.docsRequired}</span>` : ''}</span
  >`
  const at = `${id}-try-${place}-${name}`
  if (Array.isArray(choices)) {
    return html`<label class="field"
      >${label}
      <select id="${at}" data-in="${place}" name="${name}">
        <option value=""></option>
        ${(choices as unknown[]).map((choice) => html`<option>${String(choice)}</option>`)}
      </select>
    </label>`
  }
  const value = place === 'path' ? (known[name] ?? '') : ''
  return html`<label class="field"
    >${label}
    <input
      id="${at}"
      data-in="${place}"
      name="${name}"
      value="${value}"
      type="text"
      autocomplete="off"
      spellcheck="false"
      ${required ? html`required` : ''}
    />
  </label>`
}

function bodyInput(
  { words, schemas }: Shared,
  id: string,
  { requestBody }: OpenApiOperation,
  examples: readonly Example[],
): Html | null {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || !content) return null
  const body = examples[0]?.body ?? sampleOf(content.schema, schemas, true)
  if (type !== JSON_TYPE) return multipartInput(words, id, body as Example['body'])
  const text = JSON.stringify(body, null, 2)
  const others =
    examples.length > 1 &&
    html`<p class="row">
      <span class="faint">${words.docsExamples}</span>
      ${examples.map((each) => html`<button type="button" class="button small" data-example="${JSON.stringify(each.body, null, 2)}">${each.name}</button>`)}
    </p>`
  return html`${others}
    <label class="field">
      <span>${words.docsBody}</span>
      <textarea
        id="${id}-try-body"
        name="body"
        data-in="body"
        rows="${Math.min(text.split('\n').length + 1, MAX_LINES)}"
        spellcheck="false"
        autocomplete="off"
      >
${text}</textarea>
    </label>`
}

/** Fields of a multipart body; a field whose example is null is a file. */
function multipartInput(words: Words, id: string, body: Example['body']): Html {
  return html`<div class="inputs" data-multipart>
    ${Object.entries(body).map(
      ([name, value]) =>
        html`<label class="field">
          <span>${name}</span>
          ${
            value === null
              ? html`<input
                  id="${id}-try-${name}"
                  data-in="form"
                  name="${name}"
                  type="file"
                  aria-describedby="${id}-try-hint"
                />`
              : html`<input
                  id="${id}-try-${name}"
                  data-in="form"
                  name="${name}"
                  type="text"
                  value="${value}"
                  autocomplete="off"
                />`
          }
        </label>`,
    )}
    <p class="faint" id="${id}-try-hint">${words.docsFileHint}</p>
  </div>`
}
