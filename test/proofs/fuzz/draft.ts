// Owns a request in the making: its parts while they are changed, and its text for a person.
import type { Operation } from './documents.ts'

/** A request in parts. */
export interface Draft {
  operation: Operation
  method: string
  /** As it stands in the request line, without the query. */
  path: string
  /** Names and values as they stand in the address. */
  query: [string, string][]
  headers: [string, string][]
  /** The body as a tree; undefined for none. Leaves of the class `Raw` are written as they are. */
  json: unknown
  /** The body as bytes; made from the tree once that is done. */
  body: Buffer | null
}

/** JSON text that no value writes, such as `1e309` or `-0`. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON text of a tree. */
export function render(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(render).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, part]) => part !== undefined)
    return `{${fields.map(([name, part]) => `${JSON.stringify(name)}:${render(part)}`).join(',')}}`
  }
  return value === undefined ? 'null' : JSON.stringify(value)
}

/** The target of a request: path and query. */
export function targetOf({ path, query }: Draft): string {
  return query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`
}

const MAX_SHOWN = 600

/** Bytes as text that a terminal shows: what is not printable is escaped; secrets, tokens and long digits are hidden. */
export function shown(bytes: Uint8Array | string): string {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  const plain = text
    .replace(/eyJ[\w-]+\.[\w-]*\.?[\w-]*/g, '<token>')
    .replace(/\bsk_\w+/g, '<secret>')
    .replace(/(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g, '<digits>')
    .replace(/("cardCvv"\s*:\s*)"[^"]*"/g, '$1"<cvv>"')
    .replace(/[^\x20-\x7e\t\n]/gu, (each) => `\\x${(each.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`)
  return plain.length <= MAX_SHOWN ? plain : `${plain.slice(0, MAX_SHOWN)}… (${text.length} in all)`
}

/** A request as a curl command. */
export function toCurl(draft: Draft): string {
  const quote = (text: string): string => `'${shown(text).replaceAll("'", String.raw`'\''`)}'`
  const headers = draft.headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = draft.body === null ? [] : [`--data-binary ${quote(draft.body.toString('latin1'))}`]
  const target = quote(`http://127.0.0.1:4848${targetOf(draft)}`)
  return ['curl --path-as-is -X', draft.method, ...headers, ...data, target].join(' ')
}
