// Checks `gateway-sandbox/testcontainers` with real containers: keys, settings, isolation, and callbacks to this machine.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSandbox, verifySignature } from '../../src/index.ts'
import { GatewaySandboxContainer } from '../../src/testcontainers.ts'
import { sell } from '../client/shop.ts'
import { hasEngine } from '../support/tools.ts'
import { BUILD_MS, buildImage, docker, PATIENCE_MS } from './engine.ts'
import type { AddressInfo } from 'node:net'
import type { StartedGatewaySandboxContainer } from '../../src/testcontainers.ts'

const START = '2030-01-01T12:00:00.000Z'

describe.runIf(hasEngine('gateway-sandbox/testcontainers'))('the Testcontainers module', () => {
  let image = ''
  let one: StartedGatewaySandboxContainer
  let two: StartedGatewaySandboxContainer

  beforeAll(async () => {
    process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true'
    await buildImage()
    image = 'gateway-sandbox:test'
    const container = (): GatewaySandboxContainer =>
      new GatewaySandboxContainer(image).withSeed('module').withClock(START).withSilences({ 'TX-03': 15 })
    ;[one, two] = await Promise.all([container().start(), container().withControlToken('let-me-in').start()])
  }, BUILD_MS)
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()])
  }, PATIENCE_MS)

  test('gives url, keys and a connected client', async () => {
    expect(one.getUrl()).toMatch(/^http:\/\/[^:]+:\d+$/)
    expect([one.getPublicKey(), one.getSecretKey()]).toEqual(['pk_sandbox_default', 'sk_sandbox_default'])
    expect(await one.sandbox.info()).toMatchObject({ url: one.getUrl(), container: true, seed: 'module' })
    expect((await one.sandbox.clock.now()).toISOString()).toBe(START)
    const chosen = (await one.sandbox.silences.list()).find(({ id }) => id === 'TX-03')
    expect(chosen?.choice).toBe(15)
  })

  test('two at the same time see nothing of each other', async () => {
    expect(two.getUrl()).not.toBe(one.getUrl())
    await sell(one.sandbox)
    expect(await two.sandbox.transactions.list()).toEqual([])
    await using world = await two.sandbox.world()
    expect(world.secretKey).not.toContain(world.id)
  })

  test('an inbox inside takes webhooks, though its address names the mapped port', async () => {
    await using world = await one.sandbox.world()
    const shop = world.inbox('shop')
    expect(shop.url).toMatch(new RegExp(`^${one.getUrl()}/`))
    const id = await sell(world, shop.url)
    await world.trigger(id, 'confirm')
    expect((await shop.next('payment.completed')).signature).toBe('valid')
  })

  test('a callback to localhost reaches a receiver of this process', async () => {
    const received: { body: string; signature: boolean; host: string }[] = []
    const receiver = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        const { data } = JSON.parse(body) as { data: { id: string } }
        const signature = verifySignature(body, request.headers, data.id)
        received.push({ body, signature, host: request.headers.host ?? '' })
        response.writeHead(204).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '0.0.0.0', resolve))
    const { port } = receiver.address() as AddressInfo
    const id = await sell(one.sandbox, `http://localhost:${port}/hook`)
    await one.sandbox.trigger(id, 'confirm')
    await one.sandbox.settle({ timeoutMs: PATIENCE_MS })
    await new Promise((resolve) => receiver.close(resolve))
    const [delivery] = await one.sandbox.deliveries.list({ subject: id })
    expect(delivery, JSON.stringify(delivery)).toMatchObject({ status: 'delivered' })
    expect(received).toMatchObject([{ signature: true, host: `localhost:${port}` }])
  })

  test('knows a token that came as a variable', async () => {
    const container = new GatewaySandboxContainer(image).withEnvironment({
      SANDBOX_CONTROL_TOKEN: 'variable',
    })
    await using guarded = await container.start()
    expect(await guarded.sandbox.info()).toMatchObject({ url: guarded.getUrl() })
    await expect(connectSandbox(guarded.getUrl())).rejects.toMatchObject({ code: 'sandbox_unauthorized' })
  })

  test('sets up its world as scenario files of this machine say, also after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-module-'))
    const [shop, other] = [join(folder, 'sale.yaml'), join(folder, 'other', 'sale.yaml')]
    await mkdir(join(folder, 'other'))
    const ana = '{ customers: [{ as: ana, name: Ana Souza, email: ana@example.com }] }'
    await writeFile(shop, `name: a shop\nclock: ${START}\ngiven: ${ana}\n`, { mode: 0o600 })
    const rule = '{ when: { call: createTransaction, amount: 6661 }, do: { trigger: fail } }'
    await writeFile(other, `name: fails\nrules: [${rule}]\n`)
    await using container = await new GatewaySandboxContainer(image).withScenario(shop, other).start()
    for (let start = 0; start < 2; start += 1) {
      expect(await container.sandbox.customers.list()).toMatchObject([{ name: 'Ana Souza' }])
      expect(await container.sandbox.rules.list()).toHaveLength(1)
      expect((await container.sandbox.clock.now()).toISOString()).toBe(START)
      if (start === 0) await container.restart()
    }

    await using still = await new GatewaySandboxContainer(image).withScenario(other).start()
    expect((await still.sandbox.clock.read()).mode).toBe('frozen')
    await writeFile(other, 'name: x\nrule: []\n')
    const broken = new GatewaySandboxContainer(image).withScenario(other, join(folder, 'nowhere.yaml'))
    await expect(broken.start()).rejects.toThrow(
      /sale\.yaml:2:1: 'rule' is no field.*\n.*nowhere\.yaml:1:1: cannot be read: ENOENT/,
    )
    await rm(folder, { recursive: true, force: true })
  })

  test('is connected anew after a restart', async () => {
    await using again = await new GatewaySandboxContainer(image).withClock(START).start()
    await sell(again.sandbox)
    await again.restart()
    const port = again.getMappedPort(4848)
    expect(again.getUrl()).toMatch(new RegExp(`:${port}$`))
    expect(await again.sandbox.transactions.list()).toEqual([])
    const shop = again.sandbox.inbox('shop')
    expect(shop.url).toMatch(new RegExp(`^${again.getUrl()}/`))
    await again.sandbox.trigger(await sell(again.sandbox, shop.url), 'confirm')
    expect((await shop.next('payment.completed')).signature).toBe('valid')
  })

  test.each([
    ['a choice', (it: GatewaySandboxContainer) => it.withSilences({ 'XX-1': 1 }), /No silence 'XX-1'.*$/],
    ['a clock', (it: GatewaySandboxContainer) => it.withClock('yesterday'), /'yesterday' is no clock.*$/],
  ])('says at once what the server refuses, and leaves nothing: %s', async (what, refuse, why) => {
    const mark = `${what} of ${process.pid}`
    const container = refuse(new GatewaySandboxContainer(image).withLabels({ refused: mark }))
    const said = new RegExp(
      `^gateway-sandbox:test ended before it was ready: gateway-sandbox: .*${why.source}`,
    )
    await expect(container.start()).rejects.toThrow(said)
    expect(await docker('ps', '--all', '--quiet', '--filter', `label=refused=${mark}`)).toBe('')
  })
})
