// Owns scenes: steps that mean something only one after the other, such as a sale that is simulated, or a webhook that is sent again.
import fc from 'fast-check'
import { SIMULATE_ACTIONS } from '../../../src/contract/enums.ts'
import { CASHOUT_TRIGGERS } from '../../../src/domain/cashoutMachine.ts'
import { DISPUTE_TRIGGERS } from '../../../src/domain/disputeMachine.ts'
import { TRANSACTION_TRIGGERS } from '../../../src/domain/transactionMachine.ts'
import { ALL_RANGES, ALL_SEATS } from './addresses.ts'
import { filtersOf, list } from './drawLists.ts'
import { is } from './drawn.ts'
import { webhookFault } from './drawFaults.ts'
import { CALL_FAULTS, DISPUTE_CHANGED } from './faults.ts'
import { LISTS } from './filters.ts'
import type { Call, Caller } from '../../properties/calls.ts'
import type { FaultOrder, When } from './faults.ts'
import type { WrongToken } from './tokens.ts'
import type { Ask, Inside, Order } from './program.ts'

type Sale = Call & { do: 'sell' }
type Kind = 'transactions' | 'cashouts' | 'disputes'

const call = (one: Call): Inside => ({ do: 'call', call: one })
const ask = (one: Ask): Inside => ({ do: 'ask', ask: one })
const order = (one: Order): Inside => ({ do: 'order', order: one })
const fired = (kind: Kind, on: string): Inside => call({ do: 'trigger', kind, nth: 0, on, amount: null })

function sale(who: Caller, facts: Partial<Sale>): Inside {
  const plain = { method: 'Pix' as const, amount: 1_000, hook: true, customer: null, splits: [], paid: false }
  return call({ do: 'sell', by: who, ...plain, ...facts })
}

const by = fc.constantFrom<Caller[]>('sandbox', 'sandbox', 'sandbox', 'production', 'receiver')
const twoOf = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: 1, maxLength: 2 })
const paid = sale('sandbox', { paid: true })
const contest = call({ do: 'dispute', nth: 0, amount: { percent: 60 }, deadline: '3d' })
const withdrawn = call({ do: 'withdraw', by: 'sandbox', amount: { percent: 50 }, hook: false })
const text: Inside = ask({ ask: 'answer', nth: 0, file: false, form: 'good' })
const file: Inside = ask({ ask: 'answer', nth: 0, file: true, form: 'good' })
const holding: Inside = order({ order: 'hold', type: null })

/** Answers of a dispute that is answered already, is changed by a fault, or is past its deadline. */
const lateAnswers: fc.Arbitrary<Inside[]> = fc
  .tuple(fc.constantFrom<Middle[]>('late', 'stale', 'changed'), fc.boolean())
  .map(([middle, isFile]) => [
    paid,
    contest,
    text,
    ...middleOf(middle, isFile),
    ask({ ask: 'answer', nth: 0, file: isFile, form: middle === 'stale' ? 'stale' : 'good' }),
  ])

/** A credential that is used from an address that it may allow, with a token from another one. */
const guests: fc.Arbitrary<Inside[]> = fc
  .tuple(
    by,
    fc.constantFrom(...ALL_RANGES),
    fc.constantFrom(...ALL_SEATS),
    fc.constantFrom(...ALL_SEATS),
    fc.nat(5),
  )
  .map(([who, range, from, seat, stays]) => [
    order({ order: 'allow', by: who, range }),
    ask({ ask: 'token', by: who, wrong: null, from }),
    ask({ ask: 'from', by: who, from: seat }),
    ...(stays === 0 ? [] : [order({ order: 'allow', by: who, range: 'all' })]),
  ])

/** More tokens than an hour allows, and one later. */
const manyTokens: fc.Arbitrary<Inside[]> = fc
  .tuple(
    by,
    fc.record({
      'AU-13': is(2),
      'AU-02': fc.constantFrom('rate_limit_exceeded', 'auth_rate_limit_exceeded'),
      'AU-04': fc.constantFrom('issuedSlidingHour', 'attemptsSlidingHour'),
    }),
    fc.array(fc.constantFrom<WrongToken[]>(null, null, null, 'secret'), { minLength: 2, maxLength: 4 }),
    fc.constantFrom(1, 59, 60),
  )
  .map(([who, silences, wrongs, minutes]) => [
    order({ order: 'choose', silences }),
    ...wrongs.map((wrong) => ask({ ask: 'token', by: who, wrong, from: 'home' })),
    call({ do: 'advance', minutes }),
    ask({ ask: 'token', by: who, wrong: null, from: 'home' }),
    order({ order: 'choose', silences: { 'AU-13': 'off' } }),
  ])

