// Owns what a tidy rule says: findings, and the small helpers that make them from places in a text.
import type { Scanned } from './sourceText.ts'

/** Something wrong in a file, and its line from 1. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** Something wrong at an index of a file's text. */
export interface Place {
  readonly index: number
  readonly message: string
}

/** What a rule does: looks at all files at once, gives what it finds. Pure. */
export type Check = (files: readonly Scanned[]) => Finding[]

/** The line of an index, from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Makes the check of a rule that looks at one file at a time and reports places by index. */
export function perFile(look: (file: Scanned) => readonly Place[]): Check {
  return (files) =>
    files.flatMap((file) =>
      look(file).map(({ index, message }) => ({ path: file.path, line: lineAt(file.text, index), message })),
    )
}

/** All matches of a pattern in a text, each as a place with a message made from what matched. */
export function places(text: string, pattern: RegExp, say: (found: string) => string): Place[] {
  return [...text.matchAll(pattern)].map((match) => ({
    index: match.index + match[0].search(/\S/),
    message: say(match[0].trim()),
  }))
}
