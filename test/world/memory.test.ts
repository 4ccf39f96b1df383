// Tests that everything a world keeps besides its records is bounded: what is over or too old is gone.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { TOKEN_LIFETIME_SECONDS } from '../../src/contract/limits.ts'
import { revokeToken, isRevoked } from '../../src/domain/revokedTokens.ts'
import { SECOND } from '../../src/kernel/time.ts'
import { soon } from '../../src/kernel/timers.ts'
import { MAX_EXCHANGES } from '../../src/world/exchanges.ts'
import { MAX_INBOX_UNITS } from '../../src/world/inboxes.ts'
import { openSandbox } from '../support/sandbox.ts'
import type { TestSandbox } from '../support/sandbox.ts'

async function advance(sandbox: TestSandbox, by: string): Promise<void> {
  const { status, body } = await sandbox.control('POST', '/clock/advance', { by })
  expect(status, JSON.stringify(body)).toBe(200)
}

describe('what a world keeps', () => {
  test('of revoked tokens is none that would have ended by now', async () => {
    const sandbox = openSandbox()
    revokeToken(sandbox.world, 'early')
    await advance(sandbox, '30m')
    revokeToken(sandbox.world, 'middle')
    await advance(sandbox, `${(TOKEN_LIFETIME_SECONDS * SECOND) / 60_000 - 29}m`)
    revokeToken(sandbox.world, 'late')
    expect(Object.keys(sandbox.world.state.revokedTokens)).toEqual(['middle', 'late'])
    expect(isRevoked(sandbox.world, 'middle')).toBe(true)
  })

  test('of counted calls is what counts now, however many were made', async () => {
    const sandbox = openSandbox({ silences: { 'LM-01': 3 } })
    for (let minute = 0; minute < 4; minute += 1) {
      for (let call = 0; call < 5; call += 1) await sandbox.call('GET', '/v1/balance')
      const { rateWindows } = sandbox.world.state
      expect(Object.entries(rateWindows).filter(([key]) => key.startsWith('call|'))).toHaveLength(1)
      expect(rateWindows['call|pk_sandbox_default']).toHaveLength(3)
      await advance(sandbox, '61s')
    }
  })

  test('of QR pictures is a thousand', async () => {
    const sandbox = openSandbox()
    const { pictures } = sandbox.world
    const { body } = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 500 })
    const [record] = sandbox.world.indexes.transactions.records
    if (!record) throw new Error(`nothing was made: ${JSON.stringify(body)}`)
    for (let count = 0; count < 1_005; count += 1) pictures.set({ ...record }, 'data:')
    expect(pictures.size).toBe(1_000)
    await sandbox.control('POST', '/reset')
    expect(sandbox.world.pictures.size).toBe(0)
  })

  test('of an inbox is no more than its bodies may have, but always the latest', async () => {
    const sandbox = openSandbox()
    const size = 1_000_000
    for (let count = 0; count < 20; count += 1) {
      await sandbox.send('POST', '/_sandbox/inbox/shop', { body: JSON.stringify({ n: 'x'.repeat(size) }) })
    }
    const { messages = [], units = 0, received } = sandbox.world.inboxes.get('shop') ?? {}
    expect(units).toBe(messages.reduce((sum, { body }) => sum + body.length, 0))
    expect(units).toBeLessThanOrEqual(MAX_INBOX_UNITS)
    expect([messages.length, received, messages.at(-1)?.n]).toEqual([16, 20, 20])
  })

  test('of exchanges and of what it is told is bounded, whatever is called', () => {
    const { world } = openSandbox()
    const moment = world.history.moment(world)
    for (let count = 0; count < 25_000; count += 1) world.tell('clock', {}, moment)
    expect(world.history.read(world).items.length).toBeLessThan(20_000)
    expect(world.exchanges.list().length).toBeLessThanOrEqual(MAX_EXCHANGES)
  })

  test('of a world that has ended is nothing, although its tokens were used and a restore took a key from it', async () => {
    const sandbox = openSandbox()
    await makeAndEnd(sandbox, 'kept')
    const ended = await makeAndEnd(sandbox, 'short')
    // What was called last may still hold its world.
    await sandbox.call('GET', '/v1/balance')
    expect(await isCollected(ended)).toBe(true)
  })
})

/** Makes a world, uses all that names it, and ends it. */
async function makeAndEnd(
  { worlds, control, send, token }: TestSandbox,
  id: string,
): Promise<WeakRef<object>> {
  await control('POST', '/worlds', { id })
  const bearer = await token(`pk_sandbox_${id}`)
  await send('GET', '/v1/balance', { token: bearer })
  await control('PUT', `/worlds/${id}/snapshots/before`)
  await control('POST', `/worlds/${id}/credentials`, {})
  await control('POST', `/worlds/${id}/snapshots/before/restore`)
  const world = new WeakRef<object>(worlds.get(id) ?? {})
  await control('DELETE', `/worlds/${id}`)
  return world
}

/** Whether something goes with the garbage. What a turn of the loop has looked at stays until its end. */
async function isCollected(held: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise<void>((resolve) => void soon(resolve))
    collect()
  }
  return held.deref() === undefined
}
