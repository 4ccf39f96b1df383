// Checks the verbs that talk to a running server: what they do, print and refuse, and their exit codes.
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openReceiver, openServer } from '../support/server.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'
import type { AddressInfo, Server } from 'node:net'
import type { ServerOptions } from '../../src/server.ts'
import type { TestServer } from '../support/server.ts'

const { run, refusal } = builtCommand()

const opened: { close(): Promise<unknown> }[] = []
afterAll(() => Promise.all(opened.map((each) => each.close())), PATIENCE_MS)

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** A server, and the verbs of the command line on it. */
interface Told extends TestServer {
  /** What a verb prints when it succeeds. */
  says(...args: string[]): Promise<string>
  /** The same as JSON. */
  tells(...args: string[]): Promise<never>
  /** What a verb complains of when it ends with a code. */
  fails(code: number, ...args: string[]): Promise<string>
}

async function open(options: ServerOptions = {}): Promise<Told> {
  const server = await openServer(options)
  opened.push(server)
  const environment = { SANDBOX_URL: server.url }
  const says = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args, environment).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.trimEnd()
  }
  return {
    ...server,
    says,
    async tells(...args) {
      const line = await says(...args, '--json')
      expect(line).not.toContain('\n')
      return JSON.parse(line) as never
    },
    async fails(code, ...args) {
      const ended = await run(args, environment).ended
      expect(ended).toMatchObject({ code, stdout: '' })
      expect(ended.stderr).toMatch(/^gateway-sandbox: [^\n]+\n$/)
      return ended.stderr
    },
  }
}

/** The id of a new transaction. */
async function sale(server: Told, fields: object = {}): Promise<string> {
  const { body } = await server.call('POST', '/v1/transactions', { method: 'Pix', amount: 2000, ...fields })
  return String(body.data.id)
}

