// Owns what the model's gateway does when it is asked for a token: whom it gives one, and how many an hour.
import { letsIn } from './addresses.ts'
import { accepted, refused } from './gateway.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Seat } from './addresses.ts'
import type { Outcome } from './gateway.ts'
import type { Life } from './world.ts'

const HOUR = 3_600_000

/** What is wrong with a call for a token. */
export type WrongToken = 'secret' | 'field' | null

/** Gives a token, or says why not. */
export function giveToken(life: Life, by: Caller, wrong: WrongToken, from: Seat): Outcome {
  const { keys, knobs, now } = life
  const { [by]: counted } = life.counted
  const limit = knobs['AU-13']
  const countsRefused = limit !== 'off' && knobs['AU-04'] === 'attemptsSlidingHour'
  if (wrong === 'field') return refused('validation_error')
  if (wrong === 'secret' || !keys[by].active || !letsIn(keys[by].range, from)) {
    if (countsRefused) counted.push(now)
    return refused(wrong === 'secret' || !keys[by].active ? 'invalid_credentials' : 'ip_not_allowed')
  }
  if (limit !== 'off') {
    const last = (): number | undefined => counted.filter((at) => at > now - HOUR).at(-limit)
    const isFull = last() !== undefined
    if (!isFull || countsRefused) counted.push(now)
    if (isFull) {
      const wait = (last() ?? now) + HOUR - now
      return { ...refused(knobs['AU-02']), retryAfter: Math.max(1, Math.ceil(wait / 1_000)) }
    }
  }
  return accepted({ tokenType: 'Bearer', expiresIn: 3_600 })
}
