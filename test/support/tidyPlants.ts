// Owns the planted violations of the tidy rules, and the near misses that must pass: texts of small files.
import { rotate } from './words.ts'
import type { SourceFile } from './sourceText.ts'

/** Files of which the last one breaks exactly one rule, the line where it does, and what the finding says. */
export interface TidyPlant {
  readonly rule: string
  readonly name: string
  readonly files: readonly SourceFile[]
  readonly line: number
  readonly says: string
}

const HEADER = '// Owns a small sample.'

/** A file with a header, so that the planted line is number 2. */
function file(path: string, body: string): SourceFile {
  return { path, text: path.startsWith('src/') ? `${HEADER}\n${body}\n` : `${body}\n` }
}

/** Plants of one rule, written as name, path, body and what is said; the violation stands in line 2. */
function plants(rule: string, rows: readonly (readonly [string, string, string, string])[]): TidyPlant[] {
  return rows.map(([name, path, body, says]) => ({ rule, name, files: [file(path, body)], line: 2, says }))
}

const circle = (last: string): SourceFile[] => [
  file('src/domain/egg.ts', `import type { Hen } from './hen.ts'`),
  file('src/domain/hen.ts', `import type { Coop } from './coop.ts'`),
  file('src/domain/coop.ts', last),
]

/** Plants of one rule that differ in one line of code each; the finding quotes the start of `says`. */
function lines(rule: string, path: string, bodies: readonly string[], says: string): TidyPlant[] {
  const lead = path.startsWith('src/') ? '' : '\n'
  return plants(
    rule,
    bodies.map((body) => [body, path, lead + body, says] as const),
  )
}

