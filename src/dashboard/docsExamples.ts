// Owns the examples of the gateway's operations: bodies that a world takes as they are, and the records that paths name.
import { scopeKey } from '../domain/indexes.ts'
import { findRecords } from '../domain/recordQuery.ts'
import { recordOf } from '../domain/state.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { withoutCounting } from '../world/choices.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Credential } from '../domain/records.ts'
import type { RecordIndex } from '../domain/recordIndex.ts'
import type { KeyPair } from '../world/keys.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** A body under the name of what it is for; a field is null where a browser sends a file. */
export interface Example {
  name: string
  body: Readonly<Record<string, unknown>>
}

/** Days from now on which the boleto of the example is due: far enough by any way of counting. */
const DUE_IN_DAYS = 7
/** Years from now until which the card of the example is good. */
const CARD_YEARS = 3

/** A test number that every gateway knows; it belongs to nobody. */
const TEST_CARD = '4111111111111111'

/** Examples of the operations that read a body; the first is what the form begins with. */
export function examplesOf(
  world: RunningWorld,
  keys: KeyPair | null,
): Partial<Record<OperationId, Example[]>> {
  const today = dayOf(world.clock.now())
  const { publicKey = 'pk_sandbox_…', secretKey = 'sk_sandbox_…' } = keys ?? {}
  const one = (body: Example['body']): Example[] => [{ name: '', body }]
  const payer = { customerName: 'Ana Souza', customerDocument: '52998224725' }
  const card = {
    cardNumber: TEST_CARD,
    cardHolderName: 'ANA SOUZA',
    cardExpirationMonth: '12',
    cardExpirationYear: String(Number(today.slice(0, 4)) + CARD_YEARS),
    cardCvv: '123',
  }
  const named = namesOf(world)
  return {
    createToken: one({ publicKey, secretKey, grantType: 'client_credentials' }),
    createTransaction: [
      { name: 'Pix', body: named({ method: 'Pix', amount: 12_990, description: 'Pedido 1042', ...payer }) },
      {
        name: 'Boleto',
        body: named({
          method: 'Boleto',
          amount: 25_000,
          ...payer,
          boletoDueDate: addDays(today, DUE_IN_DAYS),
        }),
      },
      { name: 'CreditCard', body: named({ method: 'CreditCard', amount: 45_990, installments: 3, ...card }) },
    ],
    simulateTransaction: ['complete', 'expire', 'fail'].map((action) => ({ name: action, body: { action } })),
    tokenizeCard: one(card),
    createCustomer: one({ name: 'Ana Souza', email: 'ana.souza@example.com', phone: '5511987654321' }),
    updateCustomer: one({ phone: '5511912345678' }),
    createCashout: one({ amount: 1_000, pixKeyType: 'CPF', pixKey: '52998224725' }),
    simulateCashout: ['complete', 'fail', 'reject'].map((action) => ({ name: action, body: { action } })),
    respondToDispute: one({ text: 'O produto foi entregue em 3 de janeiro, com assinatura.' }),
    addDisputeEvidence: one({ file: null, description: 'Comprovante de entrega' }),
  }
}

/** Gives the fields of a creation the names that they have in a world. Source: TX-01. */
function namesOf(world: RunningWorld): (body: Example['body']) => Example['body'] {
  const names: Readonly<Record<string, string>> = withoutCounting(world).choices.get('TX-01')
  return (body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value]))
}

/** What a record that a path names must be, for the operation to take it. */
const WANTED: Partial<Record<OperationId, string>> = {
  simulateTransaction: 'Pending',
  simulateCashout: 'Pending',
  cancelCashout: 'Pending',
  respondToDispute: 'Open',
  addDisputeEvidence: 'Open',
}

/** The newest record of a merchant that an operation would take; null when there is none. */
export function newestFor(
  world: RunningWorld,
  { publicKey }: KeyPair,
  id: string,
  kind: 'transactions' | 'customers' | 'cashouts' | 'disputes',
): string | null {
  const credential: Credential | null = recordOf(world.state.credentials, publicKey)
  if (!credential) return null
  const index = world.indexes[kind] as unknown as RecordIndex<{ id: string }>
  const filters = { status: WANTED[id as OperationId] }
  const found = findRecords(index, { scopes: [scopeKey(credential)], filters, fits: () => true })
  return found.page(0, 1)[0]?.id ?? null
}
