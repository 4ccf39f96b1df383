// Checks `doctor`: what it finds out about this machine, a server, its webhooks, a receiver and keys.
import { createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { checkDeliveries } from '../../src/cli/doctorDeliveries.ts'
import { checkNode, checkServer } from '../../src/cli/doctorHost.ts'
import { checkCallback } from '../../src/cli/doctorCallback.ts'
import { connect } from '../../src/cli/connect.ts'
import { openReceiver, openServer } from '../support/server.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../src/cli/connect.ts'
import type { Finding } from '../../src/cli/finding.ts'
import type { ServerOptions } from '../../src/server.ts'
import type { TestServer } from '../support/server.ts'

const { run } = builtCommand()

const opened: { close(): Promise<unknown> }[] = []
afterAll(() => Promise.all(opened.map((each) => each.close())), PATIENCE_MS)

async function open(options: ServerOptions = {}): Promise<TestServer> {
  const server = await openServer(options)
  opened.push(server)
  return server
}

/** A port that somebody holds who is no sandbox. */
async function heldPort(): Promise<number> {
  const server = createServer((socket) => socket.resume().end('what?\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => new Promise((resolve) => server.close(resolve)) })
  return (server.address() as AddressInfo).port
}

/** A port that nobody holds. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What `doctor` finds, and how it ends. */
async function examine(
  args: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number | null; findings: Finding[]; stdout: string }> {
  const all = ['doctor', '--json', '--port', String(await freePort()), ...args]
  const { code, stdout, stderr } = await run(all, environment).ended
  expect(stderr).toBe('')
  return { code, findings: JSON.parse(stdout) as Finding[], stdout }
}

function of(findings: readonly Finding[], check: string): Finding[] {
  return findings.filter((finding) => finding.check === check)
}

/** A paid transaction whose webhook goes to an address. */
async function tell({ call, control }: TestServer, callbackUrl: string): Promise<void> {
  const { body } = await call('POST', '/v1/transactions', { method: 'Pix', amount: 100, callbackUrl })
  await control('POST', '/trigger', { on: body.data.id, do: 'confirm' })
  await control('POST', '/settle', {})
}

/** What is found of a server's webhooks, as if it ran elsewhere. */
async function webhooksOf(server: TestServer, place: Partial<Connection['info']> = {}): Promise<string> {
  const connection = await connect({ url: server.url })
  const findings = await checkDeliveries({ ...connection, info: { ...connection.info, ...place } })
  return findings.map(({ verdict, says }) => `${verdict}: ${says}`).join('\n')
}

describe.concurrent('doctor', { timeout: PATIENCE_MS }, () => {
  test('finds nothing wrong with a sandbox that is well', async () => {
    const server = await open()
    await server.call('GET', '/v1/transactions')
    const { code, findings } = await examine(['--url', server.url])
    expect(code, JSON.stringify(findings)).toBe(0)
    expect(findings.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      'node ok',
      'port ok',
      'server ok',
      'deliveries ok',
      'keys ok',
      'calls ok',
    ])
  })

  test('prints one line for each check', async () => {
    const { url } = await open()
    const { code, stdout } = await run(['doctor', '--url', url, '--port', String(await freePort())]).ended
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(6)
    expect(stdout).toMatch(/^ok +node +v\d+\.\d+\.\d+ is supported$/m)
    expect(stdout).toMatch(/^note +calls +nobody has called/m)
  })

  test('knows a port that a sandbox holds from one that somebody else does', async () => {
    const { url } = await open()
    const own = await examine(['--url', url, '--port', new URL(url).port])
    expect(of(own.findings, 'port')).toMatchObject([
      { verdict: 'ok', says: expect.stringContaining('sandbox') },
    ])
    const other = await examine(['--url', url, '--port', String(await heldPort())])
    expect(other.code).toBe(1)
    expect(of(other.findings, 'port')).toMatchObject([
      { verdict: 'problem', says: expect.stringContaining('--port') },
    ])
  })

  test('does not take it for a problem that no server was started, unless one was named', async () => {
    const port = String(await freePort())
    const { code, findings } = await examine([], { SANDBOX_PORT: port })
    expect([code, of(findings, 'server')]).toMatchObject([0, [{ verdict: 'note' }]])
    const named = await examine(['--url', `http://127.0.0.1:${port}`])
    expect([named.code, of(named.findings, 'server')]).toMatchObject([1, [{ verdict: 'problem' }]])
  })

  test('says what a missing token and a missing world need', async () => {
    const { url } = await open({ controlToken: 'let-me-in' })
    const { code, findings } = await examine(['--url', url])
    expect([code, of(findings, 'server')[0]?.says]).toEqual([1, expect.stringContaining('--control-token')])
    const other = await examine(['--url', url, '--control-token', 'let-me-in', '--world', 'none'])
    expect([other.code, of(other.findings, 'world')]).toMatchObject([1, [{ verdict: 'problem' }]])
  })

  test('tries a receiver without sending anything', async () => {
    const { url } = await open()
    const receiver = await openReceiver()
    opened.push(receiver)
    const { code, findings } = await examine(['--url', url, '--callback', receiver.url])
    expect([code, of(findings, 'callback')]).toMatchObject([
      0,
      [{ verdict: 'ok' }, { verdict: 'note', says: expect.stringContaining('host.docker.internal') }],
    ])
    expect(receiver.received).toEqual([])
    const callback = `http://127.0.0.1:${await freePort()}/hook`
    const refused = await examine(['--url', url, '--callback', callback])
    expect([refused.code, of(refused.findings, 'callback')]).toMatchObject([
      1,
      [{ verdict: 'problem', says: expect.stringContaining('nothing listens') }],
    ])
  })

  test('finds production keys in the environment and shows no more than their kind', async () => {
    const environment = {
      SHOP_KEY: 'pk_live_very-private',
      OTHER: 'sk_production_very-private',
      FINE: 'pk_sandbox_x',
    }
    const { code, findings, stdout } = await examine(['--url', (await open()).url], environment)
    expect([code, of(findings, 'keys').length]).toEqual([1, 2])
    expect(stdout).toContain('SHOP_KEY holds a production key (pk_live_...)')
    expect(stdout).not.toContain('very-private')
    expect(stdout).not.toContain('FINE')
  })

  test.each(['pk_live_very-private', 'pk_production_default'])(
    'finds calls that were made with a production key: %s',
    async (publicKey) => {
      const server = await open()
      const secretKey = publicKey.replace('pk_', 'sk_')
      await server.send('POST', '/v1/auth/token', { body: { publicKey, secretKey } })
      const { code, findings, stdout } = await examine(['--url', server.url])
      expect([code, of(findings, 'calls')]).toMatchObject([1, [{ verdict: 'problem' }]])
      expect(stdout).toContain('pk_sandbox_')
      expect(stdout).not.toMatch(/very-private|_default/)
    },
  )
})

describe('the explanation of webhooks that did not arrive', { timeout: PATIENCE_MS }, () => {
  test.each([
    [
      'nobody listens',
      'http://127.0.0.1:9/hook',
      /127\.0\.0\.1:9: connection refused: nothing listens there/,
    ],
    ['there is no such host', 'http://no-such.invalid/hook', /no such host: check the spelling/],
  ])('when %s', async (_name, url, says) => {
    const server = await open()
    await tell(server, url)
    expect(await webhooksOf(server)).toMatch(says)
  })

  test.each([
    [500, /answered 500: a receiver must answer 2xx/],
    [302, /answered 302: redirects are not followed/],
  ])('when the receiver answers %i', async (status, says) => {
    const server = await open()
    const receiver = await openReceiver(status)
    opened.push(receiver)
    await tell(server, receiver.url)
    expect(await webhooksOf(server)).toMatch(says)
  })

  test('when the receiver hangs up, or speaks no TLS', async () => {
    const server = await open()
    const receiver = await openReceiver((request) => request.socket.destroy())
    opened.push(receiver)
    await tell(server, receiver.url)
    await tell(server, receiver.url.replace('http:', 'https:'))
    const found = await webhooksOf(server)
    expect(found).toMatch(/closed the connection before it answered/)
    expect(found).toMatch(/TLS certificate or protocol/)
  })

  test('is one line for each receiver and cause', async () => {
    const server = await open()
    for (let count = 0; count < 3; count += 1) await tell(server, 'http://127.0.0.1:9/hook')
    expect(await webhooksOf(server)).toMatch(
      /^problem: 3 webhooks failed: [^\n]+ \(see 'deliveries [\w-]+'\)$/,
    )
  })

  test('names what a container needs for localhost', async () => {
    const server = await open()
    await tell(server, 'http://localhost:9/hook')
    const inContainer = await webhooksOf(server, { container: true })
    expect(inContainer).toContain('--rewrite-localhost host.docker.internal')
    expect(inContainer).toContain('0.0.0.0')
    const rewritten = await webhooksOf(server, { container: true, rewriteLocalhost: 'host.docker.internal' })
    expect(rewritten).toMatch(/was tried at host\.docker\.internal.*0\.0\.0\.0/)
  })

  test('names what docker needs when the host that localhost means is not known', async () => {
    const server = await open({ rewriteLocalhost: 'no-such.invalid' })
    await tell(server, 'http://localhost:9/hook')
    const place = { container: true, rewriteLocalhost: 'no-such.invalid' }
    expect(await webhooksOf(server, place)).toContain('--add-host no-such.invalid:host-gateway')
  })

  test('leaves out what an inbox was told to answer, and what arrived in the end', async () => {
    const server = await open()
    await server.control('PUT', '/inboxes/shop', { answers: [500] })
    await tell(server, `${server.url}/_sandbox/inbox/shop`)
    const receiver = await openReceiver(500, 204)
    opened.push(receiver)
    await tell(server, receiver.url)
    await server.control('POST', '/clock/advance', { by: '2s' })
    expect(await webhooksOf(server)).toBe('ok: none of the latest 2 failed')
  })
})

describe('the checks of doctor', () => {
  test.each([
    ['v20.19.0', 'ok'],
    ['v20.18.9', 'problem'],
    ['v18.20.0', 'problem'],
    ['v26.0.0', 'ok'],
  ])('find Node %s to be: %s', (version, verdict) => {
    expect(checkNode(version).verdict).toBe(verdict)
  })

  test('find a server that is no sandbox', async () => {
    const receiver = await openReceiver()
    opened.push(receiver)
    const { connection, findings } = await checkServer({ url: new URL(receiver.url).origin })
    expect([connection, findings]).toMatchObject([null, [{ verdict: 'problem' }]])
  })

  test('find that a container does not reach a receiver on this machine', async () => {
    const receiver = await openReceiver()
    opened.push(receiver)
    const connection = await connect({ url: (await open()).url })
    const info = { ...connection.info, container: true }
    const found = await checkCallback(receiver.url, { ...connection, info })
    expect(found).toMatchObject([{ verdict: 'ok' }, { verdict: 'problem' }])
    expect(found[1]?.says).toContain('--rewrite-localhost')
  })
})
