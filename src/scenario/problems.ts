// Owns what is wrong with the text of a scenario: where, and in words.

/** A place in a text; both count from 1. */
export interface Place {
  line: number
  column: number
}

/** One thing that is wrong. */
export interface Problem extends Place {
  message: string
}

/** Most problems that one error tells of. */
const MAX_TOLD = 20

/** A text that is no scenario. The message has one line for each problem: `file:line:column: what`. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly file: string
  readonly problems: readonly Problem[]

  constructor(file: string, problems: readonly Problem[]) {
    const told = problems.slice(0, MAX_TOLD).map((problem) => `${at(file, problem)}: ${problem.message}`)
    const more = problems.length - told.length
    super([...told, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n'))
    this.file = file
    this.problems = problems
  }
}

/** A place in a file, as editors and terminals understand it. */
export function at(file: string, { line, column }: Place): string {
  return `${file}:${line}:${column}`
}
