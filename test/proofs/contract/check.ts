// Owns what a check and an observation are, and the book in which one run writes down what it found.

/** What was found about one statement of the contract. */
export type Outcome =
  | { outcome: 'held' }
  | { outcome: 'differs'; expected: string; got: string }
  | { outcome: 'left out'; why: string }

/** One statement of the contract, named, and what was found about it. */
export type Finding = Outcome & { chapter: string; check: string }

/** A point where the contract is silent: what was seen, and the choice of the sandbox beside it. */
export interface Observation {
  /** Id of the silence, such as `TX-02`. */
  id: string
  point: string
  /** The choice of the sandbox. */
  ours: string
  /** What the target answers; null when it could not be seen. */
  seen: string | null
  /** Why it could not be seen; null when it was. */
  why: string | null
}

/** Everything one run found. */
export interface Found {
  findings: Finding[]
  observations: Observation[]
}

/** Ends a check that does not hold. */
export class Differs extends Error {
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** Ends a check that cannot be made here; the message says why. */
export class LeftOut extends Error {}

/** Where checks are written down, in the order in which they are made. */
export interface Book {
  /** The heading of the checks that follow. */
  chapter(title: string): void
  /** Makes one check; it holds when the body ends, and never throws. */
  holds(check: string, body: () => Promise<void> | void): Promise<void>
  /** Writes down what the target does where the contract says nothing; never throws. */
  observe(id: string, point: string, ours: string, see: () => Promise<string> | string): Promise<void>
  readonly found: Found
}

/** What an error says, for a reader, with what caused it. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** An empty book. Throws when a check is named twice: a report by name must be clear. */
export function openBook(): Book {
  const found: Found = { findings: [], observations: [] }
  let chapter = ''

  return {
    found,
    chapter(title) {
      chapter = title
    },
    async holds(check, body) {
      if (found.findings.some((finding) => finding.check === check)) {
        throw new Error(`the check '${check}' is there twice`)
      }
      const outcome = await outcomeOf(body)
      found.findings.push({ chapter, check, ...outcome })
    },
    async observe(id, point, ours, see) {
      const observation = { id, point, ours }
      try {
        found.observations.push({ ...observation, seen: await see(), why: null })
      } catch (error) {
        found.observations.push({ ...observation, seen: null, why: told(error) })
      }
    },
  }
}

async function outcomeOf(body: () => Promise<void> | void): Promise<Outcome> {
  try {
    await body()
    return { outcome: 'held' }
  } catch (error) {
    if (error instanceof LeftOut) return { outcome: 'left out', why: error.message }
    if (error instanceof Differs) return { outcome: 'differs', expected: error.expected, got: error.got }
    return { outcome: 'differs', expected: 'an answer', got: told(error) }
  }
}

/** A value that is made once, when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