/** A server of something else on a free port. */
async function stranger(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => new Promise((resolve) => server.close(resolve)) })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.concurrent('the verbs of a running server', { timeout: PATIENCE_MS }, () => {
  test('trigger fires, with numbers as numbers, and names what could fire instead', async () => {
    const server = await open()
    const id = await sale(server)
    expect(await server.says('trigger', id, 'confirm')).toBe(
      `${id} confirm: Pending -> Completed; nobody is told`,
    )
    expect(await server.tells('trigger', id, 'refund', 'amount=500')).toMatchObject({
      record: { refundedAmount: 500 },
    })
    expect(await server.fails(1, 'trigger', id, 'confirm')).toContain('These would fire: ')
    expect(await server.fails(1, 'trigger', id, 'refund', 'amount=5000')).toContain('amount')
    expect(await server.fails(2, 'trigger', NOBODY, 'confirm')).toContain(NOBODY)
    expect(await server.fails(2, 'trigger', id, 'refund', 'amount=much')).toContain('amount')
    expect(await server.fails(2, 'trigger', id, 'confrim')).toContain('confirm')
  })

  test.each(['12', 'true', 'null', '{"a":1}', '"quoted"', 'a=b'])(
    'trigger takes a text as it is typed: %s',
    async (text) => {
      const server = await open()
      const id = await sale(server)
      await server.says('trigger', id, 'fail', `reason=${text}`)
      expect(await server.says('explain', id)).toContain(`Pending -> Failed: ${text}\n`)
    },
  )

  test('trigger takes a payer by its parts and as JSON', async () => {
    const server = await open()
    const payerOf = async (...pairs: string[]): Promise<object> => {
      const id = await sale(server)
      const fired: { record: { pix: object } } = await server.tells('trigger', id, 'confirm', ...pairs)
      return fired.record.pix
    }
    const payer = { name: '12', document: '52998224725', bank: 'true' }
    const named = Object.entries(payer).map(([name, value]) => `payer.${name}=${value}`)
    const mixed = `payer=${JSON.stringify({ name: '12', bank: 'true' })}`
    for (const pairs of [named, [`payer=${JSON.stringify(payer)}`], [mixed, 'payer.document=52998224725']]) {
      expect(await payerOf(...pairs)).toMatchObject({
        payerName: '12',
        payerDocument: expect.stringContaining('982247'),
        payerBank: 'true',
      })
    }
  })

  test('advance moves by a duration, to an instant and to what is due, and says what ran', async () => {
    const server = await open()
    const id = await sale(server)
    const next = await server.says('advance', '--next')
    expect(next).toContain('2030-01-01T12:00:00.000Z -> 2030-01-01T12:30:00.000Z')
    expect(next).toMatch(new RegExp(`expire\\w*  ${id}`))
    expect(await server.says('advance', '31m')).toContain('-> 2030-01-01T13:01:00.000Z\n0 jobs ran')
    expect(await server.tells('advance', '--to', '2030-01-02')).toMatchObject({
      to: '2030-01-02T00:00:00.000Z',
      totals: { ran: 0 },
    })
    expect(await server.fails(1, 'advance', '--to', '2029-01-01')).toContain('2029')
    expect(await server.fails(2, 'advance', 'soon')).toContain('31m')
  })

  test('settle waits, and says what is open when it cannot', async () => {
    const server = await open()
    expect(await server.says('settle')).toBe('settled; 0 jobs wait for time')
    const receiver = await openReceiver(() => undefined)
    opened.push(receiver)
    await server.says('trigger', await sale(server, { callbackUrl: receiver.url }), 'confirm')
    const late = ['settle', '--timeout', '1ms']
    const { code, stdout, stderr } = await run(late, { SANDBOX_URL: server.url }).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^gateway-sandbox: world 'default' did not settle within 1ms; still open:\n/)
    expect(stderr).toContain('attempt 1 of payment.completed')
    const machine = await run([...late, '--json'], { SANDBOX_URL: server.url }).ended
    expect(machine.code).toBe(1)
    expect(JSON.parse(machine.stdout)).toMatchObject({ settled: false, open: [{ kind: 'attempt' }] })
  })

  test('deliveries lists and shows webhooks, and resend sends one again', async () => {
    const server = await open()
    const receiver = await openReceiver(500)
    opened.push(receiver)
    expect(await server.says('deliveries')).toBe('no deliveries')
    const id = await sale(server, { callbackUrl: receiver.url })
    await server.says('trigger', id, 'confirm')
    await server.says('advance', '2s')
    const [head, row] = (await server.says('deliveries', '--subject', id)).split('\n')
    expect(head).toMatch(/^id +status +attempts +type/)
    expect(row).toMatch(new RegExp(`delivered +500, 204 +payment.completed +${id}`))
    expect(await server.says('deliveries', '--status', 'exhausted')).toBe('no deliveries')
    const { items } = (await server.tells('deliveries', '--type', 'payment.completed')) as {
      items: { id: string }[]
    }
    const [delivery = { id: '' }] = items
    const whole = await server.says('deliveries', delivery.id)
    for (const part of [
      'X-Service-Signature',
      '"type":"payment.completed"',
      '2  2030-01-01T12:00:02.000Z  204',
    ]) {
      expect(whole).toContain(part)
    }
    expect(await server.tells('deliveries', delivery.id)).toMatchObject({ attempts: [{}, { number: 2 }] })
    expect(await server.says('resend', delivery.id)).toContain('is sent again')
    await server.says('settle')
    expect(receiver.received).toHaveLength(3)
    expect(await server.fails(2, 'deliveries', NOBODY)).toContain(NOBODY)
    expect(await server.fails(2, 'resend', NOBODY)).toContain(NOBODY)
    expect(await server.fails(2, 'deliveries', '--status', 'lost')).toContain('status')
  })

  test('explain tells what happened as text, JSON and Mermaid', async () => {
    const server = await open()
    const id = await sale(server)
    await server.says('trigger', id, 'fail', 'reason=sem saldo')
    expect(await server.says('explain', id)).toBe(
      [
        `transaction ${id} is Failed`,
        '',
        '2030-01-01T12:00:00.000Z',
        '  call        POST /v1/transactions -> 201',
        '  transition  transaction create: new -> Pending',
        '  transition  transaction fail: Pending -> Failed: sem saldo',
        '',
        'nothing waits for time',
      ].join('\n'),
    )
    const told = { id, kind: 'transaction', order: 'exact', steps: [{}, {}, { reason: 'sem saldo' }] }
    expect(await server.tells('explain', id)).toMatchObject(told)
    expect(JSON.parse(await server.says('explain', id, '--format', 'json'))).toMatchObject(told)
    expect(await server.says('explain', id, '--format', 'mermaid')).toMatch(
      /^sequenceDiagram\n {2}participant/,
    )
    expect(await server.fails(2, 'explain')).toContain('explain ID')
    expect(await server.fails(2, 'explain', NOBODY)).toContain(NOBODY)
    expect(await server.fails(2, 'explain', id, '--format', 'pdf')).toContain("'pdf' is none of text, json")
    expect(await server.fails(2, 'explain', id, '--json', '--format', 'text')).toContain('--format text')
  })

  test('world lists, makes, shows, forks, resets and deletes', async () => {
    const server = await open()
    expect(await server.says('world')).toMatch(/^id +clock +now +public key\ndefault +frozen/)
    const made = await server.says('world', 'new', '--id', 'shop', '--clock', '2031-01-01', '--seed', 'known')
    expect(made).toMatch(/^world +shop\n[^]*public key +pk_sandbox_shop\n[^]*frozen at 2031-01-01/)
    expect(await server.tells('world', 'show', 'shop')).toMatchObject({ id: 'shop' })
    expect(await server.tells('world', 'show')).toMatchObject({ id: 'default' })
    expect(await server.tells('world', 'fork', 'shop', '--id', 'copy')).toMatchObject({ id: 'copy' })
    await server.says('advance', '1h', '--world', 'shop')
    expect(await server.says('world', 'reset', 'shop')).toContain('frozen at 2031-01-01T00:00:00.000Z')
    expect(await server.says('world', 'delete', 'shop')).toBe('world shop is deleted')
    expect(await server.tells('world')).toMatchObject({ items: [{ id: 'copy' }, { id: 'default' }] })
    expect(await server.fails(2, 'world', 'show', 'shop')).toContain("'shop'")
    expect(await server.fails(1, 'world', 'new', '--id', 'copy')).toContain('copy')
    expect(await server.fails(1, 'world', 'delete', 'default')).toContain('default')
    expect(await server.fails(2, 'settle', '--world', 'cop')).toContain("Did you mean 'copy'?")
  })

  test('snapshot saves, shows, restores and deletes', async () => {
    const server = await open()
    expect(await server.says('snapshot')).toBe('no snapshots')
    expect(await server.says('snapshot', 'save', 'before')).toContain('world default is saved as before')
    await server.says('advance', '1h')
    expect(await server.says('snapshot', 'restore', 'before')).toContain('at 2030-01-01T12:00:00.000Z')
    expect(await server.says('snapshot', 'list')).toMatch(/^name +saved at +bytes\nbefore +2030-01-01T12/)
    expect(JSON.parse(await server.says('snapshot', 'show', 'before'))).toHaveProperty('clock')
    expect(await server.says('snapshot', 'delete', 'before')).toBe('snapshot before is deleted')
    expect(await server.tells('snapshot')).toMatchObject({ items: [] })
    expect(await server.fails(2, 'snapshot', 'restore', 'before')).toContain("'before'")
  })

  test('silences shows and changes them, with * at what was changed', async () => {
    const server = await open()
    expect(await server.says('silences')).toMatch(/\nWH-04 +endOfAttempt +\S/)
    expect(await server.says('silences', 'set', 'WH-04=firstAttempt')).toMatch(
      /\nWH-04 {2}\* {2}firstAttempt/,
    )
    const detail = await server.says('silences', 'wh-04')
    expect(detail).toMatch(/choice +firstAttempt\ndefault +endOfAttempt \(changed/)
    expect(detail).toMatch(/alternatives +\S/)
    const names = '{"installments":"parcelas"}'
    expect(await server.tells('silences', 'set', `TX-01=${names}`, 'WH-04=null')).toMatchObject({
      items: [{ choice: { installments: 'parcelas' } }, { choice: 'endOfAttempt' }],
    })
    expect(await server.tells('silences', 'WH-04')).toMatchObject({ id: 'WH-04', timesUsed: 0 })
    expect(await server.fails(2, 'silences', 'WH-4')).toContain("Did you mean 'WH-04'?")
    expect(await server.fails(2, 'silences', 'set', 'WH-04=never')).toContain('WH-04')
    expect(await server.fails(2, 'silences', 'set', 'WH-4=firstAttempt')).toContain("Did you mean 'WH-04'?")
  })

  test('health says whether a server takes calls, also behind a control token', async () => {
    const server = await open({ controlToken: 'let-me-in' })
    expect(await server.says('health')).toBe(`ok ${server.url}`)
    expect(await server.tells('health')).toEqual({ url: server.url, healthy: true, problem: null })
    const { port } = new URL(server.url)
    const image = { SANDBOX_HOST: '0.0.0.0', SANDBOX_PORT: port }
    expect((await run(['health'], image).ended).stdout).toBe(`ok ${server.url}\n`)
    await server.close()
    expect(await server.fails(1, 'health')).toContain('ECONNREFUSED')
    const { code, stdout } = await run(['health', '--json', '--url', server.url]).ended
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { healthy: false }])
  })

  test('health does not wait for a server that says nothing, and knows one that is none', async () => {
    // It reads, so that it sees its callers go.
    const silent = await stranger(createServer((socket) => void socket.on('error', () => undefined).resume()))
    const { fails } = await open()
    expect(await fails(1, 'health', '--url', silent, '--timeout', '50ms')).toContain('within 50ms')
    const other = await stranger(createHttpServer((_, response) => response.end('{"status":"ok"}')))
    expect(await fails(1, 'health', '--url', other)).toContain('is no gateway-sandbox')
  })
})

