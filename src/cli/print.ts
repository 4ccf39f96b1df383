// Owns what people and machines read on standard output: tables, facts, lines of JSON, and colour.
import { inspect } from 'node:util'

/** Flag of every verb whose answer a machine can read. */
export const JSON_FLAG = { json: { type: 'boolean', summary: 'prints JSON on one line' } } as const

/** A colour of a terminal. */
export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'gray'
/** Paints a text. */
export type Paint = (colour: Colour, text: string) => string

/** Paints nothing. */
export const plain: Paint = (_, text) => text

/** Colours on a terminal that shows them, unless NO_COLOR is set. */
export function paintFor(terminal: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): Paint {
  const unwanted = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb'
  return terminal.isTTY !== true || unwanted ? plain : styled
}

function styled(colour: Colour, text: string): string {
  const [begin = 39, end = 39] = inspect.colors[colour] ?? []
  return text === '' ? '' : `\u001B[${begin}m${text}\u001B[${end}m`
}

/** Prints an answer: as it came for machines, or as a text for people. */
export function printAnswer(json: boolean | undefined, answer: unknown, text: () => string): void {
  if (json) printJson(answer)
  else console.log(text())
}

/** Prints one line of JSON. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value))
}

/** Rows under a head, in columns that are as wide as they must be. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  return [head, ...rows]
    .map((row) => widths.map((width, column) => (row[column] ?? '').padEnd(width)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** A table, or a line that says that there is nothing. */
export function tableOr(
  nothing: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0 ? nothing : table(head, rows)
}

/** Facts below one another: names on the left, values on the right. */
export function facts(entries: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length))
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd())
    .join('\n')
}

/** A value as people type it: text as it is, anything else as JSON. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A count with its noun, such as `1 job` and `2 jobs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A text on one line. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ')
}
