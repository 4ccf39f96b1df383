// Checks where a webhook is sent when its address means something else from where the server runs.
import { afterEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { openReceiver } from '../support/server.ts'
import { attempted } from '../client/shop.ts'
import type { Sandbox, StartOptions } from '../../src/index.ts'
import type { Receiver } from '../support/server.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function open(options: StartOptions): Promise<{ sandbox: Sandbox; receiver: Receiver }> {
  const sandbox = await startSandbox(options)
  const receiver = await openReceiver()
  opened.push(sandbox, receiver)
  return { sandbox, receiver }
}

describe('with --rewrite-localhost', () => {
  test.each(['localhost', '127.0.0.2', '[::1]', 'shop.localhost'])(
    '%s is reached at the other host, and still reads its own name',
    async (name) => {
      const { sandbox, receiver } = await open({ rewriteLocalhost: '127.0.0.1' })
      const { port } = new URL(receiver.url)
      const callbackUrl = `http://${name}:${port}/hook?a=1`
      expect(await attempted(sandbox, callbackUrl)).toMatchObject({ url: callbackUrl, status: 204 })
      expect(receiver.received).toMatchObject([{ path: '/hook?a=1', headers: { host: `${name}:${port}` } }])
    },
  )

  test('other hosts are left alone', async () => {
    const { sandbox, receiver } = await open({ rewriteLocalhost: '127.0.0.1' })
    const { port } = new URL(receiver.url)
    const result = await attempted(sandbox, `http://localhost.invalid:${port}/hook`)
    expect(result).toMatchObject({ status: null, error: expect.stringContaining('no such host') })
    expect(receiver.received).toEqual([])
  })

  test('an inbox of the sandbox itself is never sent away', async () => {
    const { sandbox } = await open({ rewriteLocalhost: 'nowhere.invalid' })
    expect(await attempted(sandbox, sandbox.inbox('shop').url)).toMatchObject({ status: 204 })
  })
})

describe('behind an address that only others can reach', () => {
  test('an inbox takes its webhooks all the same', async () => {
    const { sandbox } = await open({ publicUrl: 'https://gateway.INVALID:443' })
    const shop = sandbox.inbox('shop')
    expect(shop.url).toMatch(/^https:\/\/gateway\.invalid\/_sandbox\//)
    expect(await attempted(sandbox, shop.url)).toMatchObject({ status: 204 })
    expect((await shop.next()).signature).toBe('valid')
  })

  test('the address can be told later, as one behind a mapped port must be', async () => {
    const { sandbox } = await open({})
    await sandbox.setUrl('http://gateway.invalid:4848/')
    expect((await sandbox.info()).url).toBe('http://gateway.invalid:4848')
    const world = await sandbox.world()
    expect(world.inbox('shop').url).toMatch(/^http:\/\/gateway\.invalid:4848\/_sandbox\/worlds\//)
    await expect(sandbox.setUrl('gateway')).rejects.toMatchObject({ code: 'sandbox_bad_request' })
    await expect(sandbox.setUrl('ftp://gateway')).rejects.toMatchObject({ code: 'sandbox_bad_request' })
  })

  test('a receiver whose address only begins like it is not taken for the sandbox', async () => {
    const { sandbox, receiver } = await open({ publicUrl: 'http://127.0.0.1' })
    expect(await attempted(sandbox, receiver.url)).toMatchObject({ status: 204 })
    expect(receiver.received).toHaveLength(1)
  })
})