describe.concurrent('reaching a server', { timeout: PATIENCE_MS }, () => {
  test('needs one: a closed port and a stranger are one line and code 1', async () => {
    const server = await open()
    const html = await stranger(createHttpServer((_, response) => response.end('<html>')))
    expect(await server.fails(1, 'settle', '--url', html)).toContain('is no gateway-sandbox')
    const missing = await stranger(createHttpServer((_, response) => response.writeHead(404).end()))
    expect(await server.fails(1, 'settle', '--url', missing)).toContain('404')
    await server.close()
    expect(await server.fails(1, 'settle')).toContain("gateway-sandbox start'")
  })

  test('needs its control token', async () => {
    const server = await open({ controlToken: 'let-me-in' })
    expect(await server.fails(2, 'settle')).toContain('--control-token')
    expect(await server.fails(2, 'settle', '--control-token', 'wrong')).toContain('SANDBOX_CONTROL_TOKEN')
    expect(await server.says('settle', '--control-token', 'let-me-in')).toContain('settled')
    const environment = { SANDBOX_URL: server.url, SANDBOX_CONTROL_TOKEN: 'let-me-in' }
    expect((await run(['settle'], environment).ended).code).toBe(0)
  })

  test('can be told by the environment alone', async () => {
    const server = await open()
    await server.says('world', 'new', '--id', 'shop')
    const environment = { SANDBOX_URL: server.url, SANDBOX_WORLD: 'shop', SANDBOX_JSON: '1' }
    const { stdout } = await run(['world', 'show'], environment).ended
    expect(JSON.parse(stdout)).toMatchObject({ id: 'shop' })
  })
})

