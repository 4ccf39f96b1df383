// Owns what is known of a mutant once it was tried.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Stryker } from '@stryker-mutator/core'

/** One mutant as Stryker tells of it. */
export type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** One mutant and what came of it. */
export interface Tried {
  file: string
  /** Line and column, from 1. */
  at: { line: number; column: number }
  mutator: string
  /** What stood there instead. */
  replacement: string
  /** The line on which it begins, without the blanks around it. */
  code: string
  status: MutantResult['status']
}

/** Reads what Stryker answers for a mutant, in a process that stands at the root of the project. */
export function triedOf({ fileName, location, mutatorName, replacement, status }: MutantResult): Tried {
  const { line, column } = location.start
  return {
    file: relative(process.cwd(), fileName),
    at: { line, column },
    mutator: mutatorName,
    replacement,
    code: (readFileSync(fileName, 'utf8').split('\n')[line - 1] ?? '').trim(),
    status,
  }
}
