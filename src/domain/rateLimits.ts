// Owns rate limits: instants that count towards a limit, on the clock of the world.
import { HOUR, MINUTE, SECOND } from '../kernel/time.ts'
import { refuse } from './refusal.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Refusal } from './refusal.ts'
import type { Credential } from './records.ts'
import type { World } from './world.ts'

/** The code of a refused token. Source: AU-02. */
export type TokenLimitCode = 'rate_limit_exceeded' | 'auth_rate_limit_exceeded'

/**
 * Counts a token towards the limit of its credential pair, or says no with `Retry-After`.
 * Source: contract: Authentication 5; AU-03, AU-04, AU-13.
 */
export function countToken(world: World, { publicKey }: Credential): Refusal<TokenLimitCode> | null {
  const limit = world.choices.get('AU-13')
  if (limit === 'off') return null
  const counting = world.choices.get('AU-04')
  const key = `token|${publicKey}`
  const wait =
    counting === 'issuedFixedHour'
      ? countInFixedWindow(world, key, limit, HOUR)
      : countInWindow(world, key, limit, HOUR, counting === 'attemptsSlidingHour')
  if (wait === null) return null
  const code = world.choices.get('AU-02')
  const hint = `${limit} tokens an hour. Reuse the token, advance the clock an hour, use a world per test, or set silence AU-13.`
  return tooMany(refuse(code, hint), wait)
}

/** Counts an attempt that was refused for another reason, where those count too (AU-04). */
export function countRefusedToken(world: World, { publicKey }: Credential): void {
  const limit = world.choices.get('AU-13')
  if (limit === 'off' || world.choices.get('AU-04') !== 'attemptsSlidingHour') return
  countInWindow(world, `token|${publicKey}`, limit, HOUR, true)
}

/** Counts a call towards the limit of its credential, or says no with `Retry-After`. Source: LM-01. */
export function countCall(world: World, { publicKey }: Credential): Refusal<'rate_limit_exceeded'> | null {
  const limit = world.choices.get('LM-01')
  if (limit === 'none') return null
  const wait = countInWindow(world, `call|${publicKey}`, limit, MINUTE, false)
  const hint = `${limit} calls a minute in this world. Advance the clock, or set silence LM-01.`
  return wait === null ? null : tooMany(refuse('rate_limit_exceeded', hint), wait)
}

function tooMany<Code extends TokenLimitCode>(refusal: Refusal<Code>, wait: Millis): Refusal<Code> {
  return { ...refusal, headers: { 'Retry-After': String(Math.max(1, Math.ceil(wait / SECOND))) } }
}

/** Counts now in a sliding window; answers how long to wait when it is full. */
function countInWindow(
  world: World,
  key: string,
  limit: number,
  length: Millis,
  refusedCount: boolean,
): Millis | null {
  const now = world.clock.now()
  const counted = world.state.rateWindows[key] ?? []
  // Oldest first, so what is over stands in front.
  const over = counted.findIndex((at) => at > now - length)
  let dropped = counted.splice(0, over < 0 ? counted.length : over).length
  const isFull = counted.length >= limit
  const counts = !isFull || refusedCount
  if (counts) counted.push(now)
  const oldest = isFull ? (counted.at(-limit) ?? now) : null
  // Attempts without end must not be kept without end; what was issued never grows past the limit.
  if (refusedCount) dropped += counted.splice(0, Math.max(0, counted.length - limit)).length
  world.state.rateWindows[key] = counted
  world.changes?.window(key, dropped, counts ? now : null)
  return oldest === null ? null : ((oldest + length - now) as Millis)
}

/** Counts now in a window that begins with its first count; answers how long to wait when it is full. */
function countInFixedWindow(world: World, key: string, limit: number, length: Millis): Millis | null {
  const now = world.clock.now()
  const window = world.state.rateWindows[key] ?? []
  const begun = window[0]
  if (begun === undefined || now >= begun + length) {
    world.state.rateWindows[key] = [now]
    world.changes?.window(key, window.length, now)
    return null
  }
  if (window.length >= limit) return (begun + length - now) as Millis
  window.push(now)
  world.changes?.window(key, 0, now)
  return null
}
