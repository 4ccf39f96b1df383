// Owns `gateway-sandbox/vitest`: a `test` with a fresh world for each test, on one server for each worker.
import { test as base } from 'vitest'
import { connectSandbox, startSandbox } from './sandbox.ts'
import type { TestAPI } from 'vitest'
import type { SandboxWorld } from './client/world.ts'
import type { Sandbox, WorldOptions } from './sandbox.ts'

/** What `test` hands to each test. */
export interface SandboxFixtures {
  /** The server of this worker; the one that SANDBOX_URL names, where it is set and not empty. */
  sandbox: Sandbox
  /** What `world` is made from. Set it with `test.extend({ worldOptions: { clock: '2030-01-01T12:00:00Z' } })`. */
  worldOptions: WorldOptions
  /** A world of this test only, with keys of its own and a frozen clock; it ends with the test, which may also end it itself. */
  world: SandboxWorld
}

/**
 * `test` of vitest with a `world`. Tests may run concurrently: no two share a world.
 * A world made here is frozen unless `worldOptions` say otherwise, also on a server whose worlds flow.
 */
export const test: TestAPI<SandboxFixtures> = base.extend<SandboxFixtures>({
  sandbox: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of the fixtures that are needed from it
    async ({}, use) => {
      const sandbox = await (process.env['SANDBOX_URL'] ? connectSandbox() : startSandbox())
      await use(sandbox)
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
  worldOptions: {},
  world: async ({ sandbox, worldOptions }, use) => {
    const world = await sandbox.world({ clock: 'frozen', ...worldOptions })
    await use(world)
    await world[Symbol.asyncDispose]()
  },
})
