// Owns where webhooks may be sent: the entries of an allow-list, and whether they let a receiver in.
import { BlockList, isIP } from 'node:net'
import { isLoopback } from './loopback.ts'

/** One entry of an allow-list. It lets receivers in by their name or by the address that they have, never by both. */
export interface AllowEntry {
  /** As it was written. */
  text: string
  /** Null for any. */
  port: number | null
  /** A host in lower case, or, with a dot in front, what it has to end with; null for an entry of addresses. */
  name: string | null
  /** Null for an entry of a name. */
  addresses: BlockList | null
}

/** An allow-list. A receiver needs one entry that lets it in. */
export type AllowList = readonly AllowEntry[]

type Range = readonly [network: string, prefix: number]

/** This machine. */
const HERE: readonly Range[] = [
  ['127.0.0.0', 8],
  ['0.0.0.0', 32],
  ['::1', 128],
  ['::', 128],
]

/** Networks that anybody may use inside. Link-local addresses are none: clouds give away their secrets there. */
const PRIVATE: readonly Range[] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
]

/** Words that stand for networks. */
const GROUPS: ReadonlyMap<string, BlockList> = new Map([
  ['loopback', listOf(HERE)],
  ['private', listOf(PRIVATE)],
])

/** Networks that the open internet does not have; a name alone lets nobody in there. Source: RFC 6890 and IANA's registries. */
const INNER = listOf([
  ...HERE,
  ...PRIVATE,
  ['0.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Ways to write an IPv4 address, which could be any of the above.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
])

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, familyOf(network))
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/**
 * An entry: `host`, `*.suffix`, an IP address, each with `:port` or without, an IP network such as `10.0.0.0/8`, `loopback` or
 * `private`. Null for any other text.
 */
export function parseAllowEntry(text: string): AllowEntry | null {
  const any = { text, port: null, name: null }
  const group = GROUPS.get(text.toLowerCase())
  if (group) return { ...any, addresses: group }
  const [, network = '', prefix = ''] = /^([\d.a-f:]+)\/(\d{1,3})$/i.exec(text) ?? []
  if (prefix !== '') {
    const isNetwork = isIP(network) !== 0 && Number(prefix) <= (isIP(network) === 6 ? 128 : 32)
    return isNetwork ? { ...any, addresses: listOf([[network, Number(prefix)]]) } : null
  }
  if (isIP(text) === 6) return { ...any, addresses: listOf([[text, 128]]) }
  const [, star = '', host = '', digits = ''] =
    /^(\*\.)?(\[[\d.a-f:]+\]|[\p{L}\p{N}][\p{L}\p{N}._-]*)(?::(\d{1,5}))?$/iu.exec(text) ?? []
  if (host === '' || !URL.canParse(`http://${host}`)) return null
  const port = digits === '' ? null : Number(digits)
  const name = hostOf(new URL(`http://${host}`))
  // A word that stands for networks has no port, and no host is called so.
  if (port === 0 || (port ?? 0) > 65_535 || GROUPS.has(name)) return null
  if (isIP(name) === 0) return { ...any, port, name: star === '' ? name : `.${name}`, addresses: null }
  return star === '' ? { ...any, port, addresses: listOf([[name, isIP(name) === 6 ? 128 : 32]]) } : null
}

/** The host of an address as entries write it: without brackets, and without the dot that ends a full name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, '')
}

/** Whether a receiver may be connected to at an address that its host has. `to` is an IP address. */
export function mayConnect(allow: AllowList, receiver: URL, to: string): boolean {
  // A zone names the network card, which no entry does.
  const address = to.replace(/%.*$/, '')
  const isIn = (list: BlockList): boolean => list.check(address, familyOf(address))
  const entries = entriesFor(allow, receiver)
  if (entries.some(({ addresses }) => addresses !== null && isIn(addresses))) return true
  const named = entries.some(({ name }) => name !== null)
  if (!named) return false
  return !isIn(INNER) || (isLoopback(receiver.hostname) && isIn(listOf(HERE)))
}

/** Whether a path is one where inboxes of a sandbox take webhooks: nothing else of it goes past an allow-list. */
export function isInboxPath(path: string): boolean {
  return /^\/_sandbox\/(?:worlds\/[^/?#]+\/)?inbox\/[^/?#]+(?:[?#]|$)/.test(path)
}

/** Why a receiver can never be connected to, whatever address its host has; null when it may be. */
export function neverAllowed(allow: AllowList, receiver: URL): string | null {
  const known = knownAddresses(receiver)
  const may = known
    ? known.some((address) => mayConnect(allow, receiver, address))
    : entriesFor(allow, receiver).length > 0
  return may ? null : `${receiver.host} is not on the list of --callback-allow, which is ${wordsOf(allow)}`
}

/** The addresses of a receiver that are known without asking; null when its name has to be looked up. */
function knownAddresses(receiver: URL): readonly string[] | null {
  const host = hostOf(receiver)
  if (isIP(host) !== 0) return [host]
  return isLoopback(receiver.hostname) ? ['127.0.0.1', '::1'] : null
}

/** Why a receiver is not connected to at the addresses that its host turned out to have. */
export function refusedAt(allow: AllowList, receiver: URL, found: readonly string[]): string {
  const where = found.slice(0, MAX_NAMED).join(', ')
  return `${receiver.host} is at ${where}, which no entry of --callback-allow lets in; the list is ${wordsOf(allow)}`
}

/** The entries that a receiver could come in by: those of its port and name, and all of addresses with its port. */
function entriesFor(allow: AllowList, receiver: URL): AllowList {
  const host = hostOf(receiver)
  const usual = receiver.protocol === 'https:' ? 443 : 80
  const port = receiver.port === '' ? usual : Number(receiver.port)
  return allow.filter((entry) => {
    if (entry.port !== null && entry.port !== port) return false
    if (entry.name === null) return true
    return entry.name.startsWith('.') ? host.endsWith(entry.name) : host === entry.name
  })
}

/** Entries, and addresses of a host, that a message names. */
const MAX_NAMED = 5

function wordsOf(allow: AllowList): string {
  const more = allow.length - MAX_NAMED
  const named = allow.slice(0, MAX_NAMED).map(({ text }) => text)
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
