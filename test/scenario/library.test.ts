// Plays every file of the library, and each of them again with one expected value changed, which must fail and say so.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMap, isScalar, parseDocument, visit } from 'yaml'
import { startSandbox } from '../../src/index.ts'
import { playText } from '../../src/scenario/play.ts'
import { failureText } from '../../src/scenario/told.ts'
import type { Sandbox } from '../../src/index.ts'

const FOLDER = new URL('../../scenarios/', import.meta.url)
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .toSorted()

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

function textOf(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

/** One expected value, changed by one cent, one second or one of whatever it counts. */
interface Mutant {
  line: number
  from: string
  to: string
  text: string
}

/** The text with each expected number and instant changed by one, each alone. */
function mutantsOf(text: string): Mutant[] {
  const mutants: Mutant[] = []
  visit(parseDocument(text), {
    Scalar(key, node, path) {
      if (key === 'key' || !node.range) return
      const isExpected = path.some(
        (each) => 'key' in each && isScalar(each.key) && each.key.value === 'expect',
      )
      const to = changed(node.value)
      if (!isExpected || to === null) return
      const [start, end] = node.range
      const line = text.slice(0, start).split('\n').length
      mutants.push({
        line,
        from: text.slice(start, end),
        to,
        text: text.slice(0, start) + to + text.slice(end),
      })
    },
  })
  return mutants
}

function changed(value: unknown): string | null {
  if (typeof value === 'number') return String(value + 1)
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T.*Z$/.test(value)) return null
  return new Date(Date.parse(value) + 1_000).toISOString()
}

describe.each(FILES)('%s', (file) => {
  const text = textOf(file)

  test('begins with its schema and the question that it answers', () => {
    const [schema = '', question = ''] = text.split('\n')
    expect(schema).toMatch(/^# yaml-language-server: \$schema=(?:\.\.\/)+dist\/scenario\.schema\.json$/)
    expect(question).toMatch(/^# .*\?$/)
    expect(isMap(parseDocument(text).contents)).toBe(true)
  })

  test('passes, twice', async () => {
    for (let time = 0; time < 2; time += 1) {
      const result = await playText(sandbox, text, { file })
      expect(failureText(result)).toBe('')
      expect(result).toMatchObject({ passed: true, file, failure: null, story: [] })
    }
  })

  test.concurrent.each(mutantsOf(text))('fails at line $line with $to for $from', async (mutant) => {
    const result = await playText(sandbox, mutant.text, { file })
    expect(result).toMatchObject({ passed: false, failure: { line: mutant.line } })
    const told = failureText(result)
    expect(told).toContain(`${file}:${mutant.line}:`)
    expect(told).toContain('the story so far')
    const [minus = '', plus = ''] = told.split('\n').filter((line) => /^[-+] (?!expected)/.test(line))
    expect(minus).toMatch(/^- /)
    expect(plus).toMatch(/^\+ /)
    expect(minus).toContain(mutant.to)
    expect(plus).not.toContain(mutant.to)
  })
})
