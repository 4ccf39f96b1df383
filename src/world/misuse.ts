// Owns misuse of the sandbox: refusals of the control API, each with a code and what to do.
import type { SandboxErrorCode } from '../contract/errors.ts'

/** One thing that is wrong in a text, and where; line and column count from 1. */
export interface TextProblem {
  line: number
  column: number
  message: string
}

/** A control call that cannot be carried out. Changes nothing. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
  readonly code: SandboxErrorCode
  /** Further headers of the answer. */
  readonly headers: Record<string, string>
  /** Everything that is wrong, when the call carried a text; null otherwise. */
  readonly problems: readonly TextProblem[] | null

  constructor(
    code: SandboxErrorCode,
    message: string,
    headers: Record<string, string> = {},
    problems: readonly TextProblem[] | null = null,
  ) {
    super(message)
    this.code = code
    this.headers = headers
    this.problems = problems
  }
}

/** Why something is refused as misuse; null when it is not. */
export function whyRefused(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof Misuse) return error.message
    throw error
  }
}
