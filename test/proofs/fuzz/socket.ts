// Owns the run over real sockets: requests as bytes, damaged where only a socket sees it, and what came back.
import { connect } from 'node:net'
import { PART_DAMAGE } from './mutations.ts'
import { codeOf, isRefused, problemsOf, wireProblems } from './check.ts'
import { operationFinder } from './documents.ts'
import { shown, targetOf } from './draft.ts'
import { differenceOf } from '../difference.ts'
import { chanceOf, damaged } from './fuzz.ts'
import { oneIn, pick } from './hostile.ts'
import { worldFor } from './recipes.ts'
import { fingerprint, isScripted, openStage, PUBLIC_URL, quiet } from './stage.ts'
import { count, emptyTally } from './tally.ts'
import { DISPATCHED_KINDS, SILENT_KINDS, WIRE_DAMAGE, WIRE_KINDS } from './wireDamage.ts'
import { after } from '../../../src/kernel/timers.ts'
import type { Asked, Seen, Unanswered } from './check.ts'
import type { Draft } from './draft.ts'
import type { FuzzOptions, FuzzReport } from './fuzz.ts'
import type { DamageKind } from './mutations.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { Stage } from './stage.ts'
import type { Tally } from './tally.ts'
import type { WireKind } from './wireDamage.ts'
import type { Millis } from '../../../src/kernel/brands.ts'

