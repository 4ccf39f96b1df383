// Checks `start --scenario` and `exec --scenario`: what files set up in the default world, what wins, and what is refused.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSandbox, startSandbox } from '../../src/index.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'
import type { Told } from './command.ts'

const { run, started, refusal } = builtCommand()

const SHOP = `name: a shop with one customer
clock: 2030-01-01T12:00:00Z
seed: shop
silences: { TX-03: 45 }
given:
  customers: [{ as: ana, name: Ana Souza, email: ana@example.com }]
  credentials: [{ as: till }]
  transactions:
    - { as: sale, method: Pix, amount: 10000, customerId: $ana.id, callbackUrl: $shop.url }
`
const BAND = `name: an amount that fails
rules:
  - when: { call: createTransaction, amount: 6661 }
    do: { trigger: fail, after: 3s }
steps:
  - note: not played
`

const FILES: Record<string, string> = {
  'shop.yaml': SHOP,
  'rules/band.yaml': BAND,
  'rules/other.json': '{"name": "no rule", "clock": "2030-01-01T12:00:00.000Z"}',
  'later.yaml': 'name: later\nclock: 2031-01-01T12:00:00Z\n',
  'flowing.yaml': 'name: flowing\n\nclock: flowing\n',
  'other-seed.yaml': 'name: other\nseed: other\n',
  'other-choice.yaml': 'name: other\nsilences:\n  TX-03: 60\n',
  'same-name.yaml': 'name: other\ngiven:\n  customers: [{ as: ana, name: Ana, email: ana@example.com }]\n',
  'broken.yaml': 'name: x\nrule: []\n',
  'no-choice.yaml': 'name: x\nsilences:\n  TX-3: 60\n',
  'no-given.yaml': 'name: x\ngiven: { transactions: [{ method: Pix, amount: 1000, customerId: $bob.id }] }\n',
  'no-field.yaml': `${SHOP.replaceAll('sale', 'bill').replaceAll('ana', 'eva').replaceAll('till', 'desk')}rules:
  - when: { call: createTransaction, customerId: $eva.idd }
    do: { trigger: fail }
`,
  'customer.yaml': `name: a customer who never pays
given: { customers: [{ as: eva, name: Eva Lima, email: eva@example.com }] }
rules: [{ when: { call: createTransaction, customerId: $eva.id, callbackUrl: $shop.url }, do: { trigger: fail } }]
`,
  'no-rule.yaml': 'name: x\nrules:\n  - when: { call: getBalance }\n    do: { trigger: fail }\n',
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-scenario-'))
  await mkdir(join(folder, 'rules'))
  await mkdir(join(folder, 'empty'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const path = (name: string): string => join(folder, name)
type Named = Told & { names: Record<string, { id: string; publicKey: string; secretKey: string }> }

describe.concurrent('start --scenario', { timeout: PATIENCE_MS }, () => {
  test('sets up the default world before anybody can call', async () => {
    const { told } = await started(['--scenario', path('shop.yaml'), '--scenario', path('rules/*')])
    const { names } = told as Named
    expect(told.clock).toEqual({ mode: 'frozen', now: '2030-01-01T12:00:00.000Z', rate: 1 })
    await using sandbox = await connectSandbox(told.url)
    expect((await sandbox.info()).seed).toBe('shop')
    expect((await sandbox.silences.list()).find(({ id }) => id === 'TX-03')?.choice).toBe(45)
    expect(await sandbox.rules.list()).toMatchObject([{ when: { amount: 6661 }, fired: 0 }])

    const [sale] = await sandbox.transactions.list()
    expect(sale).toMatchObject({ id: names['sale']?.id, customerId: names['ana']?.id })
    await sandbox.trigger(names['sale']?.id ?? '', 'confirm')
    expect((await sandbox.inbox('shop').next('payment.completed')).signature).toBe('valid')

    const { publicKey, secretKey } = names['till'] ?? {}
    const token = { method: 'POST', body: JSON.stringify({ publicKey, secretKey }) }
    expect((await sandbox.fetch('/v1/auth/token', token)).status).toBe(200)
  })

  test('is as a scenario is given its world: same seed, same records', async () => {
    const args = ['--public-url', 'http://gateway.test', '--scenario', path('shop.yaml')]
    const { told } = await started(args)
    const [line = ''] = await run(['start', '--json', '--port', '0', ...args]).lines(1)
    expect((JSON.parse(line) as Named).names).toEqual((told as Named).names)
    await using sandbox = await startSandbox({ seed: 'shop', clock: '2030-01-01T12:00:00Z' })
    await sandbox.give({ customers: [{ as: 'ana', name: 'Ana Souza', email: 'ana@example.com' }] })
    expect((await sandbox.customers.list())[0]?.id).toBe((told as Named).names['ana']?.id)
  })

  test('takes the words after it, as a shell hands over a glob', async () => {
    const { told } = await started(['--scenario', path('shop.yaml'), path('rules/band.yaml')])
    await using sandbox = await connectSandbox(told.url)
    expect(await sandbox.rules.list()).toHaveLength(1)
    expect(await refusal(['start', path('shop.yaml')])).toContain('Unexpected argument')
  })

  test('tells people what was set up, and whose steps are left out', async () => {
    const server = run(['start', '--port', '0', '--scenario', folder.concat('/{shop,rules/band}.yaml')])
    const greeting = (await server.lines(9)).join('\n')
    expect(greeting).toContain(`scenarios   ${path('rules/band.yaml')}, ${path('shop.yaml')}`)
    expect(greeting).toMatch(/given +till pk_sandbox_\S+, ana [\w-]{36}, sale [\w-]{36}\n/)
    server.child.kill('SIGTERM')
    const { code, stderr } = await server.ended
    expect([code, stderr]).toEqual([
      0,
      `gateway-sandbox: left out the steps of ${path('rules/band.yaml')}; 'gateway-sandbox run' plays them.\n`,
    ])
  })

  test('is SANDBOX_SCENARIO too, with the separator of paths', async () => {
    const files = [path('rules'), path('shop.yaml')].join(delimiter)
    const { told } = await started([], { SANDBOX_SCENARIO: files })
    expect(Object.keys((told as Named).names)).toEqual(['till', 'ana', 'sale'])
  })

  test('resolves what rules refer to', async () => {
    const { told } = await started(['--scenario', path('customer.yaml')])
    await using sandbox = await connectSandbox(told.url)
    const when = {
      call: 'createTransaction',
      customerId: (told as Named).names['eva']?.id,
      callbackUrl: sandbox.inbox('shop').url,
    }
    expect(await sandbox.rules.list()).toMatchObject([{ when }])
  })

  test('yields to what flags say', async () => {
    const flags = ['--clock', 'flowing', '--seed', 'mine', '--silences', '{"TX-03":15}']
    const files = ['shop.yaml', 'later.yaml', 'other-seed.yaml', 'other-choice.yaml'].map(path)
    const { told } = await started([...flags, '--scenario', ...files])
    expect(told.clock.mode).toBe('flowing')
    await using sandbox = await connectSandbox(told.url)
    expect((await sandbox.info()).seed).toBe('mine')
    expect((await sandbox.silences.list()).find(({ id }) => id === 'TX-03')?.choice).toBe(15)
  })

  test('takes an empty folder for nothing to set up, as of a mount that nobody used', async () => {
    const { told, child, ended } = await started(['--scenario', path('empty')])
    expect(told).not.toHaveProperty('names')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.each([
    ['later.yaml', ':2:8: clock: ', 'shop.yaml has another'],
    ['flowing.yaml', ':3:8: clock: ', 'shop.yaml has another'],
    ['other-seed.yaml', ':2:7: seed: ', 'shop.yaml has another'],
    ['other-choice.yaml', ':3:10: silences TX-03: ', 'shop.yaml has another'],
    ['same-name.yaml', ':3:', "'ana' names a record of another file"],
    ['broken.yaml', ':2:1: ', "Did you mean 'rules'?"],
    ['no-choice.yaml', ':3:', "Did you mean 'TX-03'?"],
    ['no-given.yaml', ':2:66: ', 'given.transactions[0].customerId'],
    ['no-field.yaml', ':11:50: ', "$eva has no field 'idd'"],
    ['no-rule.yaml', ':4:20: ', 'getBalance is about no transaction'],
  ])('refuses %s with 2, its place and why', async (name, place, why) => {
    for (const verb of [['start'], ['exec', '--', 'true']]) {
      const [word = '', ...rest] = verb
      const files = ['--scenario', path('shop.yaml'), '--scenario', path(name)]
      const { code, stdout, stderr } = await run([word, ...files, ...rest], { SANDBOX_PORT: '0' }).ended
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
      expect(stderr.startsWith(path(name) + place), stderr).toBe(true)
      expect(stderr).toContain(why)
    }
  })

  test('refuses a path where there is nothing', async () => {
    expect(await refusal(['start', '--scenario', path('nowhere.yaml')])).toContain(
      'there is no scenario file',
    )
    expect(await refusal(['start', '--scenario', ''])).toContain('--scenario is empty')
  })
})

test('exec --scenario sets up the world of its command', { timeout: PATIENCE_MS }, async () => {
  const script = `fetch(process.env.SANDBOX_URL + '/_sandbox/customers').then((answer) => answer.text()).then(console.log)`
  const { code, stdout } = await run([
    'exec',
    '--scenario',
    path('shop.yaml'),
    '--',
    process.execPath,
    '-e',
    script,
  ]).ended
  expect([code, stdout]).toEqual([0, expect.stringContaining('Ana Souza')])
})
