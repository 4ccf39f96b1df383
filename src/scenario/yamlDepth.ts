// Owns how deep a text in YAML or JSON may be nested, seen before anything that calls itself for each level works on it.
import { Lexer } from 'yaml'
import type { Problem } from './problems.ts'

/** Levels that a scenario may have. The reader runs out of stack some hundreds later, and with it can end the process. */
const MAX_DEPTH = 100

/** What stands before the words of the lexer and has no width: the begin of the text, and of a scalar. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u001F', '\uFEFF'])

/** Whether a value has too many levels, as one has that stands inside itself by an alias. */
export function isTooDeep(value: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1))
}

/** The place where a text is nested too deeply; null where it is not. Never less deep than the reader takes it to be. */
export function depthProblem(text: string): Problem | null {
  // In blocks, what stands further right may be inside; in brackets, only brackets count.
  const columns: number[] = []
  let brackets = 0
  let [line, column] = [1, 1]
  for (const word of new Lexer().lex(text)) {
    if (MARKS.has(word)) continue
    const isText = !/^[\s#]/.test(word)
    if (word === '[' || word === '{') brackets += 1
    else if (word === ']' || word === '}') brackets = Math.max(0, brackets - 1)
    else if (isText && brackets === 0) {
      while ((columns.at(-1) ?? 0) >= column) columns.pop()
      columns.push(column)
    }
    if (columns.length + brackets > MAX_DEPTH) {
      return { line, column, message: `is nested too deeply: ${MAX_DEPTH} levels are the most` }
    }
    const lines = word.split('\n')
    line += lines.length - 1
    column = lines.length === 1 ? column + word.length : (lines.at(-1)?.length ?? 0) + 1
  }
  return null
}
