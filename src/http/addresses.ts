// Owns the addresses that a credential may be used from: single ones and CIDR ranges, IPv4 and IPv6.
import { BlockList, isIP } from 'node:net'

/** The address of a caller without a socket, as in tests that call the app directly. */
export const LOOPBACK = '127.0.0.1'

/** An address in its plain form: without a zone, and IPv4 not wrapped in IPv6. */
export function plainAddress(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Whether a text is an address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  const { bits, family } = parseRange(text)
  if (family === 0) return false
  return bits === null || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Whether an address lies in one of the ranges. No ranges allow every address. */
export function isAllowed(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  const list = new BlockList()
  for (const range of ranges) {
    const { address: base, bits, family } = parseRange(range)
    const name = family === 4 ? 'ipv4' : 'ipv6'
    if (bits === null) list.addAddress(base, name)
    else list.addSubnet(base, Number(bits), name)
  }
  const caller = plainAddress(address)
  return list.check(caller, isIP(caller) === 4 ? 'ipv4' : 'ipv6')
}

/** Bits of an IPv6 address before the IPv4 address that is wrapped in it. */
const MAPPED_BITS = 96

function parseRange(text: string): { address: string; bits: string | null; family: number } {
  const [base = '', bits = null, ...more] = text.split('/')
  const address = plainAddress(base)
  const family = more.length > 0 ? 0 : isIP(address)
  const isMapped = family === 4 && address !== base
  return { address, bits: isMapped && bits !== null ? String(Number(bits) - MAPPED_BITS) : bits, family }
}
