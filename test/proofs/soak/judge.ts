// Owns the verdict of a soak: what of its samples breaks a promise. Pure.

/** Delays of an event loop over some time, in milliseconds. */
export interface LoopDelays {
  p99: number
  max: number
}

/** Bytes that a server holds after its garbage was collected, and those that it keeps on disk. */
export interface Held {
  heap: number
  /** Outside of the heap, buffers included. */
  external: number
  /** All memory of the process but `external`. */
  rest: number
  /** Data file and journals together; 0 where nothing is kept. */
  disk: number
}

/** One cycle: load, then everything reset, and what was left. */
export interface CycleSample {
  /** Calls that were answered in it. */
  calls: number
  held: Held
  /** What is open at the quiet point, by name. */
  counts: Readonly<Record<string, number>>
  /** While the load ran. */
  loop: LoopDelays
}

/** How the server ended after SIGTERM under load. */
export interface EndSample {
  /** Null when it had to be killed. */
  code: number | null
  ms: number
  /** All that it wrote to standard error. */
  complaints: string
  /** Ids that were answered and are not there after the next start; empty where nothing is kept. */
  lost: readonly string[]
}

/** All that a soak has seen. */
export interface Samples {
  /** Of the server before any load. */
  idle: LoopDelays
  /** What was open at the first quiet point, before any load. */
  first: Readonly<Record<string, number>>
  cycles: readonly CycleSample[]
  /** Answers that break a promise, in a line each. */
  badAnswers: readonly string[]
  end: EndSample
}

/** How far a quantity may be above where it was: the greater of the two counts. */
interface Slack {
  bytes: number
  ratio: number
}

/** What a soak may see. */
export interface Bounds {
  /** Cycles at the start that are not looked at: code is compiled, and tables are filled. */
  warmUp: number
  growth: Readonly<Record<keyof Held, Slack>>
  /** The loop may be late by so many milliseconds, and by so many times as much as it was idle. */
  loop: { p99: number; max: number; timesIdle: number }
  /** Milliseconds from SIGTERM to the end. */
  endMs: number
}

const MEBIBYTE = 1_048_576

/**
 * The bounds of a real run. After a collection a heap wavers by some 1 MiB (compiled code, inline caches, pools), so
 * 4 MiB are above that, and some 20 bytes for each call that ten minutes make between the two thirds: no kept object is
 * as small. The rest of a process wavers with the pages that the allocator gives back. The disk wavers with the moment of
 * the last rewrite, which comes when the journals have outgrown the file, and 4 MiB. A full world is written as one text, and
 * read as one, so that some single delays are of the length of that; the 99th percentile is what callers see.
 */
export const BOUNDS: Bounds = {
  warmUp: 3,
  growth: {
    heap: { bytes: 4 * MEBIBYTE, ratio: 1.1 },
    external: { bytes: 4 * MEBIBYTE, ratio: 1.1 },
    rest: { bytes: 64 * MEBIBYTE, ratio: 1.3 },
    disk: { bytes: 16 * MEBIBYTE, ratio: 1.5 },
  },
  loop: { p99: 250, max: 3_000, timesIdle: 10 },
  endMs: 10_000,
}

const NAMES: Readonly<Record<keyof Held, string>> = {
  heap: 'the heap',
  external: 'memory outside of the heap',
  rest: 'the rest of the process',
  disk: 'the data file with its journals',
}

/** What breaks a promise, in a line each. */
export function judge(samples: Samples, bounds: Bounds = BOUNDS): string[] {
  const names = Object.keys(NAMES) as (keyof Held)[]
  return [
    ...samples.badAnswers,
    ...names.flatMap((name) => grown(samples, name, bounds)),
    ...leftOpen(samples),
    ...late(samples, bounds),
    ...badlyEnded(samples.end, bounds),
  ]
}

/** The middle of some numbers; 0 of none. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** What was held in the first third of the cycles after the warm-up, and in the last. */
export function thirdsOf(
  { cycles }: Pick<Samples, 'cycles'>,
  name: keyof Held,
  { warmUp }: Pick<Bounds, 'warmUp'> = BOUNDS,
): { first: number; last: number; calls: number } {
  const warm = cycles.slice(warmUp)
  const third = Math.max(1, Math.floor(warm.length / 3))
  const middle = (some: readonly CycleSample[]): number => medianOf(some.map(({ held }) => held[name]))
  const calls = warm.slice(0, -third).reduce((sum, cycle) => sum + cycle.calls, 0)
  return { first: middle(warm.slice(0, third)), last: middle(warm.slice(-third)), calls }
}

function grown(samples: Samples, name: keyof Held, bounds: Bounds): string[] {
  const { first, last, calls } = thirdsOf(samples, name, bounds)
  const { bytes, ratio } = bounds.growth[name]
  if (last <= Math.max(first + bytes, first * ratio)) return []
  const each = calls === 0 ? '' : `, ${Math.round((last - first) / calls)} bytes for each call between`
  return [`${NAMES[name]} grew from ${inMebibytes(first)} to ${inMebibytes(last)} MiB${each}`]
}

/** Some bytes in MiB, such as `12.3`. */
export function inMebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(1)
}

/** Counts that a quiet point has above the first one: told where they are the most. */
function leftOpen({ first, cycles }: Samples): string[] {
  const names = [...new Set(cycles.flatMap(({ counts }) => Object.keys(counts)))]
  return names.flatMap((name) => {
    const before = first[name] ?? 0
    const most = Math.max(...cycles.map(({ counts }) => counts[name] ?? 0))
    return most <= before ? [] : [`${name}: ${most} at a quiet point, ${before} before the load`]
  })
}

function late({ idle, cycles }: Samples, { loop, warmUp }: Bounds): string[] {
  const warm = cycles.slice(warmUp)
  return (['p99', 'max'] as const).flatMap((name) => {
    const seen = Math.max(0, ...warm.map((cycle) => cycle.loop[name]))
    const bound = loop[name] + loop.timesIdle * idle[name]
    if (seen <= bound) return []
    const of = `${Math.round(bound)} are allowed, ${Math.round(idle[name])} were idle`
    return [`the event loop was late by ${Math.round(seen)} ms (${name}); ${of}`]
  })
}

function badlyEnded({ code, ms, complaints, lost }: EndSample, { endMs }: Bounds): string[] {
  return [
    ...(code === 0 ? [] : [code === null ? 'it did not end on SIGTERM' : `it ended with ${code} on SIGTERM`]),
    ...(code !== 0 || ms <= endMs ? [] : [`it took ${Math.round(ms)} ms to end; ${endMs} are allowed`]),
    ...(complaints === '' ? [] : [`it wrote to standard error: ${complaints.slice(0, 500)}`]),
    ...(lost.length === 0 ? [] : [`${lost.length} answered sales are lost, such as ${lost[0]}`]),
  ]
}
