// Owns the figures of single calls, each beside a bare Hono app that parses the same body and answers the same JSON.
import { sandboxProgram } from '../bench.ts'
import { counted, figureOf } from '../figures.ts'
import { createCall, getCall, openWorld, postCall, send, tokenCall } from '../gateway.ts'
import { callsOfRound, drive } from '../load.ts'
import { startProgram } from '../program.ts'
import { takeTurns } from '../rounds.ts'
import type { Bench } from '../bench.ts'
import type { Figure } from '../figures.ts'
import type { Call } from '../load.ts'
import type { BareOrders } from '../programs/bare.ts'
import type { Measure } from '../rounds.ts'

/** A call to measure. */
interface Measured {
  what: string
  /** Address of the sandbox that answers it. */
  url: string
  /** As many calls as are named, or fewer that can be sent again. */
  calls(amount: number): Promise<Call[]> | Call[]
}

/** The calls by the name of their figure. */
type MeasuredCalls = Readonly<Record<string, Measured>>

/** Measures the calls of a merchant. */
export async function calls(bench: Bench): Promise<Figure[]> {
  await using sandbox = sandboxProgram(bench)
  // Many transactions weigh on every call of their process, and only lists are to be measured beside them.
  await using full = sandboxProgram(bench)
  await using bare = startProgram<BareOrders>('bare')
  const { few, many } = bench.sizes
  const url = await sandbox.ask('start', {})
  const fullUrl = await full.ask('start', {})
  const [world, empty, large] = [await openWorld(url), await openWorld(url), await openWorld(fullUrl)]
  const store = (count: number): Promise<string[]> => sandbox.ask('store', world.id, { count, instants: 1 })
  const ids = await store(few)
  await full.ask('store', large.id, { count: many, instants: 1 })
  const measured: MeasuredCalls = {
    create: { what: 'create a PIX transaction', url, calls: () => [createCall(world)] },
    get: {
      what: 'get a transaction',
      url,
      calls: () => ids.slice(0, 100).map((id) => getCall(world, `/v1/transactions/${id}`)),
    },
    list: {
      what: `list 20 of ${counted(many)} transactions`,
      url: fullUrl,
      calls: () => [getCall(large, '/v1/transactions')],
    },
    simulate: {
      what: 'simulate that a PIX transaction is paid',
      url,
      calls: async (amount) =>
        (await store(amount)).map((id) =>
          postCall(world, `/v1/transactions/${id}/simulate`, { action: 'complete' }),
        ),
    },
    tokenCheck: {
      what: 'check a token (balance of an empty world)',
      url,
      calls: () => [getCall(empty, '/v1/balance')],
    },
    token: { what: 'issue a token', url, calls: () => [tokenCall(empty)] },
  }
  return await measure(bench, measured, await serveBare(bare, measured))
}

/** Lets the bare app answer each call as the sandbox answered it once. */
async function serveBare(
  bare: ReturnType<typeof startProgram<BareOrders>>,
  measured: MeasuredCalls,
): Promise<string> {
  const routes = []
  for (const { url, calls: callsOf } of Object.values(measured)) {
    const [call] = await callsOf(1)
    if (call === undefined) throw new Error('a measured call has at least one form')
    const path = call.path.replace(/[\da-f]{8}-[-\da-f]{27}/, ':id')
    routes.push({ method: call.method, path, status: 200, answer: await send(url, call) })
  }
  return bare.ask('serve', routes)
}

async function measure({ sizes }: Bench, measured: MeasuredCalls, bareUrl: string): Promise<Figure[]> {
  const { connections } = sizes
  const measures: Record<string, Measure> = {}
  for (const [name, { url, calls: callsOf }] of Object.entries(measured)) {
    const amount = await callsOfRound(url, callsOf, sizes)
    const bareAmount = await callsOfRound(bareUrl, callsOf, sizes)
    measures[name] = async () => drive(url, await callsOf(amount), { connections, amount })
    const bareCalls = await callsOf(connections)
    measures[`bare ${name}`] = () => drive(bareUrl, bareCalls, { connections, amount: bareAmount })
  }
  const taken = await takeTurns(sizes.rounds, measures)
  return Object.entries(measured).map(([name, { what }]) =>
    figureOf(
      { id: `calls.${name}`, what, unit: 'calls/s', beside: 'bare Hono' },
      taken[name] ?? [],
      taken[`bare ${name}`] ?? [],
    ),
  )
}