/** One entry for each way to break each rule. */
export const PLANTS: readonly TidyPlant[] = [
  ...plants('import only downwards', [
    ['an import upwards', 'src/kernel/a.ts', `import { b } from '../domain/b.ts'`, 'kernel is below domain'],
    [
      'a type import upwards',
      'src/domain/a.ts',
      `import type { B } from '../world/b.ts'`,
      'domain is below world',
    ],
    ['a dynamic import upwards', 'src/http/a.ts', `const b = import('../cli/b.ts')`, 'http is below cli'],
    [
      'an import type upwards',
      'src/contract/a.ts',
      `type B = import('../http/b.ts').B`,
      'contract is below http',
    ],
    ['an import for its effects upwards', 'src/contract/a.ts', `import '../domain/b.ts'`, 'below domain'],
    ['an import of a sibling', 'src/control/a.ts', `import { b } from '../dashboard/b.ts'`, 'siblings'],
    [
      'an import of the other sibling',
      'src/dashboard/a.ts',
      `import { b } from '../control/b.ts'`,
      'siblings',
    ],
    [
      'an import of composition from below',
      'src/control/a.ts',
      `import { b } from '../app.ts'`,
      '(composition)',
    ],
    [
      'an import of a command',
      'src/index.ts',
      `export { main } from './cli/main.ts'`,
      '(composition) is below cli',
    ],
    [
      'an import from a deep folder',
      'src/kernel/a/b.ts',
      `import { c } from '../../http/c.ts'`,
      'below http',
    ],
    [
      'an import with the ending .js',
      'src/kernel/a.ts',
      `import { b } from '../domain/b.js'`,
      'below domain',
    ],
    ['an import from the tests', 'src/cli/a.ts', `import { b } from '../../test/b.ts'`, 'outside src'],
    ['a manifest read by the server', 'src/server.ts', `import p from '../package.json'`, 'outside src'],
  ]),
  {
    rule: 'import only downwards',
    name: 'a folder without a layer',
    files: [file('src/helpers/a.ts', '')],
    line: 1,
    says: 'the folder helpers has no layer',
  },
  {
    rule: 'no import circles',
    name: 'a circle of three files',
    files: circle(`import type { Egg } from './egg.ts'`),
    line: 1,
    says: 'src/domain/coop.ts > src/domain/egg.ts > src/domain/hen.ts > src/domain/coop.ts',
  },
  {
    rule: 'no import circles',
    name: 'a circle through the ending .js',
    files: circle(`import type { Egg } from './egg.js'`),
    line: 1,
    says: 'imports in a circle',
  },
  {
    rule: 'no import circles',
    name: 'a file that imports itself',
    files: [file('src/domain/a.ts', `import type { B } from './a.ts'`)],
    line: 1,
    says: 'src/domain/a.ts > src/domain/a.ts',
  },
  ...plants('kernel knows no payment word', [
    ['a payment word as a name', 'src/kernel/a.ts', 'const payer = 1', 'payer'],
    ['a payment word inside a name', 'src/kernel/a.ts', 'const openTransactionCount = 1', 'transaction'],
    ['a payment word in a string', 'src/kernel/a.ts', `const a = 'no Boleto'`, 'boleto'],
    ['a payment word in a comment', 'src/kernel/a.ts', '// A webhook, perhaps.', 'webhook'],
  ]),
  ...plants('domain is synchronous and alone', [
    ['an async function', 'src/domain/a.ts', 'const a = async () => 1', 'async'],
    ['an await', 'src/domain/a.ts', 'for await (const a of b) c()', 'await'],
    ['a promise', 'src/domain/a.ts', 'type A = Promise<void>', 'Promise'],
    ['a module of Node', 'src/domain/a.ts', `import { sep } from 'node:path'`, 'node:path'],
    ['a web framework', 'src/domain/a.ts', `import type { Context } from 'hono'`, 'hono'],
    ['an answer', 'src/domain/a.ts', 'const a = new Response()', 'Response'],
    ['a request', 'src/domain/a.ts', 'function a(b: Request): void {}', 'Request'],
  ]),
  ...lines(
    'domain is synchronous and alone',
    'src/domain/a.ts',
    [
      'type A = PromiseLike<1>',
      'type A = RequestInit',
      'type A = ResponseInit',
      'type A = Headers',
      'type A = Hono',
      'type A = typeof fetch',
    ],
    'domain',
  ),
  ...lines('domain is synchronous and alone', 'src/domain/a.ts', [`import { a } from '@hono/b'`], '@hono/b'),
  ...plants('one owner for each power', [
    ['the time', 'src/http/a.ts', 'const a = Date.now()', 'hostTime.ts reads host time'],
    ['the time as a function', 'src/http/a.ts', 'const a = { now: Date.now }', 'Date.now'],
    ['a new date', 'src/http/a.ts', 'const a = new Date()', 'new Date()'],
    ['a new date without parentheses', 'src/http/a.ts', 'const a = new Date', 'new Date'],
    ['a date as text', 'src/http/a.ts', 'const a = Date()', 'Date()'],
    ['a stopwatch', 'src/http/a.ts', 'const a = performance.now()', 'performance.now'],
    ['a high resolution clock', 'src/http/a.ts', 'const a = process.hrtime.bigint()', 'process.hrtime'],
    ['a timer', 'src/http/a.ts', 'setTimeout(a, 1)', 'timers.ts sets timers'],
    ['an interval', 'src/http/a.ts', 'globalThis.setInterval(a, 1)', 'setInterval'],
    ['an immediate', 'src/http/a.ts', 'const a = { later: setImmediate }', 'setImmediate'],
    [
      'timers as promises',
      'src/http/a.ts',
      `import * as a from 'node:timers/promises'`,
      'node:timers/promises',
    ],
    ['a random number', 'src/http/a.ts', 'const a = Math.random()', 'entropy.ts makes randomness'],
    ['random bytes', 'src/http/a.ts', `import { randomBytes } from 'node:crypto'`, 'randomBytes'],
    ['a random id', 'src/http/a.ts', 'const a = crypto.randomUUID()', 'randomUUID'],
    ['random values', 'src/http/a.ts', 'crypto.getRandomValues(a)', 'getRandomValues'],
    ['a nanoid', 'src/http/a.ts', 'const a = nanoid()', 'nanoid('],
    ['a new key pair', 'src/http/a.ts', 'const a = generateKeyPair(1)', 'generateKeyPair'],
    ['a sending', 'src/http/a.ts', 'const a = await fetch(url)', 'send.ts sends HTTP'],
    ['a sending inside a condition', 'src/http/a.ts', 'const a = b ? fetch(url) : null', 'fetch('],
    ['a sender by another name', 'src/http/a.ts', 'const send = options.send ?? fetch', 'fetch'],
    ['a sending through the global', 'src/http/a.ts', 'void globalThis.fetch(url)', 'fetch('],
    ['a request of Node', 'src/http/a.ts', `import { request } from 'node:https'`, 'node:https'],
    ['a request through the module', 'src/http/a.ts', 'http.request(url)', 'http.request'],
    ['an HTTP client', 'src/http/a.ts', `import { Agent } from 'undici'`, 'undici'],
    ['a timeout of a signal', 'src/http/a.ts', 'const a = AbortSignal.timeout(1)', 'AbortSignal.timeout'],
    ['a file', 'src/cli/a.ts', `import { readFileSync } from 'node:fs'`, 'disk.ts touches the disk'],
    ['a file as a promise', 'src/world/a.ts', `import { readFile } from 'fs/promises'`, 'fs/promises'],
  ]),
  ...lines(
    'one owner for each power',
    'src/http/a.ts',
    ['a(performance.timeOrigin)', 'a(process.uptime())', 'a(Temporal.Now.instant())'],
    'hostTime.ts reads',
  ),
  ...lines(
    'one owner for each power',
    'src/http/a.ts',
    [
      'a(crypto.randomInt(1))',
      'randomFillSync(a)',
      `a(customAlphabet('ab', 1))`,
      `import { nanoid } from 'nanoid/non-secure'`,
      'a(generateKey(1))',
      'a(generateKeySync(1))',
      'a(generateKeyPairSync(1))',
      'a(generateSecret(1))',
    ],
    'entropy.ts makes',
  ),
  ...lines(
    'one owner for each power',
    'src/http/a.ts',
    [
      'https.get(url)',
      `import { get } from 'http'`,
      `import { connect } from 'node:http2'`,
      `import {\n  request,\n} from 'node:http'`,
      `import axios from 'axios'`,
    ],
    'send.ts sends',
  ),
  ...[
    ['code', 'const a = 1'],
    ['an empty line', ''],
    ['an empty comment', '//'],
    ['an empty docstring', '/** */'],
    ['a remark to the linter', '// oxlint-disable no-console'],
    ['an import', `import { b } from './b.ts'`],
  ].map(([name, text]) => ({
    rule: 'first line says what the file owns',
    name: `a file that begins with ${name}`,
    files: [{ path: 'src/http/a.ts', text: `${text}\n` }],
    line: 1,
    says: 'first line',
  })),
  ...plants('every export has a docstring', [
    ['a bare function', 'src/http/a.ts', 'export function a(): void {}', 'a has no docstring'],
    ['a bare type', 'src/http/a.ts', 'export type A = 1', 'A has no docstring'],
    ['a bare async function', 'src/http/a.ts', 'export async function a(): Promise<void> {}', 'a has no'],
    ['a list of exports', 'src/http/a.ts', 'export { a, b }', 'not in a list'],
  ]),
  ...[
    ['a line comment', '// One.\nexport const a = 1', 3],
    ['an empty docstring', '/** */\nexport const a = 1', 3],
    ['a block comment', '/* One. */\nexport const a = 1', 3],
    ['a docstring of something else', '/** One. */\nconst b = 1\nexport const a = b', 4],
  ].map(([name, body, line]) => ({
    rule: 'every export has a docstring',
    name: `an export after ${name}`,
    files: [file('src/http/a.ts', String(body))],
    line: Number(line),
    says: 'a has no docstring',
  })),
  {
    rule: 'every export has a docstring',
    name: 'an export after nothing but the header of the file',
    files: [{ path: 'src/http/a.ts', text: '/** Owns a small sample. */\nexport const a = 1\n' }],
    line: 2,
    says: 'a has no docstring',
  },
  ...plants('no default exports, enums or namespaces', [
    ['a default export', 'src/http/a.ts', 'export default 1', 'default'],
    ['an enum', 'src/http/a.ts', 'enum A { B }', 'enums'],
    ['a constant enum', 'src/http/a.ts', 'const enum A { B }', 'enums'],
    ['a namespace', 'src/http/a.ts', 'namespace A {}', 'namespaces'],
  ]),
  ...plants('no barrels', [
    ['a re-export of everything', 'src/http/a.ts', `export * from './b.ts'`, 'only src/index.ts'],
    ['a re-export of one thing', 'src/sandbox.ts', `export { b } from './http/b.ts'`, 'only src/index.ts'],
    ['a re-export of a type', 'src/http/index.ts', `export type { B } from './b.ts'`, 'only src/index.ts'],
  ]),
  ...plants('no module-level state', [
    ['a variable', 'src/http/a.ts', 'let a = 1', 'let a'],
    ['a map', 'src/http/a.ts', 'const a = new Map<string, number>()', 'only be filled later'],
    ['a typed set', 'src/http/a.ts', 'const a: Set<string> = new Set()', 'only be filled later'],
    ['an empty list', 'src/http/a.ts', 'const a: string[] = []', 'only be filled later'],
    ['an empty record', 'src/http/a.ts', 'const a: Record<string, number> = {}', 'only be filled later'],
  ]),
  ...lines(
    'no module-level state',
    'src/http/a.ts',
    ['var a = 1', 'const a = new WeakMap()', 'const a = new WeakSet<B>()', 'const a = {}'],
    'no module-level state',
  ),
  ...plants('nothing unfinished', [
    ['something to do', 'src/http/a.ts', '// TODO: the rest.', 'TODO'],
    ['something to fix', 'src/http/a.ts', '/* FIXME */', 'FIXME'],
    ['something marked', 'src/http/a.ts', '/* XXX */', 'XXX'],
    ['something hacked', 'test/a.test.ts', '\n// A HACK.', 'HACK'],
  ]),
  ...plants('nothing is raw HTML', [
    ['raw HTML', 'src/dashboard/a.ts', `import { html, raw } from 'hono/html'`, 'raw'],
    ['HTML that is set', 'src/dashboard/assets/a.js', `a.innerHTML = b`, 'innerHTML'],
    ['HTML that is written', 'src/dashboard/assets/a.js', `document.write(b)`, 'document.write'],
    ['a style', 'src/dashboard/a.ts', 'const a = html`<p class="b" style="${c}">`', 'style='],
    ['a handler', 'src/dashboard/a.ts', 'const a = html`<p onclick="b()">`', 'onclick='],
  ]),
  ...plants('one word for one thing', [
    [
      'a payment that is a transaction',
      'src/http/a.ts',
      '/** One. */ export const payments = 1',
      '"payments" in',
    ],
    [
      'a charge that is a transaction',
      'src/http/a.ts',
      '/** One. */ export type NewCharge = 1',
      '"charge" in',
    ],
    ['a payout that is a cashout', 'src/http/a.ts', '/** One. */ export class Payout {}', '"payout" in'],
  ]).map((plant) => ({ ...plant, files: plant.files.map(breakAfterDocstring), line: 3 })),
  {
    rule: 'one word for one thing',
    name: 'a file named by a word of the wire',
    files: [file('src/http/payoutHandlers.ts', '')],
    line: 1,
    says: '"payout" in payoutHandlers',
  },
  ...plants('no real provider', [
    [
      'a provider in a comment',
      'src/http/a.ts',
      `// Like ${rotate('pvryb')} does it.`,
      'names a real provider',
    ],
    ['a provider in a string', 'src/http/a.ts', `const a = 'api.${rotate('nfnnf')}.example'`, 'names a real'],
    ['a provider in the readme', 'README.md', `\nAs at ${rotate('cvp-cnl')}.`, 'names a real provider'],
  ]),
  ...plants('tests do not wait', [
    ['a timer', 'test/a.test.ts', '\nsetTimeout(done, 1)', 'setTimeout'],
    ['a sleep', 'test/a.test.ts', '\nawait sleep(1)', 'sleep'],
    ['a polling', 'test/a.test.ts', '\nawait vi.waitFor(done)', 'vi.waitFor'],
    ['an expectation that polls', 'test/a.test.ts', '\nawait expect.poll(done).toBe(1)', 'expect.poll'],
    [
      'timers as promises',
      'test/support/a.ts',
      `\nimport { a } from 'node:timers/promises'`,
      'timers/promises',
    ],
  ]),
  ...lines(
    'tests do not wait',
    'test/a.test.ts',
    ['setInterval(a, 1)', 'setImmediate(a)', 'await delay(1)', 'await vi.waitUntil(a)'],
    'tests must not wait',
  ),
  ...lines(
    'every test runs',
    'test/a.test.ts',
    [
      'context.skip()',
      `xtest('a', b)`,
      `xdescribe('a', b)`,
      `fit('a', b)`,
      `fdescribe('a', b)`,
      `test('a', { only: true }, b)`,
      `test('a', { todo: true })`,
    ],
    'every test runs',
  ),
  ...plants('every test runs', [
    ['a skipped test', 'test/a.test.ts', `\ntest.skip('a', () => {})`, 'test.skip'],
    ['a focused group', 'test/a.test.ts', `\ndescribe.only('a', () => {})`, 'describe.only'],
    ['a promised test', 'test/a.test.ts', `\nit.todo('a')`, 'it.todo'],
    [
      'a skipped table',
      'test/a.test.ts',
      `\ntest.concurrent.skip.each([])('a', () => {})`,
      'test.concurrent.skip',
    ],
    ['a skipped test by its options', 'test/a.test.ts', `\ntest('a', { skip: true }, () => {})`, 'skip'],
    ['a skipped test by its old name', 'test/a.test.ts', `\nxit('a', () => {})`, 'xit'],
  ]),
]

