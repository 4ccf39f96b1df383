// Owns what a figure is, and how one follows from measurements that were taken in turns.

/** What a figure counts. */
export type Unit = 'calls/s' | 'deliveries/s' | 'ms' | 'bytes'

/** One figure of a run, with what stands beside it. */
export interface Figure {
  /** Such as `calls.create`; targets name it. */
  id: string
  what: string
  unit: Unit
  /** The median of its rounds; null when it was left out. */
  value: number | null
  /** What it stands beside, measured in the same run. */
  beside: { what: string; value: number | null }
  /** The median of value divided by what stands beside it, round by round. */
  ratio: number | null
  /** Why there is no figure; null when there is one. */
  leftOut: string | null
}

/** What a figure is about, before it is measured. */
export type Subject = Pick<Figure, 'id' | 'what' | 'unit'> & { beside: string }

/** The middle of some numbers, or the mean of the two middle ones. NaN for none. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** A number with the three digits that a measurement is good for; more where it is a large whole number. */
function rounded(value: number): number {
  return value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3))
}

/** A figure from its rounds and those of what stands beside it, which were taken in the same order. */
export function figureOf(
  { beside, ...subject }: Subject,
  values: readonly number[],
  besideValues: readonly number[],
): Figure {
  const ratios = values.map((value, round) => value / (besideValues[round] ?? Number.NaN))
  return {
    ...subject,
    value: rounded(medianOf(values)),
    beside: { what: beside, value: rounded(medianOf(besideValues)) },
    ratio: rounded(medianOf(ratios)),
    leftOut: null,
  }
}

/** A figure that could not be taken, with the reason. */
export function leftOut({ beside, ...subject }: Subject, reason: string): Figure {
  return { ...subject, value: null, beside: { what: beside, value: null }, ratio: null, leftOut: reason }
}

/** A count as people read it: `100,000`. */
export function counted(count: number): string {
  return count.toLocaleString('en-US')
}
