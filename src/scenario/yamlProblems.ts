// Owns how what breaks the rules of YAML is told: in words of scenarios, and without what only follows from it.
import type { ErrorCode, YAMLError } from 'yaml'
import type { Place, Problem } from './problems.ts'

/** What a text that is no scenario should begin with. */
const BEGINNING = 'a scenario begins with its name, such as name: a PIX is paid'
/** What the reader of YAML throws, or notes down, when it runs out of stack. */
const TOO_DEEP = 'Maximum call stack size exceeded'
/** A reference as other languages write it. */
const BRACED = /\$\{\s*([A-Za-z_][\w.-]*)\s*\}/

const WORDS: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'a second YAML document begins here; write each story into a file of its own',
  BLOCK_AS_IMPLICIT_KEY:
    "a map cannot begin here; put it into braces or on a line of its own, and a text that has ': ' into quotes",
}

/** Says that a text has nothing that could be a scenario. */
export function emptyProblem(text: string): Problem {
  const what = text.trim() === '' ? 'is empty' : 'has only comments'
  return { line: 1, column: 1, message: `${what}; ${BEGINNING}` }
}

/** Says why the values of a text cannot be told. */
export function valueProblem(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  return { line: 1, column: 1, message: message === TOO_DEEP ? 'is nested too deeply' : message }
}

/** Everything that breaks the rules of YAML. */
export function yamlProblems(
  text: string,
  errors: readonly YAMLError[],
  place: (offset: number) => Place,
): Problem[] {
  const tooDeep = errors.find(({ message }) => message === TOO_DEEP)
  if (tooDeep) return [valueProblem(tooDeep)]
  // One error for each line: a long line may have many, and each would read all of it.
  const lines = new Map(errors.map(({ pos: [offset] }) => [place(offset).line, offset]))
  const braced = [...lines.values()]
    .map((offset) => bracedAround(text, offset))
    .find((found) => found !== null)
  // In braces it reads as a map, and what comes after it as nothing that can stand there.
  if (braced) return [{ ...place(braced.offset), message: braced.message }]
  return errors.map(({ pos: [offset], code, message }) => ({
    ...place(offset),
    message: WORDS[code] ?? message,
  }))
}

/** What is wrong with `${sale.id}`; null for a text that has none. */
export function explainBraced(text: string): string | null {
  const [written, name] = BRACED.exec(text) ?? []
  return written === undefined ? null : `${written} is no reference; write $${name}`
}

/** A reference in braces on the line of an offset. */
function bracedAround(text: string, offset: number): { offset: number; message: string } | null {
  const begin = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const line = text.slice(begin, end < 0 ? undefined : end)
  const message = explainBraced(line)
  return message === null ? null : { offset: begin + line.search(BRACED), message }
}