/** Puts what follows a docstring on a line of its own, as the formatter does. */
function breakAfterDocstring({ path, text }: SourceFile): SourceFile {
  return { path, text: text.replace('*/ ', '*/\n') }
}

/** A near miss: nothing in these files is wrong. */
interface NearMiss {
  readonly name: string
  readonly files: readonly SourceFile[]
}

/** A near miss of one file. */
function fine(name: string, path: string, body: string): NearMiss {
  return { name, files: [file(path, body)] }
}

/** What looks like a violation and is none. */
export const NEAR_MISSES: readonly NearMiss[] = [
  { name: 'an empty project', files: [] },
  { name: 'a row of types without a circle', files: circle('type Egg = 1') },
  fine(
    'a page',
    'src/dashboard/a.ts',
    'const a = html`<p class="style" data-on="raw">on = "style=" ${style === on}</p>`',
  ),
  fine('an import downwards', 'src/cli/main.ts', `import { a } from '../kernel/a.ts'`),
  fine('an import inside a folder', 'src/scenario/a/b.ts', `import { c } from '../c.ts'`),
  fine('an import between composition files', 'src/server.ts', `import { app } from './app.ts'`),
  fine(
    'the manifest in a command',
    'src/cli/version.ts',
    `import p from '../../package.json' with { type: 'json' }`,
  ),
  fine('an import in a string', 'src/kernel/a.ts', `const a = "import { b } from '../domain/b.ts'"`),
  fine(
    'a public API of re-exports',
    'src/index.ts',
    `export { a } from './sandbox.ts'\nexport type { B } from './http/b.ts'`,
  ),
  fine('money in the kernel', 'src/kernel/money.ts', `// Cents, discarded wildcards, webs and hooks.`),
  fine('a payment word above the kernel', 'src/contract/a.ts', `const transaction = 'pix'`),
  fine(
    'names that only begin like HTTP and promises',
    'src/domain/a.ts',
    `const a = { Request: 1, requestId: b.Response, promised: RequestedRefund }`,
  ),
  fine('waiting outside the domain', 'src/http/a.ts', 'const a = async () => await new Promise(b)'),
  fine('the owner of time', 'src/kernel/hostTime.ts', 'const a = () => Date.now() + performance.now()'),
  fine('the owner of timers', 'src/kernel/timers.ts', 'const a = () => setTimeout(b, 1)'),
  fine(
    'the owner of randomness',
    'src/kernel/entropy.ts',
    `import { randomBytes } from 'node:crypto'\nconst a = randomBytes(8)`,
  ),
  fine(
    'the owner of sending',
    'src/webhooks/send.ts',
    'const a = () => fetch(b, { signal: AbortSignal.timeout(1) })',
  ),
  fine('the owner of the disk', 'src/world/disk.ts', `import { writeFileSync } from 'node:fs'`),
  fine(
    'a given instant',
    'src/http/a.ts',
    'const a = new Date(instant).toISOString() + Date.UTC(b) + Date.parse(c)',
  ),
  fine(
    'powers in words',
    'src/http/a.ts',
    `// Never Date.now() or fetch(url).\nconst a = 'Math.random() setTimeout(b, 1)'`,
  ),
  fine(
    'an application that answers',
    'src/http/a.ts',
    'const a = { fetch: app.fetch, b: await app.fetch(c) }',
  ),
  fine(
    'a method named fetch',
    'src/app.ts',
    `interface A {\n  fetch(request: Request): Promise<Response>\n}\nconst a = {\n  async fetch(request: Request) {\n    return b(request)\n  },\n}`,
  ),
  fine(
    'a type of fetch',
    'src/app.ts',
    'type A = { fetch: typeof fetch; timer: ReturnType<typeof setTimeout> }',
  ),
  fine('a seeded draw', 'src/http/a.ts', 'const a = world.random.randomInt(1) + server.setTimeout(1)'),
  fine(
    'a server of Node',
    'src/server.ts',
    `import { createServer } from 'node:http'\nimport type { Server } from 'node:http'`,
  ),
  fine(
    'documented exports',
    'src/http/a.ts',
    `/** One. */\nexport const a = 1\n\n/**\n * Two.\n */\nexport type B = 2`,
  ),
  fine(
    'a documented function with two signatures',
    'src/http/a.ts',
    `/** Same. */\nexport function a(b: 1): 1\nexport function a(b: 2): 2\nexport function a(b: number): number {\n  return b\n}`,
  ),
  fine(
    'a docstring before a remark to the linter',
    'src/http/a.ts',
    `/** One. */\n// oxlint-disable-next-line no-bitwise -- a hash\nexport const a = 1 | b`,
  ),
  {
    name: 'a command with a shebang',
    files: [{ path: 'src/cli/main.ts', text: `#!/usr/bin/env node\n${HEADER}\n` }],
  },
  {
    name: 'a header of several lines',
    files: [{ path: 'src/http/a.ts', text: '/**\n * Owns a small sample.\n */\nconst a = 1\n' }],
  },
  fine(
    'a table',
    'src/http/a.ts',
    `const a: ReadonlyMap<string, number> = new Map([['b', 1]])\nconst b: readonly string[] = []`,
  ),
  fine(
    'state inside a function',
    'src/http/a.ts',
    `function a(): void {\n  let b = 1\n  const c = new Map()\n}`,
  ),
  fine(
    'a field of the wire',
    'src/http/a.ts',
    `/** One. */\nexport const paymentIdOf = 'charge'\nconst payout = 1`,
  ),
  fine('an unfinished string', 'src/http/a.ts', `const a = 'XXX'`),
  fine('test words in a string', 'test/a.test.ts', `test('test.skip() and sleep(1) are refused', () => {})`),
  fine('a thing to skip', 'test/a.test.ts', 'const a = list.skip(1).only'),
]
