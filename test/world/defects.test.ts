// Owns the proof that a defect of ours is reported, and takes nothing else down with it.
import { expect, test } from 'vitest'
import { fireByHand } from '../../src/control/triggers.ts'
import { createWorlds } from '../../src/world/worlds.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { planWake, runDue } from '../../src/world/run.ts'
import { settle } from '../../src/world/settle.ts'
import { createTransaction } from '../../src/domain/transactions.ts'
import { isRefusal } from '../../src/domain/refusal.ts'
import { START } from '../support/sandbox.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { promised, untilEnd } from '../webhooks/byHand.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { Sender } from '../../src/webhooks/send.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'

/** A world whose sender is broken, with a delivery that is due. */
function broken(send: Sender['send']): { world: RunningWorld; reported: Promise<unknown> } {
  const { promise: reported, keep } = promised<unknown>()
  const host = {
    time: fakeHost(),
    sender: { send },
    publicUrl: 'http://sandbox.test',
    report: keep,
    secretStyle: 'byName' as const,
    container: false,
    rewriteLocalhost: null,
    callbackAllow: null,
    autoConfirm: null,
    variation: null,
    keeper: null,
  }
  const worlds = untilEnd(createWorlds(host, { seed: 'test', clock: parseClockStart(START) }))
  const world = worlds.default
  const [organization] = Object.values(world.state.organizations)
  const made = createTransaction(
    world,
    { organizationId: organization?.id ?? '', environment: 'Sandbox' },
    { method: 'Pix', amount: 100, currency: 'BRL', callbackUrl: 'http://shop.test/hook' },
  )
  if (!isRefusal(made)) fireByHand(world, made.id, 'confirm', {})
  return { world, reported }
}

const breaks: [string, Sender['send']][] = [
  ['rejects', () => Promise.reject(new Error('planted'))],
  [
    'throws',
    () => {
      throw new Error('planted')
    },
  ],
]

test.each(breaks)('a sender that %s is reported, and the attempt ends all the same', async (_how, send) => {
  const { world, reported } = broken(send)
  planWake(world)
  expect(String(await reported)).toContain('planted')
  const { settled } = await settle(world, 100 as Millis, 0 as Millis)
  expect(settled).toBe(true)
  const [delivery] = Object.values(world.state.deliveries)
  expect(delivery).toMatchObject({ status: 'scheduled', attempts: [{ number: 1, status: null }] })
})

test('a request that finds broken work due is answered all the same', async () => {
  const { world, reported } = broken(() => {
    throw new Error('planted')
  })
  expect(() => runDue(world)).not.toThrow()
  expect(String(await reported)).toContain('planted')
})
