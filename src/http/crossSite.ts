// Owns telling whether a browser sends a request for a page of another origin, or of a name that only leads here: neither may drive a sandbox.

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

/** Names that no public name server gives to anybody: those of one machine or network, and those kept for tests and examples. */
const OWN_NAME = /(?:^|\.)(?:localhost|local|internal|test|example|lan|home\.arpa)$/
/** An IP address, as `URL` writes it. */
const IP_ADDRESS = /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/
/** Where keys, records and what changes them are. */
const GUARDED = /^\/(?:_sandbox|docs)(?:\/|$)/
/** What tells nothing of a world, and the page of one payment, whose id nobody guesses. */
const TOLD_TO_ALL = /^\/_sandbox\/(?:livez$|readyz$|ui\/assets\/|(?:worlds\/[^/]+\/)?pay\/)/

/**
 * Why a browser is given nothing at the name that it asked for; null when it may. A page may let its own name lead to
 * this machine afterwards, and is then of the same origin as the sandbox. So a name of the public net is served to
 * browsers only when it is that of the configured public address. Callers that are no browser may use any name.
 * @param path as routes are found by it: decoded
 */
export function strangeName(request: Request, path: string, publicUrl: string): string | null {
  const { hostname, host, origin } = new URL(request.url)
  if (!GUARDED.test(path) || !isPublicName(hostname) || hostname === new URL(publicUrl).hostname) {
    return null
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isRefused = isRead
    ? !TOLD_TO_ALL.test(path) && isBrowser(request.headers)
    : request.headers.has('origin')
  if (!isRefused) return null
  return `This sandbox does not know itself as ${host}, and any page could let a name of its own lead here. If the name is yours, start the sandbox with --public-url ${origin}; otherwise open it at localhost or at its IP address.`
}

/** Whether a name is one that anybody may own: it has dots, is no IP address, and does not end as only own names do. */
function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return name.includes('.') && !IP_ADDRESS.test(name) && !OWN_NAME.test(name)
}

/** Whether a browser asks, by what browsers send also where they send no `Origin`. The `fetch` of Node sends `Sec-Fetch-Mode` alone. */
function isBrowser(headers: Headers): boolean {
  return (
    headers.has('sec-fetch-site') ||
    headers.has('sec-fetch-dest') ||
    headers.get('accept')?.includes('text/html') === true ||
    headers.get('user-agent')?.startsWith('Mozilla/') === true
  )
}