describe.concurrent('wrong usage', { timeout: PATIENCE_MS }, () => {
  test.each([
    [['trigger'], 'the id of a record'],
    [['trigger', NOBODY], 'a trigger'],
    [['trigger', NOBODY, 'refund', '500'], 'amount=500'],
    [['trigger', NOBODY, 'fail', 'on=x'], "'on' is no parameter"],
    [['trigger', NOBODY, 'fail', 'do=confirm'], "'do' is no parameter"],
    [['trigger', NOBODY, 'fail', '__proto__=1'], "no '__proto__'"],
    [['trigger', NOBODY, 'fail', 'reson=x'], "Did you mean 'reason'?"],
    [['trigger', NOBODY, 'fail', 'reason=x', 'reason=y'], "'reason' is named twice"],
    [['trigger', NOBODY, 'refund', 'amount="500"'], 'amount=500'],
    [['trigger', NOBODY, 'confirm', 'payer=Ana'], 'payer.name=Ana'],
    [['advance'], '31m'],
    [['advance', '1s', '--next'], 'exactly one'],
    [['advance', '1s', '2s'], "'2s'"],
    [['settle', '--timeout', 'long'], '--timeout'],
    [['settle', 'now'], 'now'],
    [['deliveries', '--limit', '0'], '--limit'],
    [['resend'], 'the id of a delivery'],
    [['world', 'frok'], "Did you mean 'fork'?"],
    [['world', 'new', 'shop'], '--id'],
    [['world', 'delete'], 'the id of a world'],
    [['snapshot', 'save'], 'a name'],
    [['snapshot', 'svae', 'a'], "Did you mean 'save'?"],
    [['silences', 'set'], 'ID=VALUE'],
    [['silences', 'set', 'WH-04'], 'name=value'],
    [['silences', 'WH-04', 'WH-05'], 'silences set'],
    [['health', '--timeout', 'x'], '--timeout'],
    [['settle', '--url', 'localhost:4848'], 'http://'],
    [['settle', '--url', 'http://localhost:4848/v1'], 'http://localhost:4848: the path /v1 is no part of it'],
    [['health', '--url', 'http://localhost:4848/?x'], 'which is http://localhost:4848.'],
    [['settle', '--url', 'http://me:secret@localhost:4848'], 'which is http://localhost:4848.'],
    [['settle', '--control-token', 'tok✓'], '--control-token'],
    [['settle', '--wrold', 'x'], "Did you mean '--world'?"],
    [['tail', '--kind', 'cal'], "Did you mean 'call'?"],
    [['doctor', '--port', 'x'], '--port'],
    [['doctor', '--callback', 'localhost'], '--callback'],
  ])('%j is one clear line and exit code 2', async (args, hint) => {
    expect(await refusal(args, { SANDBOX_URL: 'http://127.0.0.1:9' })).toContain(hint)
  })
})

