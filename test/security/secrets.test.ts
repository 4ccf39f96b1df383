// Drives the whole surface of a running server with marked secrets in every place, and looks for them in everything it shows and writes.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtCommand, PATIENCE_MS } from '../cli/command.ts'
import { createCanaries, found } from './canaries.ts'
import { sweep } from './sweep.ts'
import type { Canary } from './canaries.ts'
import type { Output } from './surface.ts'

/** What may hold a secret, and why. Nothing else may hold any. */
const MAY_HOLD: readonly (readonly [output: RegExp, canary: RegExp, because: string])[] = [
  [/^GET \/worlds$/, /^the secret key of a world$/, 'the control token opens the worlds with their keys'],
  [/^GET \/worlds\/\{/, /^the secret key of a world$/, 'as in the list of them'],
  [
    /^page \/docs\b/,
    /^the secret key of a world$/,
    'its forms are filled in for whoever has the control token',
  ],
  [/^control POST \/credentials$/, /^the secret key of a credential$/, 'it is told once, to who made it'],
  [
    /^file /,
    /^the secret key of a world$/,
    'a server tells the keys again after a restart; its owner reads it',
  ],
  [/^file /, /^the bytes of a file$/, 'evidence is served again after a restart'],
  [/^GET \/export$/, /^the bytes of a file$/, 'a world is taken out with its evidence'],
]

/** What shows the fields of records as the merchant wrote them. The logs of what happened are not among it. */
const SHOWS_RECORDS =
  /^(?:GET \/(?:transactions|customers|snapshots\/|export|deliveries\/|inboxes\/)|file |page \S+\/(?:transactions|customers|pay|deliveries)\b|answer )/

/** Each canary with where it was found, as `canary in output`, and the reason where it may be there. */
function findsIn(outputs: readonly Output[], canaries: readonly Canary[]): Map<string, string | null> {
  const free = new Set(canaries.filter(({ isFree }) => isFree).map(({ name }) => name))
  const finds = outputs.flatMap(({ name, text }) =>
    found(text, canaries).map((canary): [string, string | null] => {
      const held = MAY_HOLD.find(([output, which]) => output.test(name) && which.test(canary))
      const written = free.has(canary) && SHOWS_RECORDS.test(name) ? 'the merchant wrote it there' : null
      return [`${canary} in ${name}`, held?.[2] ?? written]
    }),
  )
  return new Map(finds)
}

const leaksOf = (finds: ReadonlyMap<string, string | null>): string[] =>
  [...finds].filter(([, because]) => because === null).map(([find]) => find)

const { run, started } = builtCommand()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-secrets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The data file and those beside it, which only their owner may read. The lock is a socket and holds nothing. */
async function filesOf(name: string): Promise<Output[]> {
  const names = (await readdir(folder)).filter((each) => each.startsWith(name) && !each.endsWith('.lock'))
  return Promise.all(
    names.map(async (each) => {
      const path = join(folder, each)
      expect((await stat(path)).mode & 0o77, each).toBe(0)
      return { name: `file ${each}`, text: await readFile(path, 'utf8') }
    }),
  )
}

describe('a running server', { timeout: 3 * PATIENCE_MS }, () => {
  const controlToken = 'ctl-of-the-sweep-4f1c9a'

  test('shows and writes none of the secrets that it is sent or makes', async () => {
    const server = await started(['--data', join(folder, 'worlds'), '--control-token', controlToken])
    const { outputs, canaries } = await sweep({ url: server.told.url, controlToken }, { reads: true })
    outputs.push(...(await filesOf('worlds')))
    server.child.kill('SIGTERM')
    const { code, stdout, stderr } = await server.ended
    expect(code, stderr).toBe(0)
    outputs.push({ name: 'standard output', text: stdout }, { name: 'standard error', text: stderr })
    outputs.push(...(await filesOf('worlds')))
    // What nobody read could hide anything.
    expect(outputs.length).toBeGreaterThan(900)
    const finds = findsIn(outputs, canaries)
    expect(leaksOf(finds)).toEqual([])
    const reasons = new Set(finds.values())
    expect(MAY_HOLD.filter(([, , because]) => !reasons.has(because))).toEqual([])
  })

  test('tells people none of them either', async () => {
    const server = run(['start', '--port', '0', '--control-token', controlToken])
    const url = /http:\/\/\S+/.exec((await server.lines(1))[0] ?? '')?.[0] ?? ''
    const { outputs, canaries } = await sweep({ url, controlToken }, { reads: false })
    server.child.kill('SIGTERM')
    const { stdout, stderr } = await server.ended
    outputs.push({ name: 'standard output', text: stdout }, { name: 'standard error', text: stderr })
    expect(leaksOf(findsIn(outputs, canaries))).toEqual([])
  })
})

describe('the search', () => {
  const canaries = createCanaries()
  const number = canaries.card('a test')
  const written = canaries.card('a description', true)
  const key = canaries.key('a test')
  const token = canaries.watch('a token', 'a.b+c/d==')

  test.each([
    ['as it is', `x${number}y`],
    ['apart', (number.match(/.{1,4}/g) ?? []).join(' - ').replaceAll(' - ', '- ')],
    ['in an address', encodeURIComponent([...number].join(' '))],
    ['in a page', (number.match(/.{1,4}/g) ?? []).join('&#39;')],
  ])('finds a card number %s', (_how, text) => {
    expect(leaksOf(findsIn([{ name: 'standard error', text }], canaries.all))).toEqual([
      'the card of a test in standard error',
    ])
  })

  test.each([
    ['a key', `{"x":"${key}"}`, 'the key of a test'],
    ['a key in base64', Buffer.from(`{"x":"${key}"}`).toString('base64'), 'the key of a test'],
    ['a token', `Bearer ${token}`, 'a token'],
    ['a code', String.raw`{\"any\":\"907\"}`, 'the code of a card'],
    ['a code as a number', '{"cardCvv":907}', 'the code of a card'],
  ])('finds %s', (_what, text, name) => {
    expect(leaksOf(findsIn([{ name: 'events', text }], canaries.all))).toEqual([`${name} in events`])
  })

  test('lets a description stand in its record, and nowhere else', () => {
    const at = (name: string): string[] => leaksOf(findsIn([{ name, text: written }], canaries.all))
    expect(at('GET /transactions/{id}')).toEqual([])
    for (const name of ['GET /exchanges', 'events', 'standard output', 'recording', 'GET /journal']) {
      expect(at(name)).toHaveLength(1)
    }
  })
})
