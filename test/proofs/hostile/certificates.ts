// Owns keys and certificates made for one run: a root of our own, and what it signs for receivers, right or wrong.
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** A key and its certificate as PEM text. */
export interface Identity {
  key: string
  cert: string
}

/** What a certificate says. */
interface Claims {
  name: string
  /** Addresses that it is good for. */
  hosts: readonly string[]
  /** Years, such as 2020. */
  from: number
  until: number
  isRoot: boolean
}

// ---- ASN.1, as far as a certificate needs it (X.690)

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  return Buffer.concat([Buffer.from([tag, ...sizeOf(length)]), content])
}

function sizeOf(length: number): number[] {
  if (length < 128) return [length]
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const number = (value: number): Buffer => der(0x02, Buffer.from([value]))
const text = (value: string): Buffer => der(0x0c, Buffer.from(value))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const bits = (value: Uint8Array): Buffer => der(0x03, Buffer.from([0]), value)
const startOf = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const ALTERNATIVE_NAMES = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')
const YES = der(0x01, Buffer.from([0xff]))

const named = (name: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, text(name))))

function hostNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? der(0x87, Buffer.from(host.split('.').map(Number)))
      : der(0x82, Buffer.from(host)),
  )
  return sequence(ALTERNATIVE_NAMES, der(0x04, sequence(...names)))
}

function certificate(
  { name, hosts, from, until, isRoot }: Claims,
  publicKey: KeyObject,
  issuer: { name: string; privateKey: KeyObject },
): string {
  const extensions = sequence(
    ...(hosts.length > 0 ? [hostNames(hosts)] : []),
    ...(isRoot ? [sequence(BASIC_CONSTRAINTS, YES, der(0x04, sequence(YES)))] : []),
  )
  const body = sequence(
    der(0xa0, number(2)),
    number(isRoot ? 1 : 2),
    ECDSA_WITH_SHA256,
    named(issuer.name),
    sequence(startOf(from), startOf(until)),
    named(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const whole = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, issuer.privateKey)))
  return new X509Certificate(whole).toString()
}

// ---- what receivers show

/** The certificates of a run. */
export interface Certificates {
  /** What a sender must trust for the first three to be judged by what else is wrong with them. */
  root: string
  good: Identity
  expired: Identity
  otherHost: Identity
  selfSigned: Identity
}

const ROOT_NAME = 'hostile proof root'

/** Makes all of them, good for 127.0.0.1 until the year 2100. */
export function makeCertificates(): Certificates {
  const pair = (): ReturnType<typeof keyPair> => keyPair()
  const root = pair()
  const issuer = { name: ROOT_NAME, privateKey: root.privateKey }
  const claims = { name: 'receiver', hosts: ['127.0.0.1'], from: 2000, until: 2100, isRoot: false }
  const issued = (wrong: Partial<Claims> = {}): Identity => {
    const { publicKey, privateKey } = pair()
    return { key: pemOf(privateKey), cert: certificate({ ...claims, ...wrong }, publicKey, issuer) }
  }
  const own = pair()
  const itself = { name: 'receiver', privateKey: own.privateKey }
  return {
    root: certificate({ ...claims, name: ROOT_NAME, hosts: [], isRoot: true }, root.publicKey, issuer),
    good: issued(),
    expired: issued({ until: 2001 }),
    otherHost: issued({ hosts: ['shop.test'] }),
    selfSigned: { key: pemOf(own.privateKey), cert: certificate(claims, own.publicKey, itself) },
  }
}

function keyPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string
}
