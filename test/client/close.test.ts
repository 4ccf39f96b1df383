// Checks that a sandbox of this process starts ready, says what is wrong, and ends without a trace.
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { connectSandbox, startSandbox } from '../../src/index.ts'
import { soon } from '../../src/kernel/timers.ts'
import { openReceiver, openServer } from '../support/server.ts'
import { sell } from './shop.ts'
import type { AddressInfo, Server } from 'node:net'

/** Handles of this process by kind, once what is ending has ended. */
async function handles(): Promise<string[]> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => void soon(resolve))
  return process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout|HTTP|DNS/.test(kind))
}

/** Something on a port that is no sandbox. */
async function occupied(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, server }
}

describe('startSandbox', () => {
  test('listens when it resolves, on the port that its url names', async () => {
    await using sandbox = await startSandbox()
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    const response = await fetch(`${sandbox.url}/health`)
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  })

  test('takes a port, a token and an address that links name', async () => {
    const { port, server } = await occupied()
    await new Promise((resolve) => void server.close(resolve))
    await using sandbox = await startSandbox({
      port,
      controlToken: 'let-me-in',
      publicUrl: 'http://gateway.test',
    })
    expect(sandbox.url).toBe(`http://127.0.0.1:${port}`)
    expect((await sandbox.info()).url).toBe('http://gateway.test')
    await expect(connectSandbox(sandbox.url)).rejects.toMatchObject({ code: 'sandbox_unauthorized' })
    const connected = await connectSandbox(sandbox.url, { controlToken: 'let-me-in' })
    expect(connected.publicKey).toBe(sandbox.publicKey)
  })

  test('rejects with the code of the system when the port is taken', async () => {
    const { port, server } = await occupied()
    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await new Promise((resolve) => void server.close(resolve))
  })

  test.each<[string, object]>([
    ['a Date that is none', { clock: new Date(Number.NaN) }],
    ['a port that is none', { port: 99_999 }],
    ['a port that is a text', { port: 'x' }],
    ['a public address that is none', { publicUrl: 'nonsense' }],
    ['a public address with a query', { publicUrl: 'http://x.test/?a=1' }],
    ['a public address with a password', { publicUrl: 'http://u:p@x.test' }],
    ['a host with a port', { rewriteLocalhost: 'h:3000' }],
    ['a host that is none', { rewriteLocalhost: 'bad host' }],
    ['an empty seed', { seed: '' }],
    ['a token that no header can carry', { controlToken: 'a b' }],
    ['an option that it does not have', { prot: 3 }],
    ['a clock that is none', { clock: 'yesterday' }],
    ['an unknown silence', { silences: { 'XX-99': 1 } }],
    ['a choice that cannot be', { silences: { 'TX-03': 'never' } }],
  ])('refuses %s', async (_, options) => {
    await expect(startSandbox(options)).rejects.toMatchObject({
      name: 'SandboxError',
      code: expect.stringMatching(/^bad_option$/),
    })
  })

  test('leaves no handle, timer or socket, also with work in flight, and closes twice', async () => {
    const before = await handles()
    const sandbox = await startSandbox()
    const receiver = await openReceiver(() => undefined)
    const world = await sandbox.world({ clock: 'flowing' })
    const id = await sell(world, receiver.url)
    await sell(await sandbox.world())
    await world.trigger(id, 'confirm')
    const waiting = Promise.allSettled([
      world.inbox('never').next(undefined, { within: '60s' }),
      world.exchanges.next({ path: '/never', wait: '60s' }),
      (async () => {
        for await (const { kind } of world.events()) expect(kind).toBeTruthy()
      })(),
    ])
    await receiver.close()
    await sandbox.close()
    await sandbox.close()
    await waiting
    const left = [...before]
    const more = (await handles()).filter(
      (kind) => !left.splice(left.indexOf(kind), left.includes(kind) ? 1 : 0).length,
    )
    expect(more).toEqual([])
  })
})

describe('connectSandbox', () => {
  test('reads the address from SANDBOX_URL', async () => {
    const server = await openServer()
    process.env['SANDBOX_URL'] = `${server.url}/`
    const sandbox = await connectSandbox()
    delete process.env['SANDBOX_URL']
    expect(sandbox.url).toBe(server.url)
    await sandbox.close()
    expect((await sandbox.info()).worlds).toBe(1)
    await server.close()
  })

  test('means the world that it is told', async () => {
    await using started = await startSandbox()
    const made = await started.world({ id: 'mine' })
    const connected = await connectSandbox(started.url, { world: 'mine' })
    expect(connected.publicKey).toBe(made.publicKey)
    await expect(connectSandbox(started.url, { world: 'mime' })).rejects.toMatchObject({
      code: 'sandbox_not_found',
      message: expect.stringContaining("Did you mean 'mine'"),
    })
  })

  test('says when nothing answers, and when something else does', async () => {
    const { port, server } = await occupied()
    await new Promise((resolve) => void server.close(resolve))
    await expect(connectSandbox(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    const other = await openReceiver(404)
    await expect(connectSandbox(new URL(other.url).origin)).rejects.toMatchObject({ code: 'not_a_sandbox' })
    await other.close()
  })

  test('takes no error of a stranger for its own', async () => {
    const stranger = await openReceiver((_, response) =>
      response.writeHead(400).end('{"error":{"code":"x","message":"y"}}'),
    )
    await expect(connectSandbox(new URL(stranger.url).origin)).rejects.toMatchObject({
      code: 'not_a_sandbox',
    })
    await stranger.close()
  })

  test.each([
    [undefined],
    [''],
    ['localhost:4848'],
    ['ftp://localhost'],
    ['http://'],
    ['http://localhost:4848/v1'],
    ['http://localhost:4848/?x=1'],
  ])('refuses the address %s', async (url) => {
    await expect(connectSandbox(url)).rejects.toMatchObject({ code: 'bad_option' })
  })
})
