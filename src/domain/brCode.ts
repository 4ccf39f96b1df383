// Owns the BR Code: the text behind a PIX QR picture, as tag, length and value, closed by a CRC.
import { invariant } from '../kernel/assert.ts'
import type { Cents } from '../kernel/brands.ts'

/** Who receives, as the code shows it. */
export interface BrCodeReceiver {
  name: string
  city: string
}

const PIX_DOMAIN = 'br.gov.bcb.pix'

/** Text a bank app shows: ASCII, without accents, at most `length` characters. */
export function plainText(text: string, length: number): string {
  const plain = text
    .normalize('NFD')
    .replace(/\s/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, length)
    .trim()
  return plain === '' ? 'RECEBEDOR' : plain
}

/** A code for one payment, whose facts wait at a location. Source: TX-17. */
export function dynamicBrCode(location: string, receiver: BrCodeReceiver): string {
  const account = field('00', PIX_DOMAIN) + field('25', location)
  return close(field('01', '12') + field('26', account) + common(null, receiver, '***'))
}

/** A code that carries a key and an amount itself. `reference` has 1 to 25 letters and digits. Source: TX-17. */
export function staticBrCode(
  key: string,
  amount: Cents,
  receiver: BrCodeReceiver,
  reference: string,
): string {
  const account = field('00', PIX_DOMAIN) + field('01', key)
  return close(field('26', account) + common(amount, receiver, reference))
}

function common(amount: Cents | null, { name, city }: BrCodeReceiver, reference: string): string {
  return [
    field('52', '0000'),
    field('53', '986'),
    amount === null
      ? ''
      : field('54', `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`),
    field('58', 'BR'),
    field('59', plainText(name, 25)),
    field('60', plainText(city, 15)),
    field('62', field('05', reference)),
  ].join('')
}

function close(fields: string): string {
  const open = `${field('00', '01')}${fields}6304`
  return open + crc16(open)
}

function field(tag: string, value: string): string {
  invariant(value.length > 0 && value.length <= 99, `BR Code field ${tag} has ${value.length} characters`)
  return tag + String(value.length).padStart(2, '0') + value
}

/** CRC-16/CCITT-FALSE of ASCII text, as four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index) << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  }
  return (crc & 0xffff).toString(16).toUpperCase().padStart(4, '0')
}

/** The fields of a code in order, each with its tag; null when its lengths or its CRC do not hold. */
export function readBrCode(code: string): [tag: string, value: string][] | null {
  const fields: [string, string][] = []
  for (let index = 0; index < code.length;) {
    const header = /^(\d{2})(\d{2})$/.exec(code.slice(index, index + 4))
    const length = Number(header?.[2])
    const value = code.slice(index + 4, index + 4 + length)
    if (!header?.[1] || value.length !== length) return null
    fields.push([header[1], value])
    index += 4 + length
  }
  const last = fields.at(-1)
  return last?.[0] === '63' && last[1] === crc16(code.slice(0, -4)) ? fields : null
}
