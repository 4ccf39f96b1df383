// Owns the run without sockets: rounds of damaged requests on fresh stages, each answer checked, a failure shrunk.
import fc from 'fast-check'
import { createRandom, seedState } from '../../../src/kernel/random.ts'
import { codeOf, isRefused, problemsOf } from './check.ts'
import { operationFinder } from './documents.ts'
import { render, targetOf, toCurl } from './draft.ts'
import { BYTE_DAMAGE, DAMAGE_KINDS, PART_DAMAGE } from './mutations.ts'
import { draftOf, isPatient, shortened, worldFor } from './recipes.ts'
import { fingerprint, isScripted, openStage, PUBLIC_URL, quiet } from './stage.ts'
import { count, emptyTally } from './tally.ts'
import { after } from '../../../src/kernel/timers.ts'
import { differenceOf } from '../difference.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { Asked, Seen } from './check.ts'
import type { Operation } from './documents.ts'
import type { Draft } from './draft.ts'
import type { DamageKind } from './mutations.ts'
import type { Making } from './recipes.ts'
import type { Fetch, Stage } from './stage.ts'
import type { Tally } from './tally.ts'
import type { Millis } from '../../../src/kernel/brands.ts'

/** What a run needs. */
export interface FuzzOptions {
  seed: number
  requests: number
  operations: readonly Operation[]
  /** Puts something between the requests and the app; only tests of the checks do. */
  wrap?: (fetch: Fetch, stage: Stage) => Fetch
  /** Host milliseconds after which a request without an answer counts as hanging. */
  patienceMs?: number
  /** Told now and then how many requests were sent. */
  progress?: (sent: number) => void
}

/** What a run found. */
export interface FuzzReport {
  tally: Tally
  /** The first request that broke something, shrunk, with the seed and what was wrong; null when all held. */
  failure: string | null
}

/** Requests on one stage. */
const ROUND = 250
/** One round of so many calls the gateway, which has fewer operations; the others call the control API. */
const GATEWAY_EVERY = 5
const PATIENCE_MS = 30_000
/** One round of so many finds the control API guarded by a token. */
const GUARDED_EVERY = 4
/** Rounds that shrinking a failure may play. */
const MAX_SHRINKS = 60

/** Damage that every operation refuses, also one that takes neither parameters nor a body: done more often. */
const ALWAYS_KNOWN: readonly DamageKind[] = Array.from({ length: 7 }, () => 'oddQuery')

/** One request before it is made: what it is made from follows from the numbers alone. */
interface Call {
  operation: number
  seed: number
  damage: DamageKind[]
}

/** Something that must not be. */
class Broken extends Error {}

/** Runs as many requests as are asked for, or up to the first that breaks something. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { operations, requests, progress } = options
  const tally = emptyTally(operations)
  const find = operationFinder(operations)
  for (let round = 0; tally.requests < requests; round += 1) {
    const api = round % GATEWAY_EVERY === 0 ? 'gateway' : 'control'
    const own = operations.filter((operation) => operation.api === api)
    if (own.length === 0) continue
    const length = Math.min(ROUND, requests - tally.requests)
    const failure = await playRound(options, find, own, { round, length, tally })
    if (failure !== null) {
      const replay = `replay: npm run prove:fuzz -- --seed ${options.seed} --requests ${requests}`
      return { tally, failure: `seed ${options.seed}, round ${round}: ${failure}\n${replay}` }
    }
    progress?.(tally.requests)
  }
  return { tally, failure: null }
}

/** The seed of one round: neighbouring seeds of runs have no round in common. */
export function roundSeed(seed: number, round: number): number {
  return chanceOf(seed, `round ${round}`).below(2 ** 31)
}

interface Round {
  round: number
  length: number
  tally: Tally
}

/** Plays one round; answers what broke, with the fewest and plainest requests that break it. */
async function playRound(
  options: FuzzOptions,
  find: ReturnType<typeof operationFinder>,
  operations: readonly Operation[],
  { round, length, tally }: Round,
): Promise<string | null> {
  const seed = roundSeed(options.seed, round)
  const call: fc.Arbitrary<Call> = fc.record({
    operation: fc.nat({ max: operations.length - 1 }),
    seed: fc.nat(),
    damage: fc.array(fc.constantFrom(...DAMAGE_KINDS, ...ALWAYS_KNOWN), { maxLength: 3, size: 'max' }),
  })
  let played = 0
  const play = async (calls: Call[]): Promise<void> => {
    const counted = played === 0 ? tally : null
    played += 1
    // What is not played any more counts as holding: the plainest failure so far is told.
    if (played > MAX_SHRINKS) return
    const stage = await openStage('fuzz', round % GUARDED_EVERY === GUARDED_EVERY - 1)
    const fetch = options.wrap?.(stage.fetch, stage) ?? stage.fetch
    const playing = { find, counted, options, held: { print: null }, sent: [] }
    try {
      for (const each of calls) {
        const operation = operations[each.operation]
        if (operation) await playCall({ ...stage, fetch }, operation, each, playing)
      }
    } finally {
      await stage.close()
    }
  }
  const made = fc.array(call, { minLength: 1, maxLength: length, size: 'max' })
  const drawn = fc.sample(call, { seed, numRuns: length })
  // Operations take turns, so that each is reached as often as any other; also backwards, as a reset empties what follows.
  const step = seed % 2 === 0 ? 1 : operations.length - 1
  const whole = drawn.map((each, index): Call => ({
    ...each,
    operation: (seed + index * step) % operations.length,
  }))
  const property = fc.asyncProperty(made, play)
  const found = await fc.check(property, { seed, numRuns: 1, examples: [[whole]] })
  return found.failed ? (found.errorInstance as Error).message : null
}

