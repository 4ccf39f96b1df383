// Owns refusing browsers at a name that is not the sandbox's own, before anything is shown or changed.
import { SANDBOX_ERRORS } from '../contract/errors.ts'
import { strangeName } from '../http/crossSite.ts'
import { failure, hintHeader } from '../http/envelope.ts'
import { refusedPage } from './layout.ts'
import { page, settingsOf, wantsPage } from './pageAnswer.ts'
import type { MiddlewareHandler } from 'hono'

/**
 * Refuses what a browser asks at a strange name, with `sandbox_cross_site`: a person as a page, a script as JSON.
 * @param publicUrl the configured address of the server, which is never strange
 */
export function refuseStrangers(publicUrl: () => string): MiddlewareHandler {
  return async (c, next) => {
    const why = strangeName(c.req.raw, c.req.path, publicUrl())
    if (why === null) return next()
    const code = 'sandbox_cross_site'
    c.header('X-Sandbox-Hint', hintHeader(why)['X-Sandbox-Hint'])
    const { status } = SANDBOX_ERRORS[code]
    if (!wantsPage(c)) return c.json(failure(code, why), status)
    return page(c, status, refusedPage(settingsOf(c), { code, why, language: 'en', back: null }))
  }
}
