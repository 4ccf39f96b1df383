// Owns checking what a server is told, whoever tells it: addresses, hosts, ports and tokens.
import { MAX_URL_UNITS } from '../contract/limits.ts'
import { parseAllowEntry } from '../webhooks/allow.ts'
import { Misuse } from './misuse.ts'
import type { AllowList } from '../webhooks/allow.ts'

function refuse(message: string): never {
  throw new Misuse('sandbox_bad_request', message)
}

/**
 * A port to listen on; 0 for a free one.
 * @throws {Misuse}
 */
export function checkPort(port: unknown): number {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  return refuse(`port ${JSON.stringify(port)} is no port; use 0 to 65535.`)
}

/**
 * An address under which others reach the server, without a final slash.
 * @throws {Misuse} for anything but `http` or `https` with a host, a port and a path
 */
export function checkPublicUrl(text: string): string {
  const url = text.length <= MAX_URL_UNITS && URL.canParse(text) ? new URL(text) : null
  const plain = url && /^https?:\/\//i.test(text) && !/[?#]/.test(text) && url.username === ''
  if (url && plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  return refuse(
    `publicUrl '${text.slice(0, MAX_URL_UNITS)}' is no address of a server; use one such as http://gateway.test:4848.`,
  )
}

/**
 * A host without scheme and port.
 * @throws {Misuse}
 */
export function checkRewriteHost(text: string): string {
  const bare = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text
  const url = URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`) : null
  if (
    url &&
    url.host === url.hostname &&
    url.pathname === '/' &&
    url.hostname.toLowerCase() === bare.toLowerCase()
  ) {
    return url.hostname
  }
  return refuse(
    `rewriteLocalhost '${text}' is no host; use one such as host.docker.internal, without scheme or port.`,
  )
}

/**
 * Where webhooks may be sent.
 * @throws {Misuse} for an empty list, and for a text that is no entry
 */
export function checkCallbackAllow(texts: readonly string[]): AllowList {
  const given: unknown = texts
  if (!Array.isArray(given) || given.some((text) => typeof text !== 'string')) {
    return refuse("callbackAllow is a list of texts, such as ['*.shop.test', '10.0.0.0/8'].")
  }
  if (texts.length === 0) return refuse('callbackAllow is empty; leave it out to allow every receiver.')
  return texts.map(
    (text) =>
      parseAllowEntry(text) ??
      refuse(
        `callbackAllow '${text}' is no receiver; use a host, *.suffix, host:port, an IP address or network such as 10.0.0.0/8, loopback or private.`,
      ),
  )
}

/**
 * A control token, which a header has to carry.
 * @throws {Misuse}
 */
export function checkToken(text: string): string {
  if (/^[\x21-\x7e]{1,500}$/.test(text)) return text
  return refuse('controlToken is 1 to 500 visible ASCII characters without spaces, as a header carries it.')
}

/**
 * A seed of chance.
 * @throws {Misuse}
 */
export function checkSeed(text: string): string {
  return text.length >= 1 && text.length <= 200 ? text : refuse('seed is a text of 1 to 200 characters.')
}
