// Owns what every page is answered with: its headers, and the language and theme that a person chose.
import { getCookie, setCookie } from 'hono/cookie'
import { THEMES } from './page.ts'
import { DICTIONARIES, LANGUAGES } from './words.ts'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Settings } from './layout.ts'
import type { Html } from './page.ts'

/** How long a browser keeps a chosen language or theme, in seconds: a year. */
const KEPT_SECONDS = 31_536_000

/** Only what comes from here is loaded, nothing inside a page is run, and no other page may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page with its headers. */
export async function page(c: Context, status: ContentfulStatusCode, body: Html): Promise<Response> {
  c.header('Content-Security-Policy', POLICY)
  c.header('X-Content-Type-Options', 'nosniff')
  // With no referrer at all, forms without scripts would be sent with the origin `null`, as those of strangers are.
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cache-Control', 'no-store')
  return c.html(await body, status)
}

/** Whether a browser shows the answer to a person: scripts do not ask for HTML. */
export function wantsPage(c: Context): boolean {
  return (c.req.header('accept') ?? '').includes('text/html')
}

/** The language and theme that a person chose, or those that the browser and the system have. */
export function settingsOf(c: Context): Settings {
  const chosen = LANGUAGES.find((each) => each === getCookie(c, 'lang'))
  const language = chosen ?? (prefersPortuguese(c.req.header('accept-language') ?? '') ? 'pt' : 'en')
  const theme = THEMES.find((each) => each === getCookie(c, 'theme')) ?? 'auto'
  return { words: DICTIONARIES[language], language, theme }
}

/** Whether Portuguese stands before English in an `Accept-Language`. */
function prefersPortuguese(header: string): boolean {
  const weights = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
    const q = parameters.map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1]).find((each) => each !== undefined)
    return { language: range.split('-')[0], weight: q === undefined ? 1 : Number(q) }
  })
  const best = weights
    .filter(({ language }) => language === 'pt' || language === 'en')
    .toSorted((a, b) => b.weight - a.weight)
  return best[0]?.language === 'pt'
}

/** Keeps what `?lang=` and `?theme=` choose; answers whether they did. */
export function choose(c: Context): boolean {
  const { lang, theme } = c.req.query()
  const options = { path: '/', sameSite: 'Lax', httpOnly: true, maxAge: KEPT_SECONDS } as const
  const language = LANGUAGES.find((each) => each === lang)
  if (language !== undefined) setCookie(c, 'lang', language, options)
  const look = THEMES.find((each) => each === theme)
  if (look !== undefined) setCookie(c, 'theme', look, options)
  return language !== undefined || look !== undefined
}

/** Leads from an address that ends in a slash to the one without. Its path is one of ours. */
export function withoutSlash(c: Context): Response {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(pathname.replace(/\/+$/, '') + search)
}

/** The address that was asked for, without what only chooses or opens. Its path is one of ours. */
export function cleanAddress(c: Context): string {
  const url = new URL(c.req.url)
  for (const name of ['token', 'lang', 'theme']) url.searchParams.delete(name)
  return url.pathname + url.search
}
