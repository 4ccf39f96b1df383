// Owns signing in to pages: the control token in an address or in the form that asks for it, and where a person goes then.
import { readBody } from '../http/body.ts'
import { keepToken, mayControl } from '../http/controlToken.ts'
import { sameSecret } from '../world/keys.ts'
import { signInPage, UI_BASE } from './layout.ts'
import { withQuery } from './links.ts'
import { cleanAddress, page, settingsOf } from './pageAnswer.ts'
import type { Context } from 'hono'
import type { Worlds } from '../world/worlds.ts'

/** Where the form is, and where it is sent. */
export const SIGN_IN_PATH = `${UI_BASE}/sign-in`
/** Bytes of a form that signs in. */
const MAX_FORM_BYTES = 8_192
/** Addresses of pages, all of this server, in signs that may stand in a header. */
const PAGE_ADDRESS = /^\/(?:_sandbox\/(?!\/)|docs(?:\/control)?(?=\?|$))[\x21-\x7e]*$/

/** What is asked of who may see pages. */
interface Guard {
  worlds: Worlds
  /** Guards the pages when not null. */
  controlToken: string | null
}

/** Whether a caller may know what the token guards. One that stands in the address is kept in a cookie. */
export function isSignedIn(c: Context, { worlds, controlToken }: Guard): boolean {
  const { token } = c.req.query()
  const isTold = token !== undefined && controlToken !== null && sameSecret(token, controlToken)
  if (isTold) keepToken(c, token, worlds.host.publicUrl)
  return isTold || mayControl(c, controlToken)
}

/** Asks for the token in place of a page, and says so when a wrong one stands in the address. */
export function askToken(c: Context): Promise<Response> {
  const isWrong = c.req.query('token') !== undefined
  return page(c, 401, signInPage(settingsOf(c), cleanAddress(c), isWrong))
}

/** The address of the form, which leads back to the page that is shown. */
export function signInAddress(c: Context): string {
  return withQuery(SIGN_IN_PATH, { back: cleanAddress(c) })
}

/** Shows the form; who is signed in goes on. */
export async function showSignIn(c: Context, guard: Guard): Promise<Response> {
  const back = pageAddress(c.req.query('back'))
  return isSignedIn(c, guard) ? c.redirect(back) : page(c, 200, signInPage(settingsOf(c), back, false))
}

/** Takes the token from the form. */
export async function signIn(c: Context, { worlds, controlToken }: Guard): Promise<Response> {
  const body = await readBody(c.req.raw, MAX_FORM_BYTES)
  const form = new URLSearchParams(typeof body === 'string' ? '' : new TextDecoder().decode(body))
  const token = form.get('token')
  const back = pageAddress(form.get('back'))
  if (controlToken === null) return c.redirect(back, 303)
  if (token === null || !sameSecret(token, controlToken)) {
    return page(c, 401, signInPage(settingsOf(c), back, true))
  }
  keepToken(c, token, worlds.host.publicUrl)
  return c.redirect(back, 303)
}

/** An address that somebody sent, when it is that of a page; the overview otherwise. */
function pageAddress(sent: string | null | undefined): string {
  return PAGE_ADDRESS.test(sent ?? '') ? (sent ?? '') : UI_BASE
}
