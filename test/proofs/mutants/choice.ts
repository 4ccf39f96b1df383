// Owns which of the tests that meet a mutant are asked about it: the nearest, only so many, and one that sees everything.
import { resolve } from 'node:path'
import { LAST, MOST_FILES, MOST_TESTS, nearestFirst } from './tests.ts'

/** What is run: files, and which of their tests; all of them when undefined. */
export interface Choice {
  files: string[]
  names: RegExp | undefined
}

/** The file of a mutant, and the tests that meet it as `file#name`; undefined when nothing says which. */
interface Met {
  source: string
  testFilter: readonly string[] | undefined
}

const isLast = (file: string): boolean => file.endsWith(LAST)

/** The files to run for a mutant, in order, and which of their tests. */
export function choose({ source, testFilter }: Met, all: readonly string[]): Choice {
  if (testFilter === undefined) {
    const nearest = nearestFirst(all, source).filter((file) => !isLast(file))
    return { files: [...nearest.slice(0, MOST_FILES), ...all.filter(isLast)], names: undefined }
  }
  const namesOf = new Map<string, string[]>()
  for (const id of testFilter) {
    const [file = '', ...name] = id.split('#')
    const path = resolve(file)
    namesOf.set(path, [...(namesOf.get(path) ?? []), name.join('#')])
  }
  const files: string[] = []
  const names: string[] = []
  for (const file of nearestFirst([...namesOf.keys()], source)) {
    const room = isLast(file) ? Infinity : MOST_TESTS - names.length
    if (room <= 0) continue
    files.push(file)
    names.push(...(namesOf.get(file) ?? []).slice(0, room))
  }
  const escaped = names.map((name) => name.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`))
  return {
    files: [...files.filter((file) => !isLast(file)), ...files.filter(isLast)],
    names: new RegExp(`^(?:${escaped.join('|')})$`),
  }
}