/** Records of two instants, and a list that asks for some of them. */
const listed: fc.Arbitrary<Inside[]> = fc
  .tuple(fc.constantFrom(...LISTS), fc.constantFrom(1, 700, 1_500))
  .chain(([kind, minutes]) =>
    filtersOf(kind).map((filters) => [
      sale('sandbox', { customer: 1, paid: true }),
      ...(kind === 'disputes' ? [contest] : []),
      ...(kind === 'cashouts' ? [withdrawn] : []),
      call({ do: 'advance', minutes }),
      sale('sandbox', { customer: 2, paid: true }),
      ...(kind === 'disputes' ? [contest] : []),
      ...(kind === 'cashouts' ? [withdrawn] : []),
      ask({ ask: 'list', by: 'sandbox', kind, page: 1, pageSize: 20, filters }),
    ]),
  )

/** Faults that befall nothing before an instant, or nothing from one on. */
const timedFaults: fc.Arbitrary<Inside[]> = fc
  .tuple(
    fc.oneof(
      webhookFault,
      fc.constantFrom(...CALL_FAULTS).map((fault) => onSale(fault)),
    ),
    fc.constantFrom<[When | null, When | null][]>(['10m', null], [null, '10m'], ['10m', '1h']),
    fc.constantFrom(9, 10, 59, 60),
  )
  .map(([one, [after, until], minutes]) => [
    order({ ...one, after, until, times: 3 }),
    paid,
    call({ do: 'advance', minutes }),
    paid,
  ])

function onSale(fault: FaultOrder): Order & { order: 'fault' } {
  const limits = { nth: 1, times: 1, after: null, until: null, only: null }
  return { order: 'fault', fault, operation: 'createTransaction', type: null, ...limits }
}

type Middle = 'late' | 'stale' | 'changed'

function middleOf(middle: Middle, isFile: boolean): Inside[] {
  if (middle === 'stale') return []
  // The dispute waits for three days.
  if (middle === 'late') return [call({ do: 'advance', minutes: 5_000 })]
  const operation = isFile ? 'addDisputeEvidence' : 'respondToDispute'
  const limits = { nth: 1, times: 1, after: null, until: null, only: null }
  return [order({ order: 'fault', fault: DISPUTE_CHANGED, operation, type: null, ...limits })]
}

/**
 * Scenes, with any other step between what they begin with and what they end with.
 * @param guarded operations that a key may not be permitted
 */
