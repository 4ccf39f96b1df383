// Owns the load: one call after the other over each of some keep-alive connections, from this process.
import autocannon from 'autocannon'
import type { Sizes } from './sizes.ts'

/** One call, as it is sent. */
export interface Call {
  method: 'GET' | 'POST'
  /** With its query. */
  path: string
  headers: Record<string, string>
  body?: string
}

/** How much is sent. */
export interface Load {
  connections: number
  /** Calls in all. */
  amount: number
}

/** How often the load generator looks whether it has ended, in milliseconds. */
const TICK_MS = 10
/** Steps of a warm-up; the first one is only two calls for each connection. */
const WARM_STEPS = 4

/**
 * Sends calls and answers how many a second were answered, from the first answer to the last. The calls are dealt to the
 * connections in turn and begin anew when they run out; as many calls as the amount are each sent once.
 * @throws {Error} when a call is not answered, or not with a status of success
 */
export async function drive(
  url: string,
  calls: readonly Call[],
  { connections, amount }: Load,
): Promise<number> {
  let dealt = 0
  const answers = { count: 0, first: 0, last: 0 }
  const options = {
    url,
    connections,
    amount,
    sampleInt: TICK_MS,
    setupClient(client: autocannon.Client) {
      const own = calls.filter((_, index) => index % connections === dealt)
      client.setRequests(own.length === 0 ? [...calls] : own)
      dealt += 1
    },
  }
  // What it answers is both, but its types know only one at a time.
  const running = autocannon(options) as Promise<autocannon.Result> & autocannon.Instance
  void running.on('response', () => {
    answers.last = performance.now()
    answers.first ||= answers.last
    answers.count += 1
  })
  const { errors, non2xx, statusCodeStats } = await running
  if (errors > 0 || non2xx > 0 || answers.count < amount) {
    const [{ method, path } = { method: 'GET', path: '/' }] = calls
    const found = JSON.stringify({ asked: amount, answered: answers.count, errors, statusCodeStats })
    throw new Error(`${method} ${url}${path} was not answered well: ${found}`)
  }
  return ((answers.count - 1) / (answers.last - answers.first)) * 1_000
}

/**
 * Warms a server up with a call, in steps that each take about as long as a round however slow it is, and answers how many
 * of the call fill a round.
 * @param callsOf makes as many calls as are named, or fewer that can be sent again
 * @returns a multiple of the connections
 */
export async function callsOfRound(
  url: string,
  callsOf: (amount: number) => Promise<readonly Call[]> | readonly Call[],
  { connections, loadMs }: Pick<Sizes, 'connections' | 'loadMs'>,
): Promise<number> {
  let amount = 2 * connections
  for (let step = 0; step < WARM_STEPS; step += 1) {
    const rate = await drive(url, await callsOf(amount), { connections, amount })
    amount = connections * Math.max(2, Math.round((rate * loadMs) / 1_000 / connections))
  }
  return amount
}
