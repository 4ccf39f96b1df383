// Owns seeded chance: a small generator whose whole state is four numbers, so that it can be saved with a world.
import { customRandom } from 'nanoid'

/** The state of a generator: four 32-bit unsigned integers. Plain JSON. */
export type RandomState = [number, number, number, number]

/** A source of chance that repeats itself for the same seed. */
export interface Random {
  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number
  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number
  /** Some bytes. */
  bytes(count: number): Uint8Array
  /** A UUID of version 4. */
  uuid(): string
  /** Text of the given length over an alphabet. */
  text(alphabet: string, length: number): string
  /** The state to save. */
  save(): RandomState
}

/** The state that a seed text leads to (cyrb128 mixing). */
export function seedState(seed: string): RandomState {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let index = 0; index < seed.length; index++) {
    const code = seed.charCodeAt(index)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  const mixed = a ^ b ^ c ^ d
  return [mixed >>> 0, (b ^ mixed) >>> 0, (c ^ mixed) >>> 0, (d ^ mixed) >>> 0]
}

/** A generator (sfc32) that goes on from a saved state. */
export function createRandom(from: RandomState): Random {
  let [a, b, c, d] = from

  function next(): number {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }

  function bytes(count: number): Uint8Array {
    const made = new Uint8Array(count)
    let word = 0
    for (let index = 0; index < count; index++) {
      word = index % 4 === 0 ? next() : word >>> 8
      made[index] = word & 0xff
    }
    return made
  }

  function fraction(): number {
    return next() / 4_294_967_296
  }

  function uuid(): string {
    const made = bytes(16)
    made[6] = ((made[6] ?? 0) & 0x0f) | 0x40
    made[8] = ((made[8] ?? 0) & 0x3f) | 0x80
    let hex = ''
    for (const byte of made) hex += HEX_BYTES[byte]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  return {
    below: (bound) => Math.floor(fraction() * bound),
    fraction,
    bytes,
    uuid,
    text: (alphabet, length) => customRandom(alphabet, length, bytes)(),
    save: () => [a >>> 0, b >>> 0, c >>> 0, d >>> 0],
  }
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