describe.concurrent('the environment', { timeout: PATIENCE_MS }, () => {
  test.each([
    [{ SANDBOX_PORT: 'abc' }, 'SANDBOX_PORT "abc" is no port'],
    [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT "70000" is no port'],
    [{ SANDBOX_HOST: 'a b' }, 'SANDBOX_HOST "a b" is no host'],
    [{ SANDBOX_CONTROL_TOKEN: 'tok✓' }, '--control-token'],
  ])('%j is one clear line and exit code 2', async (environment, hint) => {
    expect(await refusal(['settle'], environment as Record<string, string>)).toContain(hint)
  })

  test('is not told by Kubernetes where the server is', async () => {
    const { stdout } = await run(['health', '--json'], { SANDBOX_PORT: 'tcp://10.0.0.1:4848' }).ended
    expect(JSON.parse(stdout)).toMatchObject({ url: 'http://127.0.0.1:4848' })
  })

  const actions =
    'TO NEXT KIND TYPE STATUS SUBJECT ID LIMIT TIMEOUT QUIET FORMAT READABLE CALLBACK CLOCK SEED'
  test('does not say what a verb does', async () => {
    const { url } = await open()
    const named = Object.fromEntries(actions.split(' ').map((name) => [`SANDBOX_${name}`, 'x']))
    for (const verb of ['advance 5s', 'deliveries', 'settle', 'health', 'world new', 'doctor']) {
      const environment = { ...named, SANDBOX_URL: url, SANDBOX_PORT: '0' }
      const { code, stderr } = await run(verb.split(' '), environment).ended
      expect([verb, code, stderr]).toEqual([verb, 0, ''])
    }
  })
})

describe.concurrent('help', { timeout: PATIENCE_MS }, () => {
  const verbs =
    'start exec trigger advance settle tail deliveries resend world snapshot silences health doctor'
  test.each(verbs.split(' '))('of %s has its flags and an example', async (verb) => {
    const { code, stdout, stderr } = await run([verb, '--help']).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^Usage: gateway-sandbox ${verb} .*\nExample: gateway-sandbox ${verb}`))
    expect(stdout).toContain('--help')
  })

  test('says which flags are no variables', async () => {
    const { stdout } = await run(['advance', '--help']).ended
    expect(stdout).toContain('Only as an argument, never from the environment: --to, --next.\n')
    expect(stdout).toContain('variable, such as SANDBOX_URL, but for these.\n')
    expect((await run(['resend', '--help']).ended).stdout).not.toContain('never from the environment')
  })

  test('of health says what the health check of the image asks', async () => {
    expect((await run(['health', '--help']).ended).stdout).toContain('set SANDBOX_PORT there, and not --port')
  })

  test('names the version', async () => {
    expect(await run(['--version']).ended).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` })
  })
})
