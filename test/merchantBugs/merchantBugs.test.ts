// Shows three bugs of merchants: each passes without the matching fault and fails with it, and the right code holds.
import { describe, expect } from 'vitest'
import { test } from '../../src/vitest.ts'
import { openMarketplace, openShop, openTicketing } from './merchants.ts'
import type { SandboxWorld } from '../../src/index.ts'

/* oxlint-disable vitest/no-standalone-expect -- the rule only knows the `test` of vitest itself */

const BUGGY_AND_RIGHT = [
  ['the buggy merchant', false],
  ['the careful merchant', true],
] as const

describe('a handler that stores nothing when the webhook comes before the response', () => {
  /** A card that is approved at once: its webhook is caused by the call that makes it. */
  const sellByCard = async (world: SandboxWorld, remembers: boolean): Promise<boolean> => {
    await world.silences.choose({ 'TX-25': { confirmAfterSeconds: 0 } })
    const shop = await openShop(world, { remembers })
    const order = await shop.sell(5_000)
    await world.settle()
    return shop.isPaid(order)
  }

  for (const [who, remembers] of BUGGY_AND_RIGHT) {
    test(`${who} passes while the webhook comes after the response`, async ({ world }) => {
      expect(await sellByCard(world, remembers)).toBe(true)
    })

    test(`${who} ${remembers ? 'holds' : 'fails'} when it comes before`, async ({ world }) => {
      await world.faults.arm({ on: { delivery: {} }, do: { send: 'beforeResponse' } })
      expect(await sellByCard(world, remembers)).toBe(remembers)
      expect((await world.settle()).unusedFaults).toEqual([])
    })
  }
})

describe('a handler that pays out twice on a duplicate', () => {
  const payOut = async (world: SandboxWorld, once: boolean): Promise<number> => {
    const marketplace = await openMarketplace(world, { once })
    await world.trigger(await marketplace.sell(5_000), 'confirm')
    await world.settle()
    return marketplace.paidOut()
  }

  for (const [who, once] of BUGGY_AND_RIGHT) {
    test(`${who} passes while each webhook comes once`, async ({ world }) => {
      expect(await payOut(world, once)).toBe(5_000)
    })

    test(`${who} ${once ? 'holds' : 'fails'} when one comes twice`, async ({ world }) => {
      await world.faults.arm({ on: { delivery: {} }, do: { duplicates: 1 } })
      expect(await payOut(world, once)).toBe(once ? 5_000 : 10_000)
    })
  }
})

describe('a handler that trusts an unsigned body', () => {
  const credit = async (world: SandboxWorld, verifies: boolean): Promise<number> => {
    const ticketing = await openTicketing(world, { verifies })
    await world.trigger(await ticketing.sell(5_000), 'confirm')
    await world.clock.advance('6s')
    return ticketing.credited()
  }

  for (const [who, verifies] of BUGGY_AND_RIGHT) {
    test(`${who} passes while every webhook is signed`, async ({ world }) => {
      expect(await credit(world, verifies)).toBe(5_000)
    })

    test(`${who} ${verifies ? 'holds' : 'fails'} when one is altered after it was signed`, async ({
      world,
    }) => {
      await world.faults.arm({ on: { delivery: {} }, do: { body: 'altered' } })
      expect(await credit(world, verifies)).toBe(verifies ? 5_000 : 5_001)
    })
  }
})
