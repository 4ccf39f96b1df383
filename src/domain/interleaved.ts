// Owns Interleaved 2 of 5: the bars and spaces that carry the digits of a barcode.
import { invariant } from '../kernel/assert.ts'

/** Widths of wide bars and spaces, counted in narrow ones. */
const WIDE = 3
/** The five widths of each digit, n for narrow and w for wide. Source: ISO/IEC 16390. */
const PATTERNS = 'nnwwn wnnnw nwnnw wwnnn nnwnw wnwnn nwwnn nnnww wnnwn nwnwn'.split(' ')
const START = 'nnnn'
const STOP = 'wnn'

/**
 * The widths of bar, space, bar, … from left to right, in narrow bars: the first digit of each pair is in the bars, the
 * second in the spaces between them. Begins and ends with a bar; 44 digits make 227 widths that sum to 405.
 * @throws {InvariantError} unless there is an even number of digits.
 */
export function interleavedWidths(digits: string): number[] {
  invariant(/^(?:\d\d)+$/.test(digits), `not an even number of digits: ${digits}`)
  let widths = START
  for (let index = 0; index < digits.length; index += 2) {
    const bars = PATTERNS[Number(digits[index])] ?? ''
    const spaces = PATTERNS[Number(digits[index + 1])] ?? ''
    for (let place = 0; place < bars.length; place++) widths += bars.charAt(place) + spaces.charAt(place)
  }
  return Array.from(widths + STOP, (width) => (width === 'w' ? WIDE : 1))
}
