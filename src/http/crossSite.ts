// Owns telling whether a browser sends a request for a page of another origin, which may not drive a sandbox.

/**
 * Whether a page of another origin made a browser send a request. `Sec-Fetch-Site` says so where it is sent, which is to
 * this machine and over HTTPS; elsewhere `Origin` is compared with the host that was asked. Callers that are no
 * browser, such as curl and test code, send neither and are never refused.
 */
export function isCrossSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = request.headers.get('origin')
  if (origin === null) return false
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host
}
