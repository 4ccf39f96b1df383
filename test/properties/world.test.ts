// Owns the proof that money, history, jobs, deliveries and look-ups of a whole world fit together after any calls.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calls } from './calls.ts'
import { openPlayer } from './player.ts'

test('after any calls, right or wrong, a world adds up to the cent', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const { sandbox, play } = openPlayer()
      try {
        for (const call of all) await play(call)
        await play({ do: 'advance', minutes: 400 * 1_440 })
        const { transactions, disputes } = sandbox.world.state
        expect(Object.values(transactions).filter(({ status }) => status === 'Pending')).toEqual([])
        expect(Object.values(disputes).filter(({ status }) => status === 'Open')).toEqual([])
        expect(sandbox.world.scheduler.size).toBe(0)
      } finally {
        sandbox.close()
      }
    }),
    { numRuns: 50 },
  )
})
