// Owns splits: the rules of a request, and the share of each receiver in whole cents.
import { basisPoints, cents, shareFloor, sumCents } from '../kernel/brands.ts'
import { WHOLE_WORLD } from './indexes.ts'
import { firstNamed } from './recordIndex.ts'
import { refuseCreation } from './refusal.ts'
import { organizationOf } from './organizations.ts'
import type { SplitType } from '../contract/enums.ts'
import type { Cents } from '../kernel/brands.ts'
import type { CreationCode, Refusal } from './refusal.ts'
import type { Organization, Scope, Transaction } from './records.ts'
import type { World } from './world.ts'

/** A part of a transaction, as a request names it. */
export interface SplitInput {
  splitCode: string
  type: SplitType
  value: number
}

type Share = Transaction['splits'][number]

/**
 * The shares of a new transaction. Percentages are rounded down to cents.
 * Source: contract: Split item in the request; TX-27.
 */
export function readSplits(
  world: World,
  scope: Scope,
  { amount, netAmount }: { amount: Cents; netAmount: Cents },
  splits: readonly SplitInput[],
): Share[] | Refusal<CreationCode> {
  if (splits.length > 0 && !organizationOf(world, scope).maySplit) {
    return refuseSplit(
      world,
      'splits: this organisation may not split; PATCH /_sandbox/organizations/{id} with maySplit: true.',
      "Campo 'splits': a divisão de pagamento não está habilitada para esta organização.",
    )
  }
  const base = world.choices.get('TX-27') === 'gross' ? amount : netAmount
  const shares: Share[] = []
  for (const [index, sent] of splits.entries()) {
    const share = readShare(world, { ...sent, splitCode: sent.splitCode.toLowerCase() }, base, shares)
    if ('hint' in share) {
      const field = `splits.${index}.${share.field}`
      return refuseSplit(world, `${field}: ${share.hint}`, `Campo '${field}': ${share.message}`)
    }
    shares.push(share)
  }
  const sum = sumCents(shares.map(({ shareAmount }) => shareAmount))
  if (sum <= netAmount) return shares
  return refuseSplit(
    world,
    `splits: the shares sum to ${sum} cents and only ${netAmount} are settled.`,
    "Campo 'splits': a soma das divisões excede o valor líquido da transação.",
  )
}

/** A percentage in hundredths of a percent. */
function hundredths(percentage: number): number {
  return Math.round(percentage * 100)
}

/** The organisation that a split code names; null when there is none. */
function receiverOf({ indexes }: World, splitCode: string): Organization | null {
  return firstNamed(indexes.organizations, WHOLE_WORLD, 'splitCode', splitCode)
}

/** One share of `base` cents, or what is wrong with it. */
function readShare(
  world: World,
  { splitCode, type, value }: SplitInput,
  base: Cents,
  before: readonly Share[],
): Share | { field: string; hint: string; message: string } {
  const receiver = receiverOf(world, splitCode)
  if (!receiver) {
    const hint = 'no organisation of this world has this splitCode; GET /_sandbox/organizations lists them.'
    return { field: 'splitCode', hint, message: 'recebedor não encontrado.' }
  }
  if (before.some((share) => share.splitCode === splitCode)) {
    return { field: 'splitCode', hint: 'the same receiver stands twice.', message: 'recebedor repetido.' }
  }
  if (type === 'FIXED' && !(Number.isSafeInteger(value) && value > 0)) {
    const message = 'deve ser um número inteiro positivo de centavos.'
    return { field: 'value', hint: 'a FIXED share is a positive whole number of cents.', message }
  }
  const isPercentage = value >= 1 && value <= 100 && Number(value.toFixed(2)) === value
  if (type === 'PERCENTAGE' && !isPercentage) {
    const message = 'deve estar entre 1 e 100, com até duas casas decimais.'
    return { field: 'value', hint: 'a PERCENTAGE is 1 to 100 with at most two decimals.', message }
  }
  const shareAmount = type === 'FIXED' ? cents(value) : shareFloor(base, basisPoints(hundredths(value)))
  return { splitCode, organizationId: receiver.id, type, value, shareAmount }
}

function refuseSplit(world: World, hint: string, message: string): Refusal<CreationCode> {
  return refuseCreation(world, 'invalid_splits', hint, message)
}
