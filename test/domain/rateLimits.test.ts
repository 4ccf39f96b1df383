// Checks rate limits below the doors: what counts, when a window is over, how long to wait, and what is told to the disk.
import { describe, expect, test } from 'vitest'
import { countCall, countRefusedToken, countToken } from '../../src/domain/rateLimits.ts'
import { isRevoked, revokeToken } from '../../src/domain/revokedTokens.ts'
import { instant } from '../../src/kernel/time.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Credential } from '../../src/domain/records.ts'
import type { World } from '../../src/domain/world.ts'

const KEY = { publicKey: 'pk_a' } as Credential
const OTHER = { publicKey: 'pk_b' } as Credential
const START = 1_893_499_200_000
const HOUR = 3_600_000

/** A world that writes down what is told of its changes. */
function watched(choices: Record<string, unknown>): World & { told: string[] } {
  const told: string[] = []
  const write = (...what: unknown[]): void => void told.push(what.join(' '))
  return { ...emptyWorld(choices), told, changes: { record: write, window: write } }
}

/** Seconds to wait as a refusal says; null when nothing is refused. */
const wait = (refusal: ReturnType<typeof countToken>): string | null =>
  refusal?.headers?.['Retry-After'] ?? null

function pass(world: World, millis: number): void {
  world.clock.moveTo(instant(world.clock.now() + millis))
}

const tokens = (counting: string, limit: number | 'off' = 2): Record<string, unknown> => {
  return { 'AU-02': 'auth_rate_limit_exceeded', 'AU-04': counting, 'AU-13': limit }
}

describe('tokens of an hour', () => {
  test('are all counted when a limit that was lowered is raised again', () => {
    const world = watched(tokens('issuedSlidingHour', 5))
    const lowered: World = { ...world, choices: emptyWorld(tokens('issuedSlidingHour', 2)).choices }
    for (let issued = 0; issued < 4; issued += 1) expect(countToken(world, KEY)).toBeNull()
    expect(wait(countToken(lowered, KEY))).toBe('3600')
    expect(countToken(world, KEY)).toBeNull()
    expect(wait(countToken(world, KEY))).toBe('3600')
  })

  test('that slides make room one by one, and what was refused does not count', () => {
    const world = watched(tokens('issuedSlidingHour'))
    expect(wait(countToken(world, KEY))).toBeNull()
    pass(world, 1_000)
    expect(wait(countToken(world, KEY))).toBeNull()
    pass(world, 500)
    expect(countToken(world, KEY)).toMatchObject({
      refused: 'auth_rate_limit_exceeded',
      headers: { 'Retry-After': '3599' },
    })
    expect(wait(countToken(world, OTHER))).toBeNull()
    countRefusedToken(world, KEY)
    world.clock.moveTo(instant(START + HOUR - 1))
    expect(wait(countToken(world, KEY))).toBe('1')
    pass(world, 1)
    expect(wait(countToken(world, KEY))).toBeNull()
    expect(wait(countToken(world, KEY))).toBe('1')
    expect(world.state.rateWindows['token|pk_a']).toEqual([START + 1_000, START + HOUR])
    expect(world.told).toEqual([
      `token|pk_a 0 ${START}`,
      `token|pk_a 0 ${START + 1_000}`,
      'token|pk_a 0 ',
      `token|pk_b 0 ${START + 1_500}`,
      'token|pk_a 0 ',
      `token|pk_a 1 ${START + HOUR}`,
      'token|pk_a 0 ',
    ])
  })

  test('that slides over attempts count what was refused too', () => {
    const world = watched(tokens('attemptsSlidingHour'))
    countRefusedToken(world, KEY)
    pass(world, 1_000)
    expect(wait(countToken(world, KEY))).toBeNull()
    pass(world, 1_000)
    expect(wait(countToken(world, KEY))).toBe('3599')
    expect(world.state.rateWindows['token|pk_a']).toEqual([START + 1_000, START + 2_000])
    expect(world.told.at(-1)).toBe(`token|pk_a 1 ${START + 2_000}`)
    pass(world, 1_000)
    expect(wait(countToken(world, KEY))).toBe('3599')
    world.clock.moveTo(instant(START + 3 * HOUR))
    expect(wait(countToken(world, KEY))).toBeNull()
    expect(world.state.rateWindows['token|pk_a']).toEqual([START + 3 * HOUR])
    expect(world.told.at(-1)).toBe(`token|pk_a 2 ${START + 3 * HOUR}`)
  })

  test('that were refused for another reason take the place of older attempts where the hour is full', () => {
    const world = watched(tokens('attemptsSlidingHour'))
    for (let n = 0; n < 3; n += 1) {
      countRefusedToken(world, KEY)
      pass(world, 1_000)
    }
    expect(world.state.rateWindows['token|pk_a']).toEqual([START + 1_000, START + 2_000])
    expect(wait(countToken(world, KEY))).toBe('3599')
  })

  test('that is fixed begin with the first and are all free again when it is over', () => {
    const world = watched(tokens('issuedFixedHour'))
    expect(wait(countToken(world, KEY))).toBeNull()
    pass(world, 1_000)
    expect(wait(countToken(world, KEY))).toBeNull()
    expect(wait(countToken(world, KEY))).toBe('3599')
    world.clock.moveTo(instant(START + HOUR - 1))
    expect(wait(countToken(world, KEY))).toBe('1')
    pass(world, 1)
    expect(wait(countToken(world, KEY))).toBeNull()
    expect(world.state.rateWindows['token|pk_a']).toEqual([START + HOUR])
    expect(world.told).toEqual([
      `token|pk_a 0 ${START}`,
      `token|pk_a 0 ${START + 1_000}`,
      `token|pk_a 2 ${START + HOUR}`,
    ])
  })

  test.each(['issuedSlidingHour', 'attemptsSlidingHour', 'issuedFixedHour'])(
    'are not counted at all where the limit is off (%s)',
    (counting) => {
      const world = watched(tokens(counting, 'off'))
      for (let n = 0; n < 20; n += 1) expect(countToken(world, KEY)).toBeNull()
      countRefusedToken(world, KEY)
      expect(world.state.rateWindows).toEqual({})
    },
  )

  test('that were refused for another reason count only among attempts', () => {
    const world = watched(tokens('issuedFixedHour'))
    countRefusedToken(world, KEY)
    expect(world.state.rateWindows).toEqual({})
  })
})

