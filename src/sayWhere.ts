// Owns saying on an answer that is of no world which world and which time a caller would have met.
import { stamp } from './domain/world.ts'
import type { MiddlewareHandler } from 'hono'
import type { Worlds } from './world/worlds.ts'

/** Marks answers that do not say it themselves with the default world and its time. */
export function sayWhere(worlds: Worlds): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (c.res.headers.has('X-Sandbox-Now')) return
    c.res.headers.set('X-Sandbox-World', worlds.default.id)
    c.res.headers.set('X-Sandbox-Now', stamp(worlds.default))
  }
}
