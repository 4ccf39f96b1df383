// Owns how a caller shows the control token: in a header, or in the cookie that the dashboard sets.
import { getCookie, setCookie } from 'hono/cookie'
import { sameSecret } from '../world/keys.ts'
import type { Context } from 'hono'

/** The name of the cookie. Browsers give the cookies of a host to all its ports, so each port has its own. */
function cookieOf(c: Context): string {
  const { port } = new URL(c.req.url)
  return port === '' ? 'sandbox_token' : `sandbox_token_${port}`
}

/** Whether a caller may in: nothing guards the server, or the token is in its `Authorization` header or its cookie. */
export function mayControl(c: Context, controlToken: string | null): boolean {
  if (controlToken === null) return true
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return [bearer, getCookie(c, cookieOf(c))].some(
    (sent) => sent !== undefined && sameSecret(sent, controlToken),
  )
}

/**
 * Lets a browser keep the token: out of reach of scripts, never sent for a page of another site, and only ever encrypted where
 * the server's public address is.
 */
export function keepToken(c: Context, token: string, publicUrl: string): void {
  const known = new URL(publicUrl)
  const secure = known.protocol === 'https:' && known.host === new URL(c.req.url).host
  setCookie(c, cookieOf(c), token, { httpOnly: true, sameSite: 'Strict', path: '/', secure })
}
