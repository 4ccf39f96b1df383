// Fuzz: damaged requests are refused as declared and change nothing; and each check sees the defect that it is for.
import { describe, expect, it } from 'vitest'
import { readOperations } from './documents.ts'
import { fuzz, roundSeed } from './fuzz.ts'
import { fuzzSockets } from './socket.ts'
import { openStage } from './stage.ts'
import { emptyTally, unreached } from './tally.ts'
import type { FuzzOptions } from './fuzz.ts'
import type { Fetch, Stage } from './stage.ts'

const OPERATIONS = readOperations()
/** A seed with which some thousand requests reach every operation with a success and with a refusal. */
const SEED = 25
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
      /getBalance (?:200: .*Invalid input: expected \w+, received undefined|4\d\d: .*Invalid input)/s,
    ],
    [
      'a refusal without the envelope',
      answering((response, { error }) => (error ? Response.json({ error }, response) : response)),
      /the refusal 4\d\d is no envelope: \{"error":/,
    ],
    [
      'a 500',
      answering((response) => new Response(response.body, { ...response, status: 500 })),
      /the status is 500/,
    ],
    [
      'a success of a type that is not declared',
      answering(async (response) => {
        const headers = new Headers(response.headers)
        headers.set('Content-Type', 'text/plain')
        return new Response(await response.text(), { status: response.status, headers })
      }),
      /getBalance \d+: the type is 'text\/plain', and application\/json is declared/,
    ],
    [
      'a text that is no JSON',
      answering(
        (response) =>
          new Response('junk', { status: response.status, headers: { 'Content-Type': 'text/html' } }),
      ),
      /getBalance \d+: the body is no JSON in junk/,
    ],
    [
      'a status that is not declared',
      answering((response) => new Response(response.body, { status: 418, headers: response.headers })),
      /getBalance declares no status 418: /,
    ],
    [
      'a refusal without a hint',
      answering((response, { error }) => {
        const headers = new Headers(response.headers)
        if (error) headers.delete('X-Sandbox-Hint')
        return new Response(response.body, { status: response.status, headers })
      }),
      /the refusal 4\d\d has no hint/,
    ],
    [
      'a refusal with an unknown code',
      answering((response, body) => {
        const error = body['error'] as object | null
        return Response.json(error ? { ...body, error: { ...error, code: 'oops' } } : body, response)
      }),
      /the refusal 4\d\d has the unknown code 'oops'/,
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
      expect(failure).toContain('http://127.0.0.1:4848/')
      expect(failure).toContain('\nreplay: npm run prove:fuzz -- --seed 1 --requests ')
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

  it(
    'with the calls before it that it needs',
    async () => {
      let calls = 0
      const { failure } = await withPlanted((fetch) => {
        calls = 0
        return async (request) => {
          calls += 1
          return calls < 2 ? fetch(request) : new Response('', { status: 500 })
        }
      })
      expect(failure).toMatch(/after these calls on a fresh stage:\n {2}curl .*\nreplay: /)
    },
    LONG,
  )
})

describe('a run', () => {
  it('of another seed shares no round', () => {
    const seeds = Array.from({ length: 20 }, (_, seed) =>
      Array.from({ length: 20 }, (_each, round) => roundSeed(seed, round)),
    )
    expect(new Set(seeds.flat()).size).toBe(400)
  })

  it('tells a stage that could not be set up, and leaves nothing open', async () => {
    let reached: Fetch | null = null
    const opened = openStage('fuzz', false, (_worlds, fetch) => {
      reached = fetch
      return Promise.reject(new Error('planted'))
    })
    await expect(opened).rejects.toThrow('the stage could not be set up: Error: planted')
    await expect((reached as Fetch | null)?.(new Request('http://sandbox.test/'))).rejects.toThrow('closed')
  })

  it('tells the codes that can come and did not', () => {
    expect(unreached(emptyTally([]), [])).toContain('no refusal has the code sandbox_only')
  })
})
