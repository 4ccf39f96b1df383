// Owns random calls for the properties of worlds: what a merchant and a tester may do, and what was answered.
import fc from 'fast-check'
import { createServer } from 'node:http'
import { TRANSACTION_TRIGGERS } from '../../src/domain/transactionMachine.ts'
import type { AddressInfo } from 'node:net'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** One call. `nth` names a transaction among those created so far, counted round. */
export type Command =
  | { do: 'create'; amount: number; minutes: number; hook: boolean; name: string | null }
  | { do: 'customer'; name: string; email: string }
  | { do: 'simulate'; nth: number; action: string }
  | { do: 'trigger'; nth: number; trigger: string; amount: number | null }
  | { do: 'advance'; seconds: number }
  | { do: 'list' }
  | { do: 'settle' }

const nth = fc.nat(20)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create'),
      amount: fc.integer({ min: 90, max: 5_000 }),
      minutes: fc.integer({ min: 5, max: 60 }),
      hook: fc.boolean(),
      name: fc.option(fc.constantFrom('Ana Souza', 'José da Silva', 'Zoë')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('customer'),
      name: fc.constantFrom('Rui', 'Eva'),
      email: fc.constantFrom('a@example.com', 'b@example.com', 'no e-mail'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('simulate'),
      nth,
      action: fc.constantFrom('complete', 'expire', 'fail', 'refund', 'dance'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('trigger'),
      nth,
      trigger: fc.constantFrom(...TRANSACTION_TRIGGERS),
      amount: fc.option(fc.integer({ min: -1, max: 5_000 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('advance'), seconds: fc.integer({ min: 0, max: 3_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'list' }) },
  { weight: 1, arbitrary: fc.constant({ do: 'settle' }) },
)

/** Some calls. */
export const commands: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 1, maxLength: 25 })

/** What one call was answered, without what says when and how it was carried. */
export interface Told {
  status: number
  headers: [string, string][]
  body: unknown
}

/** Headers that tell of the connection, not of the answer. */
const CARRIED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** An answer as it is compared. */
function told({ status, headers, body }: Answered): Told {
  return { status, headers: [...headers].filter(([name]) => !CARRIED.has(name)), body }
}

/** Makes calls one after the other and answers what they were told; `ids` collects the transactions. */
export async function perform(
  sandbox: Pick<TestSandbox, 'send' | 'control' | 'token'>,
  calls: readonly Command[],
  callbackUrl: string,
  ids: string[],
): Promise<Told[]> {
  const all: Told[] = []
  for (const call of calls) all.push(told(await performOne(sandbox, call, callbackUrl, ids)))
  return all
}

async function performOne(
  { send, control, token }: Pick<TestSandbox, 'send' | 'control' | 'token'>,
  call: Command,
  callbackUrl: string,
  ids: string[],
): Promise<Answered> {
  const asMerchant = async (method: string, path: string, body?: unknown): Promise<Answered> =>
    send(method, path, { token: await token(), body })
  const known = (index: number): string => ids[index % Math.max(ids.length, 1)] ?? 'none'
  switch (call.do) {
    case 'create': {
      const { amount, minutes, hook, name } = call
      const made = await asMerchant('POST', '/v1/transactions', {
        method: 'Pix',
        amount,
        pixExpirationMinutes: minutes,
        ...(name === null ? {} : { customerName: name }),
        ...(hook ? { callbackUrl } : {}),
      })
      if (made.status === 201) ids.push(made.body.data.id)
      return made
    }
    case 'customer':
      return asMerchant('POST', '/v1/customers', { name: call.name, email: call.email })
    case 'simulate':
      return asMerchant('POST', `/v1/transactions/${known(call.nth)}/simulate`, { action: call.action })
    case 'trigger': {
      const amount = call.amount === null ? {} : { amount: call.amount }
      return control('POST', '/trigger', { on: known(call.nth), do: call.trigger, ...amount })
    }
    case 'advance':
      return control('POST', '/clock/advance', { by: `${call.seconds}s` })
    case 'list':
      return asMerchant('GET', '/v1/transactions?pageSize=100')
    case 'settle':
      return control('POST', '/settle', {})
    default:
      return call satisfies never
  }
}

/** A receiver whose answer depends on nothing but the delivery and the attempt. */
export async function openSteadyReceiver(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { 'x-service-delivery': delivery = '', 'x-service-attempt': attempt = '' } = request.headers
    const sum = [...`${String(delivery)}${String(attempt)}`].reduce(
      (all, letter) => all + letter.charCodeAt(0),
      0,
    )
    request.resume()
    request.on('end', () => response.writeHead([204, 500, 404][sum % 3] ?? 204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
