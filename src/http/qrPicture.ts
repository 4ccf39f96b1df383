// Owns the QR picture of a PIX code: a black and white PNG as a data URI.
import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Picture elements for each side of a module, and modules of white around. */
const SCALE = 6
const QUIET_ZONE = 4

/** A PNG data URI that a QR reader turns back into exactly the text. */
export function qrDataUri(text: string): string {
  const { data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return `data:image/png;base64,${png(data).toString('base64')}`
}

/** A PNG of one bit for each picture element: true is black. */
function png(modules: readonly boolean[][]): Buffer {
  const side = modules.length * SCALE
  const rows = modules.map((row) => {
    const line = Buffer.alloc(1 + Math.ceil(side / 8))
    for (let x = 0; x < side; x++) {
      if (!row[Math.floor(x / SCALE)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    }
    return line
  })
  const pixels = Buffer.concat(rows.flatMap((line) => Array.from({ length: SCALE }, () => line)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}
