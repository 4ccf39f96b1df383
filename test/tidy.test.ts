// Owns the proof that the project is tidy, and that each tidy rule can fail: planted violations, near misses, then the real tree.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportsOf, importsOf, scan, wordsOf } from './support/sourceText.ts'
import { RULES, tidy } from './support/tidy.ts'
import { NEAR_MISSES, PLANTS } from './support/tidyPlants.ts'
import { rotate } from './support/words.ts'
import type { SourceFile } from './support/sourceText.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** Every text file of the project that a rule may judge; planted files and test data are nobody's fault. */
function readTree(): SourceFile[] {
  const folders = ['src', 'test', 'scenarios'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      `${folder}/${path}`.replaceAll('\\', '/'),
    ),
  )
  const top = readdirSync(ROOT).filter((path) => /^(?:README(?:\.pt-BR)?\.md|package\.json)$/.test(path))
  return [...folders, ...top]
    .filter((path) => /\.(?:ts|js|json|md|html|css|svg|ya?ml)$/.test(path))
    .filter((path) => !/^test\/(?:data|.*planted)\//.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

describe('the rules can fail', () => {
  const planted = PLANTS.map((plant) => [`${plant.rule}: ${plant.name}`, plant] as const)

  test.each(planted)('%s is reported, by this rule alone', (_title, { rule, files, line, says }) => {
    const findings = tidy(files)
    expect(findings.map((finding) => finding.rule)).toEqual([rule])
    expect(findings[0]).toMatchObject({ path: files.at(-1)?.path, line })
    expect(findings[0]?.message).toContain(says)
  })

  test('every rule has a planted violation', () => {
    expect(new Set(PLANTS.map(({ rule }) => rule))).toEqual(new Set(RULES.map(({ name }) => name)))
  })

  const innocent = NEAR_MISSES.map((miss) => [miss.name, miss] as const)

  test.each(innocent)('%s is no violation', (_title, { files }) => {
    expect(tidy(files)).toEqual([])
  })

  test('a real provider is found in any spelling, and the list itself is unreadable', () => {
    const named = (text: string): number => tidy([{ path: 'README.md', text }]).length
    const [first = '', second = ''] = rotate('cnt frtheb').split(' ')
    const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
    const spellings = [
      first + second,
      `${first} ${second}`,
      `${first}-${second}`,
      capital(first) + capital(second),
      `my${capital(first)}${capital(second)}Client`,
      `https://${first}${second}.example`,
    ]
    expect(spellings.map((text) => named(text))).toEqual(spellings.map(() => 1))
    expect(named(`un${first}${second}ed`)).toBe(0)
    expect(rotate('abc nop')).toBe('nop abc')
  })
})

describe('the scanner tells code from the rest', () => {
  const codeOf = (text: string): string =>
    scan({ path: 'src/a.ts', text }).code.replaceAll(/\s+/g, ' ').trim()

  test.each([
    ['a line comment', `a // 'b' \`c\n d`, 'a d'],
    ['a block comment', `a /* "b" \n // c */ d`, 'a d'],
    ['a string with escapes', String.raw`f('it\'s // no', "\"")`, `f(' ', " ")`],
    [
      'a template with code in it',
      '`a ${b + `c ${d({ e: 1 })} f`} g` + h',
      '` ${b + ` ${d({ e: 1 })} `} ` + h',
    ],
    ['a regular expression with quotes', `x = /['"\`/]\\/[/]/g + y`, 'x = / g + y'],
    ['a regular expression as an argument', `f(/'/, a)`, 'f(/ /, a)'],
    ['a regular expression that is returned', `return /"/.test(a)`, 'return / /.test(a)'],
    ['divisions', `a / b / c + (d) / 'e'`, `a / b / c + (d) / ' '`],
    ['a shebang', `#!/usr/bin/env node's\na`, 'a'],
  ])('in %s', (_name, text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  test('keeping every index and line where it was', () => {
    for (const { path, text } of readTree()) {
      const { code, comments } = scan({ path, text })
      expect(code.length, path).toBe(text.length)
      expect(comments.length, path).toBe(text.length)
      expect(code.split('\n').length, path).toBe(text.split('\n').length)
    }
  })

  test('and sees every kind of import', () => {
    const text = `import a from './a.ts'
import type { B } from './b.ts'
import c, { type C } from "./c.ts"
import * as d from './d.ts'
import './e.ts'
import {
  f,
} from './f.ts'
export * from './g.ts'
export type { H } from './h.ts'
const i = await import('./i.ts')
type J = import('./j.ts').J
const none = "import k from './k.ts'" // import l from './l.ts'
`
    const sites = importsOf(scan({ path: 'src/a.ts', text }))
    expect(sites.map(({ specifier }) => specifier.slice(2, 3)).join('')).toBe('abcdefghij')
    expect(sites.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier)).toEqual([
      './b.ts',
      './h.ts',
    ])
    expect(sites.filter(({ kind }) => kind === 're-export')).toHaveLength(2)
    expect(sites.filter(({ kind }) => kind === 'dynamic')).toHaveLength(2)
  })

  test('and sees every kind of export', () => {
    const text = `export const a = 1
export async function b() {}
export function* c() {}
export abstract class d {}
export interface e {}
export type f = 1
export let g = 1
// export const none = 1
`
    const names = exportsOf(scan({ path: 'src/a.ts', text })).map(({ name }) => name)
    expect(names.join('')).toBe('abcdefg')
  })

  test('and splits names into words', () => {
    expect(wordsOf('paymentId HTTPServer pix_key card-2')).toEqual(
      'payment id http server pix key card 2'.split(' '),
    )
  })
})

describe('the project', () => {
  const tree = readTree()

  test('was read: all of its source, and every import in it', () => {
    const source = tree.filter(({ path }) => /^src\/.*\.ts$/.test(path))
    const paths = new Set(source.map(({ path }) => path))
    expect([...paths]).toEqual(expect.arrayContaining(['src/kernel/hostTime.ts', 'src/kernel/entropy.ts']))
    // A second, cruder reader as the oracle: the formatter puts every `from` at the end of a line.
    const crude = source.flatMap(({ text }) =>
      [...text.matchAll(/^.*\bfrom '(\.[^']+)'$/gm)].map((match) => match[1]),
    )
    const read = source.flatMap((file) => importsOf(scan(file)).map(({ specifier }) => specifier))
    expect(read.filter((specifier) => specifier.startsWith('.'))).toEqual(expect.arrayContaining(crude))
    expect(crude.length).toBeGreaterThan(0)
  })

  test('is tidy', () => {
    const findings = tidy(tree).map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`)
    expect(findings, `\n${findings.join('\n')}\n`).toEqual([])
  })
})
