// Renders the reference of scenario files from their JSON Schema: what stands where, of which kind, and what it means.
import { scenarioJsonSchema } from '../../src/scenario/jsonSchema.ts'
import { table } from './markdown.ts'

/** What of a JSON Schema is read here. */
interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  definitions?: Record<string, Schema>
}

/** Words of a list that are told in place; longer lists stand by themselves. */
const MAX_WORDS = 8
/** Kinds of one value that are told. */
const MAX_KINDS = 4
/** What the types of a JSON Schema are called. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: '`true` or `false`',
  null: 'nothing',
  object: 'map',
}
/** How long lists and known parts are called. */
const NAMES: Readonly<Record<string, string>> = {
  GivenName: 'name',
  Reference: 'reference',
  Duration: 'duration',
  Moment: 'instant',
  OperationId: 'operation',
  EventType: 'event type',
  TriggerName: 'trigger',
  FaultToDo: 'fault',
  InboxAnswer: 'answer',
  Given: 'given',
  RuleOrder: 'rule',
  WantedValue: 'value or conditions',
}

/** The reference of scenario files, as Markdown. */
export function renderScenarioReference(): string {
  const whole = scenarioJsonSchema() as Schema
  const reader = readerOf(whole.definitions ?? {})
  const { given, steps, rules } = whole.properties ?? {}
  const verbs = reader.real(steps?.items ?? {}).anyOf ?? []
  const expected = verbs.find(({ properties }) => Object.keys(properties ?? {})[0] === 'expect')
  const checks = reader.real(expected?.properties?.['expect'] ?? {}).anyOf ?? []
  const rule = reader.real(rules?.items ?? {})
  const inner = (schema: Schema | undefined): Schema => reader.real(reader.real(schema ?? {}).items ?? {})
  const kinds = Object.entries(reader.real(given ?? {}).properties ?? {})
  return [
    '#### The file',
    reader.fieldTable(whole, { depth: 1 }),
    '#### Steps',
    'A step is a map with one verb. `as` gives what the step made a name.',
    table(
      HEAD,
      verbs.flatMap((verb) => reader.rowsOf(verb, { depth: 3, stopAt: ['expect'] })),
    ),
    '#### Checks',
    'What `expect` looks at. Fields that are not named do not count.',
    table(
      HEAD,
      checks.flatMap((check) => reader.rowsOf(check, { depth: 2, isRecord: true })),
    ),
    `An answer, of \`call\` and of \`expect\`:`,
    reader.fieldTable(reader.real(checks[0]?.properties?.['answer'] ?? {}), { depth: 1 }),
    '#### Given',
    `Lists of entries: ${reader.real(given ?? {}).description ?? ''}.`,
    table(
      ['List', 'Fields of an entry'],
      kinds.map(([name, list]) => [`\`${name}\``, reader.namesOf(list.anyOf ? list.anyOf[0] : inner(list))]),
    ),
    '#### Rules',
    'A condition has further fields, such as `amount` or `pix.payerName`. Each must be what it says: in what was sent, in what was answered, or in the record.',
    reader.fieldTable(rule, { depth: 2 }),
    'What a field of a condition must be, when it is no plain value:',
    reader.fieldTable(reader.real(whole.definitions?.['WantedValue']?.anyOf?.at(-1) ?? {}), { depth: 1 }),
    '#### Words',
    ...['TriggerName', 'EventType'].map((name) => {
      const words = whole.definitions?.[name]?.enum ?? []
      return `- ${name === 'EventType' ? 'Event types' : 'Triggers'}: ${words.map((word) => `\`${String(word)}\``).join(', ')}`
    }),
  ].join('\n\n')
}

const HEAD = ['Field', 'What it is', 'Meaning']

interface Walk {
  /** Names deep that fields are told. */
  depth: number
  /** Fields whose own fields are told elsewhere. */
  stopAt?: readonly string[]
  /** Whether the fields of a record are told in one row. */
  isRecord?: boolean
}

/** Reads a schema with its definitions. */
function readerOf(definitions: Readonly<Record<string, Schema>>) {
  /** A schema with its reference followed; its own description wins. */
  function real(schema: Schema): Schema {
    const target = nameOf(schema)
    if (target === null) return schema
    const { description } = schema
    const found = real(definitions[target] ?? {})
    return description === undefined ? found : { ...found, description }
  }

  function nameOf({ $ref, allOf }: Schema): string | null {
    const ref = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined)
    return ref === undefined ? null : (ref.split('/').at(-1) ?? null)
  }

  /** What a value is, in a few words. */
  function kindOf(schema: Schema): string {
    const named = NAMES[nameOf(schema) ?? '']
    if (named !== undefined) return named
    const { type, const: constant, enum: words, items, anyOf, properties } = real(schema)
    if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
    if (words) return words.length > MAX_WORDS ? 'word' : words.map(codeOf).join(', ')
    if (anyOf) return anyOf.length > MAX_KINDS ? 'map' : [...new Set(anyOf.map(kindOf))].join(' or ')
    if (items) return `list of ${kindOf(items)}`
    if (properties) return `{ ${Object.keys(properties).join(', ')} }`
    if (type === undefined) return 'any value'
    return [type]
      .flat()
      .map((each) => TYPES[each] ?? each)
      .join(' or ')
  }

  /** One row for each field, with those inside it. */
  function rowsOf(schema: Schema, walk: Walk, prefix = ''): string[][] {
    const { properties = {}, required = [] } = schema
    const all = Object.entries(properties)
    const [, ...record] = all
    const isRecord = walk.isRecord === true && prefix === '' && record.length > 1
    const shown = isRecord ? all.slice(0, 1) : all
    const rows = shown.flatMap(([name, field]) => {
      const path = prefix + name
      const here = real(field)
      const stop = walk.stopAt?.includes(name) === true || walk.depth <= 1 || NAMES[nameOf(field) ?? '']
      const inside = stop ? [] : rowsOf(here, { ...walk, depth: walk.depth - 1 }, `${path}.`)
      const kind = inside.length > 0 ? 'map' : kindOf(field)
      return [
        [`\`${path}\`${required.includes(name) ? '' : '?'}`, kind, sentence(here.description)],
        ...inside,
      ]
    })
    if (!isRecord) return rows
    const names = record.map(([name]) => `\`${name}\``).join(', ')
    return [...rows, ['', 'its fields', names]]
  }

  return {
    real,
    rowsOf,
    namesOf: (schema: Schema | undefined): string => {
      const { properties = {}, required = [] } = real(schema ?? {})
      const names = Object.keys(properties)
      return names.map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`).join(', ')
    },
    fieldTable: (schema: Schema, walk: Walk): string => table(HEAD, rowsOf(schema, walk)),
  }
}

function codeOf(word: unknown): string {
  return `\`${String(word)}\``
}

function sentence(text = ''): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.')
}
