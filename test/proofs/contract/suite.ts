// Owns what every chapter of the suite is given: the target, its book, and the records that several chapters look at.
import { inShort, isSuccess, textAt } from './call.ts'
import { LeftOut, once } from './check.ts'
import { usable } from './demands.ts'
import type { Answer, Gateway, Host } from './call.ts'
import type { Book } from './check.ts'
import type { Hook, Receiver } from './receiver.ts'
import type { HiddenName, Names } from './names.ts'

/** A key pair. */
export interface Keys {
  publicKey: string
  secretKey: string
}

/** What a run may use besides the base URL and the keys. */
export interface Given {
  /** Split code of another organisation that may receive shares. */
  splitCode: string | null
  /** Id of an open dispute that the run may respond to. */
  dispute: string | null
  /** Whether the run may use up the tokens of an hour, to meet the limit. */
  exhaustTokens: boolean
  /** Prefix of the headers of a delivery; the contract puts a neutral word in its place. */
  webhookPrefix: string
}

/** What a chapter is given. */
export interface Suite {
  book: Book
  gateway: Gateway
  host: Host
  keys: Keys
  environment: 'Sandbox' | 'Production'
  names: Names
  receiver: Receiver | null
  given: Given
  records: Records
}

/** Records that are made once, when the first check needs them. */
export interface Records {
  /** A PIX with only what is required. */
  smallPix(): Promise<Answer>
  /** A PIX with everything that the contract names. */
  fullPix(): Promise<Answer>
  /** What was sent for it. */
  fullPixBody: Record<string, unknown>
  boleto(): Promise<Answer>
  card(): Promise<Answer>
  /** A PIX with an address for its webhooks, paid by simulation. */
  paid(): Promise<Paid>
}

/** A paid PIX. */
export interface Paid {
  id: string
  created: Answer
  simulated: Answer
  retrieved: Answer
  hook: Hook | null
}

/** A card number that every brand's test table has, and the rest of a card. */
export const CARD = {
  cardNumber: '4111111111111111',
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2039',
  cardCvv: '123',
} as const

/** A PIX of ten units of the currency, and what else is said. */
export function pixOf(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { method: 'Pix', amount: 1_000, ...more }
}

/** Creates a transaction. */
export async function create(gateway: Gateway, body: unknown): Promise<Answer> {
  return gateway.call('POST', '/v1/transactions', { body })
}

/** Reads a transaction. */
export async function retrieve(gateway: Gateway, id: string): Promise<Answer> {
  return gateway.call('GET', `/v1/transactions/${id}`)
}

/** Simulates something on a transaction. */
export async function simulate(gateway: Gateway, id: string, action: unknown): Promise<Answer> {
  return gateway.call('POST', `/v1/transactions/${id}/simulate`, { body: { action } })
}

/** Leaves a check out where the keys are those of Production: simulations and money of others have no place there. */
export function onlyInSandbox({ environment }: Pick<Suite, 'environment'>): void {
  if (environment === 'Production') throw new LeftOut('only with Sandbox keys')
}

/** A boleto for an inline customer, due some days after the last creation of the target, and what else is said. */
export async function boletoBody(
  suite: Pick<Suite, 'names' | 'records'>,
  days: number,
  more: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const created = usable('PIX', await suite.records.smallPix())
  // The day of the target, whose clock may stand elsewhere than ours.
  const due = new Date(Date.parse(textAt(created, 'data.createdAt')) + days * 86_400_000)
  return {
    method: 'Boleto',
    amount: 10_000,
    customerName: 'Ana Souza',
    [suite.names.of('customerDocument')]: '12345678909',
    [suite.names.of('boletoDueDate')]: due.toISOString().slice(0, 10),
    ...more,
  }
}

/** The records of one run; `mark` stands in their references, so that a run finds its own again. */
export function openRecords(suite: Omit<Suite, 'records' | 'book'>, mark: string): Records {
  const { gateway, names, receiver } = suite
  const named = (name: HiddenName, value: string): Record<string, string> => ({ [names.of(name)]: value })
  const fullPixBody = pixOf({
    currency: 'BRL',
    description: 'Pedido 1',
    externalId: mark,
    metadata: '{"order":1}',
    callbackUrl: 'https://shop.example.com/hook',
    customerName: 'Ana Souza',
    ...named('customerDocument', '12345678909'),
    ...named('customerEmail', 'ana@example.com'),
    ...named('customerPhone', '+5511987654321'),
  })
  const records: Records = {
    fullPixBody,
    smallPix: once(() => create(gateway, pixOf())),
    fullPix: once(() => create(gateway, fullPixBody)),
    boleto: once(async () => create(gateway, await boletoBody({ names, records }, 5))),
    card: once(() => {
      onlyInSandbox(suite)
      return create(gateway, {
        method: 'CreditCard',
        amount: 10_000,
        [names.of('installments')]: 2,
        ...CARD,
      })
    }),
    paid: once(async () => {
      onlyInSandbox(suite)
      const hook = receiver?.hook() ?? null
      const more = hook ? { callbackUrl: hook.url } : {}
      const body = { ...fullPixBody, amount: 10_000, ...more }
      const created = usable('PIX', await create(gateway, body))
      const id = textAt(created, 'data.id')
      const simulated = await simulate(gateway, id, 'complete')
      if (!isSuccess(simulated)) throw new LeftOut(`no PIX could be paid: ${inShort(simulated)}`)
      return { id, created, simulated, retrieved: await retrieve(gateway, id), hook }
    }),
  }
  return records
}