/** Requests on one server. */
const ROUND = 200
/** Turns of the loop in which a call whose caller has left comes to its end. */
const TURNS = 100
const PATIENCE_MS = 30_000
/** Calls that wait when they are asked to. */
const WAITS = /\/exchanges\/wait\b|\/messages\?(?:[^#]*&)?wait=/
const PART_KINDS = Object.keys(PART_DAMAGE) as DamageKind[]

/** What a run over sockets needs. */
export interface SocketOptions extends Omit<FuzzOptions, 'wrap'> {
  /** Where requests go instead of to the stage; only tests of the checks set it. */
  url?: string
}

/** Sends requests as bytes on a connection each. Nothing is shrunk: what is sent is told whole. */
export async function fuzzSockets(options: SocketOptions): Promise<FuzzReport> {
  const { seed, requests, operations, progress } = options
  const tally = emptyTally(operations)
  const find = operationFinder(operations)
  const random = chanceOf(seed, 'sockets')
  while (tally.requests < requests) {
    const stage = await openStage('fuzz')
    const end = Math.min(requests, tally.requests + ROUND)
    try {
      while (tally.requests < end) {
        const failure = await sendOne({ stage, random, find, tally, options })
        if (failure !== null) {
          const replay = `replay: npm run prove:fuzz -- --seed ${seed} --requests 0 --sockets ${tally.requests}`
          return {
            tally,
            failure: `seed ${seed}, request ${tally.requests} over a socket ${failure}\n${replay}`,
          }
        }
      }
    } finally {
      await stage.close()
    }
    progress?.(tally.requests)
  }
  return { tally, failure: null }
}

/** Told before anybody looks at the path, so that it is the same for both interfaces. */
const HEAD_TOO_LARGE = 431

interface Sending {
  stage: Stage
  random: Random
  find: ReturnType<typeof operationFinder>
  tally: Tally
  options: SocketOptions
}

/** Sends one request; answers what was wrong with its answer. */
async function sendOne({ stage, random, find, tally, options }: Sending): Promise<string | null> {
  const operation = pick(random, options.operations)
  const kinds = oneIn(random, 3) ? [pick(random, PART_KINDS)] : []
  const wire = oneIn(random, 4) ? null : pick(random, WIRE_KINDS)
  const draft = damaged(operation, { stage, random, world: worldFor(operation, stage, random) }, kinds)
  const bytes = bytesOf(draft, wire, (bound) => random.below(bound))
  await quiet(stage, TURNS)
  const before = fingerprint(stage)
  const defectsBefore = stage.defects.length
  const wasDispatched = wire !== null && DISPATCHED_KINDS.has(wire)
  const endsSide = wasDispatched || (wire !== null && SILENT_KINDS.has(wire))
  const patienceMs = options.patienceMs ?? PATIENCE_MS
  const [, target = ''] = /^\S+ (\S+)/.exec(bytes.toString('latin1')) ?? []
  const sentPath = target.split(/[?#]/)[0] ?? ''
  const toScripted = isScripted(stage, sentPath)
  const came = await exchange(options.url ?? stage.url, bytes, { patienceMs, endsSide })
  const seen = typeof came === 'string' ? null : came
  const path = new URL(PUBLIC_URL + targetOf(draft)).pathname
  const asked: Asked = {
    method: draft.method,
    path,
    operation: wire === null ? find(draft.method, path) : null,
    isScripted: toScripted,
    creation: stage.worlds.default.choices.get('TX-02'),
  }
  const done = [...kinds, ...(wire === null ? [] : [wire])]
  const got = { status: seen?.status ?? 0, code: seen && codeOf(seen) }
  count(tally, done, asked.operation?.id ?? null, got)
  const defects = stage.defects.slice(defectsBefore)
  const problems =
    wire === null && seen !== null && seen.status !== HEAD_TOO_LARGE
      ? problemsOf(asked, seen, defects)
      : wireProblems(
          {
            kind: wire,
            path: sentPath,
            isScripted: toScripted,
            isAbandoned: endsSide && WAITS.test(target),
          },
          // An answer to HEAD has no body, whatever it says.
          seen && draft.method === 'HEAD' ? { ...seen, text: null } : came,
          defects,
        )
  const left = seen !== null && !wasDispatched && isRefused(asked, seen) ? fingerprint(stage) : before
  if (left !== before) {
    problems.push(`it was refused and yet something was stored: ${differenceOf(before, left)}`)
  }
  if (problems.length === 0) return null
  return `(${done.join(', ') || 'not damaged'})\n  ${shown(bytes)}\n${problems.map((each) => `  - ${each}`).join('\n')}`
}

/** A request as bytes; its connection ends after it. */
function bytesOf(draft: Draft, wire: WireKind | null, below: (bound: number) => number): Buffer {
  const body = draft.body ?? Buffer.alloc(0)
  const parts = {
    line: `${draft.method} ${targetOf(draft)} HTTP/1.1`,
    headers: [
      'Host: sandbox.test',
      'Connection: close',
      ...draft.headers.map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${body.length}`,
    ],
    body,
  }
  const changed = wire === null ? parts : WIRE_DAMAGE[wire](parts, below)
  const head = Buffer.from(`${changed.line}\r\n${changed.headers.join('\r\n')}\r\n\r\n`, 'latin1')
  const whole = Buffer.concat([head, changed.body])
  return wire === 'cutRequest' ? whole.subarray(0, below(whole.length)) : whole
}

/**
 * Sends bytes. Its own side is ended only where more would be waited for: Node drops calls whose callers did so. An answer
 * whose connection stays open afterwards counts as none in time, as every request asks for its end.
 */
function exchange(
  url: string,
  bytes: Buffer,
  { patienceMs, endsSide }: { patienceMs: number; endsSide: boolean },
): Promise<Seen | Unanswered> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => (endsSide ? socket.end(bytes) : socket.write(bytes)))
    const end = (how: Seen | Unanswered): void => {
      callOff()
      socket.destroy()
      resolve(how)
    }
    const done = (): void => end(parseAnswer(Buffer.concat(chunks).toString()) ?? 'closed')
    const callOff = after(patienceMs as Millis, () => end('timed out'))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // A stream never ends by itself.
      const begun = Buffer.concat(chunks.slice(0, 2)).toString().toLowerCase()
      if (begun.includes('content-type: text/event-stream')) done()
    })
    socket.on('error', done)
    socket.on('close', done)
  })
}

function parseAnswer(text: string): Seen | null {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  if (status === undefined) return null
  if (status === '100') return parseAnswer(text.slice(text.indexOf('\r\n\r\n') + 4))
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const headers = new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  const body = rest.join('\r\n\r\n')
  const header = (name: string): string | null => headers.get(name.toLowerCase()) ?? null
  const isStream = header('content-type')?.startsWith('text/event-stream') === true
  const isChunked = header('transfer-encoding') === 'chunked'
  const whole = isChunked ? unchunked(body) : body
  return { status: Number(status), header, text: isStream ? null : whole }
}

/** The text of a chunked body; sizes count bytes. */
function unchunked(body: string): string {
  let bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (;;) {
    const end = bytes.indexOf('\r\n')
    const size = Number.parseInt(bytes.subarray(0, Math.max(0, end)).toString(), 16)
    if (end < 0 || !(size > 0)) return Buffer.concat(parts).toString()
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    bytes = bytes.subarray(end + 4 + size)
  }
}
