// Owns the creation of cashouts: what must hold, and what a new one is made of.
import { invariant } from '../kernel/assert.ts'
import { cents } from '../kernel/brands.ts'
import { isAcceptedDocument } from './customers.ts'
import { parseDocument } from './documents.ts'
import { withdrawalOf } from './balance.ts'
import { CASHOUT_RULES } from './cashoutRules.ts'
import { organizationOf } from './organizations.ts'
import { kindOfPixKey, parsePixKey, PIX_KEY_FORMS } from './pixKeys.ts'
import { addRecord } from './recordIndex.ts'
import { refuse } from './refusal.ts'
import { fire } from './transition.ts'
import { stamp } from './world.ts'
import type { PixKeyType } from '../contract/enums.ts'
import type { Refusal } from './refusal.ts'
import type { Cashout, Credential, Scope } from './records.ts'
import type { World } from './world.ts'

/** A request of a cashout, with its shape checked. */
export interface CashoutInput {
  amount: number
  pixKeyType: PixKeyType
  pixKey: string
  externalId?: string | undefined
  callbackUrl?: string | undefined
}

/** Codes that a cashout is refused with. */
export type CashoutRefusal = Refusal<
  'validation_error' | 'invalid_amount' | 'insufficient_balance' | 'forbidden'
>

/** Creates a cashout in Pending and reserves its amount. Nothing is stored when it is refused. */
export function createCashout(
  world: World,
  credential: Credential,
  input: CashoutInput,
): Cashout | CashoutRefusal {
  const { feeCents } = world.choices.get('CO-05')
  const key = parsePixKey(input.pixKeyType, input.pixKey)
  if (key === null || !isAcceptedKey(world, key)) {
    return refuse(
      'validation_error',
      `pixKey does not fit pixKeyType ${input.pixKeyType}: it is ${PIX_KEY_FORMS[input.pixKeyType]}.`,
      "Campo 'pixKey': não corresponde ao tipo de chave informado.",
    )
  }
  const refused =
    refuseAmount(world, input.amount) ??
    refuseKey(world, credential, input.pixKeyType, key) ??
    refuseFunds(world, credential, input.amount)
  if (refused) return refused
  const { organizationId, environment } = credential
  const at = stamp(world)
  const amount = cents(input.amount)
  const cashout: Cashout = {
    id: world.random.uuid(),
    organizationId,
    environment,
    externalId: input.externalId ?? null,
    amount,
    fee: cents(feeCents),
    netAmount: cents(amount - feeCents),
    currency: 'BRL',
    status: 'Pending',
    pixKeyType: input.pixKeyType,
    pixKey: key,
    endToEndId: null,
    failureReason: null,
    callbackUrl: input.callbackUrl ?? null,
    requestedAt: at,
    processedAt: null,
    completedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  world.state.cashouts[cashout.id] = cashout
  addRecord(world.indexes.cashouts, cashout)
  const created = fire(world, CASHOUT_RULES, cashout, 'create', {}, true)
  invariant(!('refused' in created), 'a cashout can always be created')
  return cashout
}

/** Documents as keys have check digits that hold, where a world asks for it. Source: CU-05. */
function isAcceptedKey(world: World, key: string): boolean {
  const document = parseDocument(key)
  return !document || isAcceptedDocument(world, document)
}

/** The amount pays its fee and reaches the minimum. Source: CO-05. */
function refuseAmount(world: World, amount: number): Refusal<'invalid_amount'> | null {
  const { feeCents, minimumCents } = world.choices.get('CO-05')
  if (amount >= minimumCents && amount > feeCents) return null
  const least = Math.max(minimumCents, feeCents + 1)
  return refuse(
    'invalid_amount',
    `A cashout has at least ${least} cents: the fee of ${feeCents} cents is inside the amount (CO-05).`,
    `O valor mínimo é de ${least} centavos.`,
  )
}

/** Without the permission for any key, only registered ones are paid to. Source: CO-10. */
function refuseKey(
  world: World,
  credential: Credential,
  type: PixKeyType,
  key: string,
): Refusal<'forbidden'> | null {
  if (credential.permissions.includes('cashouts.allowAnyPixKey')) return null
  const { pixKeys } = organizationOf(world, credential)
  if (pixKeys.some((each) => kindOfPixKey(each) === type && parsePixKey(type, each) === key)) return null
  return refuse(
    'forbidden',
    'The key is not registered to the merchant: give the credential cashouts.allowAnyPixKey, or PATCH /_sandbox/organizations/{id} with pixKeys.',
    'A chave PIX não está cadastrada para este recebedor.',
  )
}

/** First the full withdrawal, then the balance. Source: CO-06, CO-13. */
function refuseFunds(
  world: World,
  scope: Scope,
  amount: number,
): Refusal<'invalid_amount' | 'insufficient_balance'> | null {
  const { withdrawNowAvailable, requiresFullWithdrawalNow } = withdrawalOf(world, scope)
  const exact = requiresFullWithdrawalNow || world.choices.get('CO-13') === 'exact'
  if (exact && amount !== withdrawNowAvailable) {
    return refuse(
      'invalid_amount',
      `The full withdrawal is required: the amount must be ${withdrawNowAvailable} cents.`,
      `O valor do saque deve ser exatamente ${withdrawNowAvailable} centavos.`,
    )
  }
  if (amount <= withdrawNowAvailable) return null
  return refuse(
    'insufficient_balance',
    `Only ${withdrawNowAvailable} cents can be withdrawn now; PATCH /_sandbox/balance with fund adds test money.`,
  )
}