export function scenes(
  asks: fc.Arbitrary<Ask>,
  orders: fc.Arbitrary<Order>,
  guarded: readonly string[],
): fc.Arbitrary<Inside[]> {
  const between = fc.oneof(asks.map(ask), orders.map(order))
  const name = fc.constantFrom('one', 'two')
  return fc.oneof(
    fc
      .tuple(
        by,
        fc.constantFrom<Sale['method'][]>('Pix', 'Boleto', 'CreditCard'),
        twoOf(fc.constantFrom(...SIMULATE_ACTIONS)),
      )
      .map(([who, method, actions]) => [
        sale(who, { method, customer: 1 }),
        ...actions.map((action) => call({ do: 'simulate', nth: 0, action })),
      ]),
    fc
      .tuple(by, twoOf(fc.constantFrom(...TRANSACTION_TRIGGERS)))
      .map(([who, triggers]) => [sale(who, {}), ...triggers.map((on) => fired('transactions', on))]),
    fc
      .tuple(by, twoOf(fc.constantFrom(...CASHOUT_TRIGGERS, 'get', 'simulate', 'cancelCashout')))
      .map(([who, triggers]) => [
        call({ do: 'fund', by: who, amount: 5_000 }),
        call({ do: 'withdraw', by: who, amount: { percent: 80 }, hook: true }),
        ...triggers.map((on) => onCashout(on, who)),
      ]),
    fc
      .array(
        fc.oneof(
          fc.constantFrom(...DISPUTE_TRIGGERS).map((on) => fired('disputes', on)),
          fc.constantFrom(text, file),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((some) => [paid, contest, ...some, ask({ ask: 'read', by: 'sandbox', kind: 'disputes', nth: 0 })]),
    fc
      .tuple(name, between, fc.boolean())
      .map(([kept, some, sells]) => [
        ...(sells ? [paid] : []),
        order({ order: 'save', name: kept }),
        some,
        sale('sandbox', {}),
        order({ order: 'restore', name: kept }),
        order({ order: 'toNext' }),
      ]),
    fc
      .constantFrom<Order['order'][]>('resend', 'duplicate')
      .map((which) => [paid, order({ order: which as 'resend', nth: 0 })]),
    fc.tuple(by, between).map(([who, some]) => [sale(who, { customer: 1 }), some, order({ order: 'reset' })]),
    fc.constant<Inside[]>([holding, paid, order({ order: 'release' })]),
    fc
      .constantFrom(true, false)
      .map((isCashout) => [
        call({ do: 'fund', by: 'sandbox', amount: 9_000 }),
        ask({ ask: 'brokenHook', by: 'sandbox', amount: 2_000, cashout: isCashout }),
        isCashout ? fired('cashouts', 'fail') : fired('transactions', 'confirm'),
        order({ order: 'toNext' }),
      ]),
    by.map((who) => [
      ask({ ask: 'tokenize', by: who, good: true }),
      ask({ ask: 'payByToken', by: who, nth: 0 }),
      ask({ ask: 'payByToken', by: who, nth: 0 }),
    ]),
    fc
      .tuple(by, between)
      .map(([who, some]) => [
        ask({ ask: 'customer', by: who, number: 1, externalId: 'C-1', good: true }),
        some,
        ask({ ask: 'customer', by: who, number: 2, externalId: 'C-1', good: true }),
      ]),
    fc
      .tuple(by, between, fc.constantFrom('allowed', 'rejected', 'returnsFirst'))
      .map(([who, some, choice]) => [
        order({ order: 'choose', silences: { 'TX-04': choice } }),
        ask({ ask: 'namedSale', by: who, externalId: 'T-1' }),
        some,
        ask({ ask: 'namedSale', by: who, externalId: 'T-1' }),
      ]),
    lateAnswers,
    guests,
    manyTokens,
    listed,
    list.chain((one) =>
      fc
        .constantFrom({ 'LI-01': 'clamped' }, { 'LI-04': 'notFound' })
        .map((silences) => [order({ order: 'choose', silences }), ask(one)]),
    ),
    timedFaults,
    fc
      .tuple(by, fc.constantFrom(...guarded))
      .map(([who, operation]) => [
        order({ order: 'permit', by: who, active: true, permissions: [] }),
        ask({ ask: 'stranger', who, operation }),
        order({ order: 'permit', by: who, active: true, permissions: null }),
      ]),
    by.map((who) => [
      sale(who, { customer: 3 }),
      ask({ ask: 'wrongChange', kind: 'customers', nth: 0 }),
      call({ do: 'fund', by: who, amount: 5_000 }),
      call({ do: 'withdraw', by: who, amount: { percent: 50 }, hook: true }),
      ask({ ask: 'wrongChange', kind: 'cashouts', nth: 0 }),
    ]),
    by.map((who) => [
      sale(who, { customer: 2 }),
      call({ do: 'customer', nth: 0, email: 1, document: 3 }),
      ask({ ask: 'read', by: who, kind: 'customers', nth: 0 }),
      ask({ ask: 'read', by: who, kind: 'transactions', nth: 0 }),
      ask({ ask: 'list', by: who, kind: 'transactions', page: 1, pageSize: 2, filters: [] }),
    ]),
  )
}

function onCashout(on: string, who: Caller): Inside {
  if (on === 'get') return ask({ ask: 'read', by: who, kind: 'cashouts', nth: 0 })
  if (on === 'simulate') return call({ do: 'cashout', nth: 0, action: 'complete' })
  return on === 'cancelCashout' ? call({ do: 'cashout', nth: 0, action: 'cancel' }) : fired('cashouts', on)
}
