// Checks `gateway-sandbox/vitest`: a world for each test, also for tests that run at the same time.
/* oxlint-disable vitest/no-standalone-expect -- the rule only knows the `test` of vitest itself */
import { describe, expect } from 'vitest'
import { test } from '../../src/vitest.ts'
import { sell } from './shop.ts'

// As where a shell exports it empty: unset.
process.env['SANDBOX_URL'] = ''

const worlds: { id: string; publicKey: string; server: string; made: string[] }[] = []
const ARRIVALS = 3

/** Resolves once as many tests as run here have come this far: it proves that they run at the same time. */
const everybody = ((): (() => Promise<void>) => {
  let arrived = 0
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived === ARRIVALS) open()
    return gate
  }
})()

describe('tests that run concurrently', () => {
  for (const amount of [1_000, 2_000, 3_000]) {
    test.concurrent(`the one that sells for ${amount} sees nothing of the others`, async ({
      sandbox,
      world,
      expect: ours,
    }) => {
      await sell(world, null, { amount })
      await everybody()
      const made = await world.transactions.list()
      ours(made.map((each) => each.amount)).toEqual([amount])
      await world.clock.advance(`${amount}s`)
      ours((await world.clock.read()).mode).toBe('frozen')
      worlds.push({
        id: world.id,
        publicKey: world.publicKey,
        server: sandbox.url,
        made: made.map(({ id }) => id),
      })
    })
  }
})

describe('afterwards', () => {
  test('each had a world with keys of its own, on one server', ({ sandbox }) => {
    expect(new Set(worlds.map(({ id }) => id)).size).toBe(ARRIVALS)
    expect(new Set(worlds.map(({ publicKey }) => publicKey)).size).toBe(ARRIVALS)
    expect(new Set(worlds.flatMap(({ made }) => made)).size).toBe(ARRIVALS)
    expect(worlds.map(({ server }) => server)).toEqual(Array(ARRIVALS).fill(sandbox.url))
  })

  test('their worlds are gone', async ({ sandbox, world }) => {
    const left = (await sandbox.worlds()).map(({ id }) => id)
    expect(left.toSorted()).toEqual(['default', world.id].toSorted())
  })
})

test('a test may end its own world', async ({ sandbox, world }) => {
  await world.delete()
  expect((await sandbox.worlds()).map(({ id }) => id)).not.toContain(world.id)
})

const early = test.extend({ worldOptions: { clock: '2030-01-01T12:00:00Z', seed: 'fixture' } })

early('worldOptions say how the world begins', async ({ world }) => {
  expect(await world.clock.now()).toEqual(new Date('2030-01-01T12:00:00Z'))
  await sell(world)
})
