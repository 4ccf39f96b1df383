// Checks worlds on a host whose calendar jumps back and forth, also between two lives, and that the check tells a clock that goes back.
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { inFolder, openKept } from '../../data/kept.ts'
import { anySteps } from './anySteps.ts'
import { checkJumps } from './hostJumps.ts'
import { hostOf2026 } from './manyJumps.ts'
import type { Instant, Millis } from '../../../src/kernel/brands.ts'
import type { FakeHost } from '../../support/fakeHost.ts'
import type { Step } from './hostJumps.ts'

// Each kill starts a server.
vi.setConfig({ testTimeout: 60_000 })

/** Changed when other steps are wanted; `npm run prove:hostile` draws from any seed. */
const SEED = 20_261_121

const [HOUR, DAY, YEAR] = [3_600_000, 86_400_000, 31_536_000_000]

const found = (time: FakeHost, steps: readonly Step[]): Promise<string[]> =>
  inFolder(async (folder) => (await checkJumps(time, folder, steps)).findings)

test('time never goes back and work runs once and in order, however the calendar of the host jumps', () =>
  fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      expect(await found(hostOf2026(), steps)).toEqual([])
    }),
    { numRuns: 15, seed: SEED },
  ))

describe('a calendar that goes back between two lives', () => {
  test.each([1, 1_000, DAY, 50 * YEAR])('by %d ms sets no world back behind what it recorded', async (by) => {
    const steps: Step[] = [
      { do: 'sell', minutes: 30 },
      { do: 'pass', by: HOUR },
      { do: 'sell', minutes: 30 },
      { do: 'kill', by: -by },
      { do: 'sell', minutes: 30 },
      { do: 'pass', by: HOUR },
    ]
    expect(await found(hostOf2026(), steps)).toEqual([])
  })
})

describe('a year that passes at once', () => {
  const year: Step[] = [
    { do: 'sell', minutes: 60 },
    { do: 'sell', minutes: 10 },
    { do: 'sell', minutes: 1_440 },
    { do: 'sell', minutes: 10 },
  ]

  test.each<[string, Step]>([
    ['while the server runs', { do: 'pass', by: YEAR }],
    ['while no server runs', { do: 'kill', by: YEAR }],
  ])('%s has everything expire once, in the order in which it was due', async (_when, leap) => {
    await inFolder(async (folder) => {
      const report = await checkJumps(hostOf2026(), folder, [...year, leap])
      expect(report).toEqual({ steps: 5, expired: 4, findings: [] })
    })
  })

  test('ends a token, whose life is on the clock of the world, while a jump of the calendar does not', () =>
    inFolder(async (folder) => {
      const time = hostOf2026()
      const sandbox = await openKept(join(folder, 'sandbox.json'), {
        time,
        clock: 'flowing@2030-01-01T12:00:00Z',
      })
      const token = await sandbox.token()
      const statusNow = async (): Promise<number> =>
        (await sandbox.send('GET', '/v1/balance', { token })).status
      time.wallAt += YEAR
      expect(await statusNow()).toBe(200)
      time.wallAt -= 2 * YEAR
      expect(await statusNow()).toBe(200)
      time.stopwatchAt += YEAR
      expect(await statusNow()).toBe(401)
      await sandbox.end()
    }))
})

describe('the check tells of a host', () => {
  const steps: Step[] = [
    { do: 'sell', minutes: 30 },
    { do: 'pass', by: 10 * 60_000 },
    { do: 'jump', by: -5 * 60_000 },
  ]

  test('whose stopwatch follows the calendar: time goes back with it', async () => {
    const planted: FakeHost = {
      ...hostOf2026(),
      wall() {
        return this.wallAt as Instant
      },
      stopwatch() {
        return this.wallAt as Millis
      },
    }
    expect(await found(planted, steps)).toEqual([
      'step 3, {"do":"jump","by":-300000}: its time went back from 2030-01-01T12:10:00.000Z to 2030-01-01T12:05:00.000Z',
    ])
    expect(await found(hostOf2026(), steps)).toEqual([])
  })

  test('whose stopwatch leaps: time jumps with it', async () => {
    const planted = hostOf2026()
    Object.defineProperty(planted, 'stopwatch', {
      value(this: FakeHost) {
        return (this.wallAt > Date.parse('2026-11-22') ? this.stopwatchAt + DAY : this.stopwatchAt) as Millis
      },
    })
    expect(await found(planted, [{ do: 'jump', by: DAY }])).toEqual([
      expect.stringMatching(
        /^step 1, .* its time jumped from 2030-01-01T12:00:00\.000Z to 2030-01-02T12:00:00\.000Z$/,
      ),
    ])
  })
})
