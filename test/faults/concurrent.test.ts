// Checks that two tests with opposite faults can run at the same time: each in a world of its own, on one server.
import { describe, expect } from 'vitest'
import { test } from '../../src/vitest.ts'
import { dataOf, merchant } from './support.ts'

/* oxlint-disable vitest/no-standalone-expect -- the rule only knows the `test` of vitest itself */

const servers = new Set<string>()

/** Resolves once both tests have come this far. */
const both = ((): (() => Promise<void>) => {
  let arrived = 0
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived === 2) open()
    return gate
  }
})()

describe('at the same time', () => {
  test.concurrent('one world refuses to create', async ({ world, sandbox, expect: ours }) => {
    const shop = await merchant(world)
    servers.add(sandbox.url)
    const made = String(dataOf(await shop.create())['id'])
    await world.faults.arm({ on: { operation: 'createTransaction' }, do: { status: 500 }, times: 5 })
    await both()
    const statuses: (number | null)[] = []
    for (let call = 0; call < 5; call += 1) {
      statuses.push((await shop.create()).status, (await shop.read(made)).status)
    }
    ours(statuses).toEqual([500, 200, 500, 200, 500, 200, 500, 200, 500, 200])
  })

  test.concurrent('the other refuses to read', async ({ world, sandbox, expect: ours }) => {
    const shop = await merchant(world)
    servers.add(sandbox.url)
    const made = String(dataOf(await shop.create())['id'])
    await world.faults.arm({ on: { operation: 'getTransaction' }, do: { status: 500 }, times: 5 })
    await both()
    const statuses: (number | null)[] = []
    for (let call = 0; call < 5; call += 1) {
      statuses.push((await shop.create()).status, (await shop.read(made)).status)
    }
    ours(statuses).toEqual([201, 500, 201, 500, 201, 500, 201, 500, 201, 500])
  })
})

test('both were on one server', ({ sandbox }) => {
  expect([...servers]).toEqual([sandbox.url])
})
