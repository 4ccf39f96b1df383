// Fuzz: damaged requests are refused as declared and change nothing; and each check sees the defect that it is for.
import { describe, expect, it } from 'vitest'
import { readOperations } from './documents.ts'
import { fuzz } from './fuzz.ts'
import { fuzzSockets } from './socket.ts'
import { unreached } from './tally.ts'
import type { FuzzOptions } from './fuzz.ts'
import type { Fetch, Stage } from './stage.ts'

const OPERATIONS = readOperations()
/** A seed with which some thousand requests reach every operation with a success and with a refusal. */
const SEED = 20
const REQUESTS = 4_000
/** Host milliseconds for what starts servers again and again. */
const LONG = 240_000

describe('requests that are damaged', () => {
  it(
    'are answered as declared, and refusals change nothing',
    async () => {
      const { tally, failure } = await fuzz({ seed: SEED, requests: REQUESTS, operations: OPERATIONS })
      expect(failure).toBeNull()
      expect(tally.requests).toBe(REQUESTS)
      expect(unreached(tally, OPERATIONS)).toEqual([])
    },
    LONG,
  )

  it(
    'are answered in the envelope over a socket, however broken their bytes are',
    async () => {
      const { tally, failure } = await fuzzSockets({ seed: SEED, requests: 400, operations: OPERATIONS })
      expect(failure).toBeNull()
      expect(tally.requests).toBe(400)
    },
    LONG,
  )
})

/** A run on an app that something was put in front of; the reads of the balance are what it spoils. */
function withPlanted(
  wrap: NonNullable<FuzzOptions['wrap']>,
  patienceMs = 30_000,
): Promise<{ failure: string | null }> {
  const operations = OPERATIONS.filter(({ id }) => id === 'getBalance')
  return fuzz({ seed: 1, requests: 20, operations, wrap, patienceMs })
}

/** Changes every answer of an app. */
function answering(
  change: (response: Response, body: Record<string, unknown>, stage: Stage) => Response | Promise<Response>,
) {
  return (fetch: Fetch, stage: Stage): Fetch =>
    async (request) => {
      const response = await fetch(request)
      const text = await response.text()
      if (text === '') return new Response(null, response)
      return change(new Response(text, response), JSON.parse(text) as Record<string, unknown>, stage)
    }
}

describe('a planted defect is told with its seed and its request:', () => {
  it.each([
    [
      'an answer without the envelope',
      answering((response, { data }) => Response.json(data, response)),
      /getBalance 200: .*(?:data|error)/s,
    ],
    [
      'a refusal without the envelope',
      answering((response, { error }) => (error ? Response.json({ error }, response) : response)),
      /getBalance 4\d\d: |is no envelope/,
    ],
    [
      'a 500',
      answering((response) => new Response(response.body, { ...response, status: 500 })),
      /the status is 500/,
    ],
    [
      'a field that the schema does not have',
      answering((response, body) => Response.json({ ...body, extra: 1 }, response)),
      /Unrecognized key.*extra/,
    ],
    [
      'a header that is missing',
      answering((response) => {
        const headers = new Headers(response.headers)
        headers.delete('X-Sandbox-Silences')
        return new Response(response.body, { status: response.status, headers })
      }),
      /the header X-Sandbox-Silences is missing/,
    ],
    [
      'a refused call that stores something',
      answering((response, { error }, { worlds }) => {
        if (error) worlds.default.state.variedAnswers += 1
        return response
      }),
      /it was refused with 4\d\d and yet something was stored: .*variedAnswers/,
    ],
    [
      'a defect that was only reported',
      answering((response, _, { worlds }) => {
        worlds.host.report(new Error('planted'))
        return response
      }),
      /a defect was reported: Error: planted/,
    ],
  ] as const)(
    '%s',
    async (_name, wrap, problem) => {
      const { failure } = await withPlanted(wrap)
      expect(failure).toMatch(problem)
      expect(failure).toMatch(/^seed 1, round 0: getBalance \(.*\)\n {2}curl --path-as-is -X \w+ /)
      expect(failure).not.toMatch(/eyJ|sk_sandbox/)
    },
    LONG,
  )

  it(
    'a request that is never answered',
    async () => {
      const never: Promise<Response> = new Promise(() => undefined)
      const { failure } = await withPlanted(() => () => never, 50)
      expect(failure).toMatch(/there is no answer/)
    },
    LONG,
  )

  it(
    'shrunk to the request alone, without damage that it does not need',
    async () => {
      const { failure } = await withPlanted(
        answering((response) => new Response(response.body, { status: 500 })),
      )
      expect(failure).toMatch(/getBalance \(not damaged\)/)
    },
    LONG,
  )
})
