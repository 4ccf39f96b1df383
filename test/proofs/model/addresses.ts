// Owns where callers of programs sit, and which of them a credential lets in.

/** Addresses that calls come from; home is where all but a few do. */
export const ADDRESSES = {
  home: '127.0.0.1',
  office: '10.1.2.3',
  wrapped: '::ffff:10.1.2.3',
  near: '10.1.3.9',
  far: '2001:db8:0:1::7',
} as const

/** Where a call comes from. */
export type Seat = keyof typeof ADDRESSES

/** Every place that calls come from. */
export const ALL_SEATS = Object.keys(ADDRESSES) as Seat[]

/** What a credential may be told to allow, and whom that lets in; nobody is listed for what is no address. */
const RANGES = {
  all: { texts: [], seats: ['home', 'office', 'wrapped', 'near', 'far'] },
  home: { texts: ['127.0.0.1'], seats: ['home'] },
  office: { texts: ['192.0.2.7', '10.1.2.0/24'], seats: ['office', 'wrapped'] },
  offices: { texts: ['127.0.0.0/8', '10.1.2.1/23'], seats: ['home', 'office', 'wrapped', 'near'] },
  single: { texts: ['::ffff:10.1.2.3'], seats: ['office', 'wrapped'] },
  six: { texts: ['2001:db8::/32'], seats: ['far'] },
  none: { texts: ['10.1.2.0/33'], seats: null },
  word: { texts: ['127.0.0.1', 'home'], seats: null },
} as const satisfies Record<string, { texts: readonly string[]; seats: readonly Seat[] | null }>

/** What a credential is told to allow. */
export type Range = keyof typeof RANGES

/** Everything that a credential is told to allow. */
export const ALL_RANGES = Object.keys(RANGES) as Range[]

/** How a range is sent. */
export function textsOf(range: Range): readonly string[] {
  return RANGES[range].texts
}

/** Whether a range is one. */
export function isRange(range: Range): boolean {
  return RANGES[range].seats !== null
}

/** Whether a range lets a caller in. */
export function letsIn(range: Range, seat: Seat): boolean {
  const seats: readonly Seat[] = RANGES[range].seats ?? []
  return seats.includes(seat)
}