interface Playing {
  find: ReturnType<typeof operationFinder>
  counted: Tally | null
  options: FuzzOptions
  /** How the worlds stand after a refusal: so the next call finds them. */
  held: { print: string | null }
  /** The calls so far, as commands. */
  sent: string[]
}

async function playCall(
  stage: Stage,
  operation: Operation,
  call: Call,
  { find, counted, options, held, sent }: Playing,
): Promise<void> {
  const random = createRandom(seedState(`${call.seed}`))
  const draft = damaged(operation, { stage, random, world: worldFor(operation, stage, random) }, call.damage)
  const request = requestOf(draft)
  const { pathname: path } = new URL(request.url)
  const asked: Asked = {
    method: draft.method,
    path,
    operation: find(draft.method === 'HEAD' ? 'GET' : draft.method, path),
    isScripted: isScripted(stage, path),
    creation: stage.worlds.default.choices.get('TX-02'),
  }
  await quiet(stage)
  const before = held.print ?? fingerprint(stage)
  const defectsBefore = stage.defects.length
  const seen = await answered(stage.fetch, request, options.patienceMs ?? PATIENCE_MS)
  if (seen === null) throw new Broken(told(draft, call.damage, ['there is no answer'], sent))
  if (counted) {
    count(counted, call.damage, asked.operation?.id ?? null, { status: seen.status, code: codeOf(seen) })
  }
  const problems = problemsOf(asked, seen, stage.defects.slice(defectsBefore))
  held.print = isRefused(asked, seen) ? fingerprint(stage) : null
  if (held.print !== null && held.print !== before) {
    problems.push(
      `it was refused with ${seen.status} and yet something was stored: ${differenceOf(before, held.print)}`,
    )
  }
  if (problems.length > 0) throw new Broken(told(draft, call.damage, problems, sent))
  sent.push(toCurl(draft))
}

/** A request that broke something, what is wrong, and the calls before it that are needed for that. */
function told(
  draft: Draft,
  kinds: readonly string[],
  problems: readonly string[],
  sent: readonly string[],
): string {
  return [
    `${draft.operation.id} (${kinds.join(', ') || 'not damaged'})`,
    `  ${toCurl(draft)}`,
    ...problems.map((each) => `  - ${each}`),
    ...(sent.length === 0 ? [] : ['after these calls on a fresh stage:', ...sent.map((each) => `  ${each}`)]),
  ].join('\n')
}

/** A request with all its damage, ready to be sent. */
export function damaged(operation: Operation, making: Making, kinds: readonly DamageKind[]): Draft {
  const draft = draftOf(operation, making)
  for (const kind of kinds) {
    if (kind in PART_DAMAGE && !(isPatient(draft) && kind === 'wholeBody')) {
      PART_DAMAGE[kind as keyof typeof PART_DAMAGE](draft, making)
    }
  }
  shortened(draft)
  if (draft.json !== undefined) draft.body = Buffer.from(render(draft.json))
  for (const kind of kinds) {
    if (kind in BYTE_DAMAGE && !isPatient(draft)) BYTE_DAMAGE[kind as keyof typeof BYTE_DAMAGE](draft, making)
  }
  return draft
}

function requestOf(draft: Draft): Request {
  const { method, headers, body } = draft
  const mayHaveBody = method !== 'GET' && method !== 'HEAD'
  return new Request(PUBLIC_URL + targetOf(draft), {
    method,
    headers,
    ...(body !== null && mayHaveBody ? { body: new Uint8Array(body) } : {}),
  })
}

/** The answer, its body read unless it is a stream; null when there is none in time. */
async function answered(fetch: Fetch, request: Request, patienceMs: number): Promise<Seen | null> {
  const patience = new AbortController()
  const callOff = after(patienceMs as Millis, () => patience.abort())
  const given = new Promise<null>((resolve) => patience.signal.addEventListener('abort', () => resolve(null)))
  const read = async (): Promise<Seen> => {
    const response = await fetch(request)
    const header = (name: string): string | null => response.headers.get(name)
    const isStream = header('content-type')?.startsWith('text/event-stream') === true
    if (isStream) await response.body?.cancel()
    return { status: response.status, header, text: isStream ? null : await response.text() }
  }
  try {
    return await Promise.race([read(), given])
  } finally {
    callOff()
  }
}

/** Chance for something else of a run than its requests. */
export function chanceOf(seed: number, what: string): Random {
  return createRandom(seedState(`${seed} ${what}`))
}