describe('calls of a minute', () => {
  test('are limited apart from tokens, for each credential', () => {
    const world = watched({ 'LM-01': 2 })
    expect(countCall(world, KEY)).toBeNull()
    pass(world, 59_000)
    expect(countCall(world, KEY)).toBeNull()
    expect(countCall(world, KEY)).toMatchObject({
      refused: 'rate_limit_exceeded',
      headers: { 'Retry-After': '1' },
    })
    expect(countCall(world, OTHER)).toBeNull()
    expect(Object.keys(world.state.rateWindows)).toEqual(['call|pk_a', 'call|pk_b'])
    pass(world, 1_000)
    expect(countCall(world, KEY)).toBeNull()
    expect(countCall(world, KEY)?.headers).toEqual({ 'Retry-After': '59' })
  })

  test('are not counted in a world without a limit', () => {
    const world = watched({ 'LM-01': 'none' })
    for (let n = 0; n < 5; n += 1) expect(countCall(world, KEY)).toBeNull()
    expect(world.state.rateWindows).toEqual({})
  })
})

test('a revoked token is known for as long as it would have lived, and forgotten by the next one after that', () => {
  const world = watched({})
  expect(isRevoked(world, 'one')).toBe(false)
  revokeToken(world, 'one')
  expect([isRevoked(world, 'one'), isRevoked(world, 'toString')]).toEqual([true, false])
  const end = world.state.revokedTokens['one'] ?? 0
  expect(end - START).toBe(HOUR)
  world.clock.moveTo(instant(end))
  revokeToken(world, 'two')
  expect(Object.keys(world.state.revokedTokens)).toEqual(['one', 'two'])
  pass(world, 1)
  revokeToken(world, 'three')
  expect(Object.keys(world.state.revokedTokens)).toEqual(['two', 'three'])
  expect(world.told).toEqual(['one', 'two', 'one', 'three'].map((id) => `revokedTokens ${id}`))
})
