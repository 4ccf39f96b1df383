// Owns what each method adds to a new transaction: the PIX code, the card, the boleto, and when the time to pay ends.
import { MIN_BOLETO_DUE_DAYS } from '../contract/limits.ts'
import { addDays, dayOf, parseDay, startOfDay, weekdayOf } from '../kernel/calendar.ts'
import { DAY, later, MINUTE } from '../kernel/time.ts'
import { boletoBarcode, freeField } from './boletoNumbers.ts'
import { dynamicBrCode, staticBrCode } from './brCode.ts'
import { findCardToken, readCard, useCardToken } from './cards.ts'
import { organizationOf } from './organizations.ts'
import { makeReference } from './people.ts'
import { isRefusal, refuse, refuseCreation } from './refusal.ts'
import type { z } from 'zod'
import type { createTransactionBody } from '../contract/transactions.ts'
import type { Cents, Instant, Millis, Timestamp } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'
import type { CardRefusal } from './cards.ts'
import type { CreationCode, Refusal } from './refusal.ts'
import type { Scope, Transaction } from './records.ts'
import type { World } from './world.ts'

/** A request of a creation, under canonical names, with its shape checked. */
export type TransactionInput = z.output<typeof createTransactionBody>

/** What a method makes of a request: when the time to pay ends, and its own part of the record. */
export interface Parts {
  expiresAt: Instant
  /** Makes the part; called once, when nothing can refuse the creation any more. */
  make(amount: Cents, expiresAt: Timestamp): Pick<Transaction, 'pix' | 'card' | 'boleto'>
}

type Refused = Refusal<CreationCode> | CardRefusal

/** Checks what a method asks of a request. */
export function partsOf(
  world: World,
  scope: Scope,
  input: TransactionInput,
  hasCustomer: boolean,
): Parts | Refused {
  switch (input.method) {
    case 'Pix':
      return pixParts(world, scope, input)
    case 'CreditCard':
      return cardParts(world, scope, input)
    case 'Boleto':
      return boletoParts(world, input, hasCustomer)
    default:
      return input.method satisfies never
  }
}

const NONE = { pix: null, card: null, boleto: null }

/** City of every receiver in a code: the sandbox asks no merchant for one. */
const RECEIVER_CITY = 'SAO PAULO'

/** Source: TX-03, TX-16, TX-17. */
function pixParts(world: World, scope: Scope, input: TransactionInput): Parts {
  const minutes = input.pixExpirationMinutes ?? world.choices.get('TX-03')
  return {
    expiresAt: later(world.clock.now(), (minutes * MINUTE) as Millis),
    make(amount, expiresAt) {
      const txId = makeReference(world.random, 32)
      const receiver = { name: organizationOf(world, scope).name, city: RECEIVER_CITY }
      const { kind, host } = world.choices.get('TX-17')
      const copyAndPaste =
        kind === 'dynamic'
          ? dynamicBrCode(`${host}/qr/v2/cob/${world.random.uuid().replaceAll('-', '')}`, receiver)
          : staticBrCode(world.random.uuid(), amount, receiver, txId.slice(0, 25))
      const unpaid = { endToEndId: null, payerName: null, payerDocument: null, payerBank: null }
      return { ...NONE, pix: { txId, copyAndPaste, expiresAt, ...unpaid } }
    },
  }
}

/** Raw fields or a token; a token is used up by the transaction. Source: contract: Method rules 3. */
function cardParts(world: World, scope: Scope, input: TransactionInput): Parts | CardRefusal {
  const token = input.cardToken === undefined ? null : findCardToken(world, scope, input.cardToken)
  if (token && isRefusal(token)) return token
  const known = token ?? readCard(world, input)
  if (isRefusal(known)) return known
  const { lastFour, brand } = known
  const installments = input.installments ?? 1
  return {
    expiresAt: later(world.clock.now(), DAY),
    make() {
      if (token) useCardToken(world, token)
      return { ...NONE, card: { lastFour, brand, installments, authorizationCode: null } }
    },
  }
}

/** Branch, wallet and account of every merchant at the bank that does not exist. */
const BOLETO_ACCOUNT = { branch: '0001', wallet: '09', account: '0000001' }

/** Source: contract: Method rules 2; TX-12, TX-13, TX-15. */
function boletoParts(
  world: World,
  { boletoDueDate, boletoInstructions }: TransactionInput,
  hasCustomer: boolean,
): Parts | Refused {
  if (!hasCustomer) {
    return refuseCreation(
      world,
      'customer_required',
      'A boleto needs a customer: send customerId, or customerName with customerDocument.',
      "Campo 'customerId': um boleto exige um cliente ('customerId' ou 'customerName').",
    )
  }
  const field = world.choices.get('TX-01').boletoDueDate
  if (boletoDueDate === undefined) {
    return refuse(
      'validation_error',
      `Field '${field}': it is required`,
      `Campo '${field}': campo obrigatório.`,
    )
  }
  const dueDay = parseDay(boletoDueDate)
  const earliest = earliestDueDay(world)
  if (dueDay === null || dueDay < earliest) {
    return refuseCreation(
      world,
      'invalid_due_date',
      `Field '${field}': a boleto is due at least ${MIN_BOLETO_DUE_DAYS} days ahead, on ${earliest} or later (TX-13).`,
      `Campo '${field}': o vencimento deve ser a partir de ${earliest}.`,
    )
  }
  const lastDay = addDays(dueDay, world.choices.get('TX-12'))
  return {
    expiresAt: startOfDay(addDays(lastDay, 1)),
    make(amount) {
      const { bank } = world.choices.get('TX-15')
      const ourNumber = world.random.text('0123456789', 11)
      const barcode = boletoBarcode({
        bank,
        dueDay,
        amount,
        freeField: freeField({ ...BOLETO_ACCOUNT, ourNumber }),
      })
      return {
        ...NONE,
        boleto: {
          barcode,
          dueDay,
          instructions: boletoInstructions ?? null,
          slip: makeReference(world.random, 32),
        },
      }
    },
  }
}

/** The first day on which a boleto that is made now may be due. Source: TX-13. */
function earliestDueDay(world: World): CalendarDay {
  const today = dayOf(world.clock.now())
  if (world.choices.get('TX-13') === 'calendarDays') return addDays(today, MIN_BOLETO_DUE_DAYS)
  let day = today
  for (let left = MIN_BOLETO_DUE_DAYS; left > 0;) {
    day = addDays(day, 1)
    if (!isWeekend(day)) left -= 1
  }
  return day
}

function isWeekend(day: CalendarDay): boolean {
  const weekday = weekdayOf(day)
  return weekday === 0 || weekday === 6
}
