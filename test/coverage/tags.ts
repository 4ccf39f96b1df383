// Owns the tags that say which rows a test proves: `// proves: …` lines directly above a test, read from the files.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { closest } from '../../src/kernel/closest.ts'
import { COLLECTIVES, ROWS } from './rows.ts'
import type { Row } from './rows.ts'

const TESTS = resolve(import.meta.dirname, '..')

/** The text of a test file. `path` begins with `test/`. */
export interface TestFile {
  path: string
  text: string
}

/** One row that one test claims to prove. */
export interface Tag {
  row: string
  path: string
  /** Title of the test or of the group of tests. */
  title: string
}

/** The tags of some files, and what is wrong with the others. */
export interface Tags {
  tags: Tag[]
  errors: string[]
}

/** Every test file of the project but the one that plants tags. */
export function readTestFiles(): TestFile[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts') && !/(?:^|\/)planted\/|^coverage\/coverage\./.test(path))
    .toSorted()
    .map((path) => ({ path: `test/${path}`, text: readFileSync(join(TESTS, path), 'utf8') }))
}

const TAG_LINE = /^\s*\/\/ proves: *(.*)$/
const TAGGED = /^\s*(?:test|describe)(?:\.each)?[(<]/
/** The title: the first argument, or the first argument of what `each` answers. */
const TITLE = /^\s*(?:test|describe)(?:\(|\.each[^]*?\]?\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/

/** Reads the tags of some files. Pure. */
export function readTags(files: readonly TestFile[], rows: readonly Row[] = ROWS): Tags {
  const names = rows.map(({ name }) => name)
  const known = new Set(names)
  const tags: Tag[] = []
  const errors: string[] = []
  for (const { path, text } of files) {
    const lines = text.split('\n')
    for (const [index, line] of lines.entries()) {
      const claims = TAG_LINE.exec(line)?.[1]
      if (claims === undefined) continue
      const where = `${path}:${index + 1}`
      const below = index + lines.slice(index).findIndex((each) => !TAG_LINE.test(each))
      if (!TAGGED.test(lines[below] ?? '')) errors.push(`${where}: the tag stands above no test`)
      const title = TITLE.exec(lines.slice(below).join('\n'))?.[2] ?? ''
      for (const claim of claims.split(',').map((each) => each.trim())) {
        const meant = rowsOf(claim, names)
        if (meant.length === 0) errors.push(`${where}: ${unknown(claim, [...known])}`)
        tags.push(...meant.map((row) => ({ row, path, title })))
      }
    }
  }
  return { tags, errors }
}

/** The rows that a claim stands for; none when nobody knows it. */
function rowsOf(claim: string, names: readonly string[]): string[] {
  const beginning = COLLECTIVES[claim]
  return names.filter((name) => (beginning === undefined ? name === claim : name.startsWith(beginning)))
}

function unknown(claim: string, names: readonly string[]): string {
  const near = closest(claim, [...names, ...Object.keys(COLLECTIVES)])
  return `'${claim}' is no row${near === null ? '' : `; did you mean '${near}'?`}`
}

/** The rows that no tag names. */
export function unproven(rows: readonly Row[], tags: readonly Tag[]): string[] {
  const proven = new Set(tags.map(({ row }) => row))
  return rows.map(({ name }) => name).filter((name) => !proven.has(name))
}
