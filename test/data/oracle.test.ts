// Owns the proof that the disk says what the worlds are: after each step of any program, what is rebuilt from the file and
// its journals is what is in memory, to the byte.
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bothSides, inFolder, openKept } from './kept.ts'
import { createPlayer, programs } from './programs.ts'
import type { Step } from './programs.ts'

async function check(steps: readonly Step[], rewriteAbove: number): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, 'sandbox.json')
    const sandbox = await openKept(path, { rewriteAbove })
    try {
      const play = createPlayer(sandbox)
      for (const step of steps) {
        await play(step)
        const { memory, disk } = await bothSides(path, sandbox)
        if (memory !== disk) expect(JSON.parse(disk), JSON.stringify(step)).toEqual(JSON.parse(memory))
        expect(disk === memory, `${JSON.stringify(step)} is on disk in another order`).toBe(true)
      }
    } finally {
      await sandbox.end()
    }
  })
}

test('after each step of any program the disk says what the worlds are', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(programs, fc.constantFrom(1_000, 100_000_000), check),
    { numRuns: 100 },
  )
})
