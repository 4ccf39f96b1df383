// Owns random orders to the control API of a world.
import fc from 'fast-check'
import { by, is, nth } from './drawn.ts'
import { given } from './drawGiven.ts'
import { fault } from './drawFaults.ts'
import type { Order } from './program.ts'

/** Rules that end: none sets itself off again. */
const RULES: readonly { when: { call?: string; event?: string }; trigger: string }[] = [
  { when: { call: 'createTransaction' }, trigger: 'confirm' },
  { when: { call: 'createTransaction' }, trigger: 'cancel' },
  { when: { call: 'createCashout' }, trigger: 'process' },
  { when: { call: 'createCashout' }, trigger: 'complete' },
  { when: { call: 'respondToDispute' }, trigger: 'win' },
  { when: { event: 'payment.completed' }, trigger: 'requestRefund' },
  { when: { event: 'payment.refund_requested' }, trigger: 'settleRefund' },
  { when: { event: 'payment.refund_requested' }, trigger: 'rejectRefund' },
  { when: { event: 'payment.expired' }, trigger: 'confirm' },
  { when: { event: 'dispute.opened' }, trigger: 'review' },
  { when: { event: 'dispute.under_review' }, trigger: 'lose' },
]
const rule: fc.Arbitrary<Order> = fc
  .tuple(
    fc.constantFrom(...RULES),
    fc.constantFrom(0, 0, 60_000, 86_400_000),
    fc.option(fc.integer({ min: 1, max: 2 })),
  )
  .map(([one, after, times]) => ({ order: 'rule' as const, ...one, after, times }))

const knobs = fc.oneof(
  fc.record({ 'TX-30': fc.constantFrom('never', 'latePayer') }),
  fc.record({ 'DI-02': fc.constantFrom('MerchantResponded', 'staysOpen') }),
  fc.record({ 'DI-03': fc.constantFrom('none', 1, 7) }),
  fc.record({ 'CO-13': fc.constantFrom('ceiling', 'exact') }),
  fc.record({ 'BA-02': fc.boolean() }),
  fc.record({ 'LI-01': fc.constantFrom('refused', 'clamped') }),
  fc.record({ 'LI-04': fc.constantFrom('empty', 'notFound') }),
  fc.record({ 'AU-08': fc.constantFrom('everyCall', 'tokenOnly') }),
  fc.record({ 'TX-02': fc.constantFrom(200, 201) }),
  fc.record({ 'TX-04': fc.constantFrom('allowed', 'rejected', 'returnsFirst') }),
)

const name = fc.constantFrom('one', 'two')
/** An order. */
export const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 12, arbitrary: fault },
  { weight: 3, arbitrary: rule },
  { weight: 4, arbitrary: given('order').map((entries) => ({ order: 'give' as const, entries })) },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Order[]>(
      { order: 'clearFaults' },
      { order: 'clearRules' },
      { order: 'release' },
      { order: 'release' },
      { order: 'toNext' },
      { order: 'toNext' },
      { order: 'reset' },
      { order: 'backwards' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ order: is('hold' as const), type: fc.constantFrom(null, 'payment.completed') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ order: fc.constantFrom('resend' as const, 'duplicate' as const), nth }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      order: is('permit' as const),
      by,
      active: fc.oneof(is(true), is(true), is(false)),
      permissions: fc.constantFrom(
        null,
        null,
        [],
        ['balance.read', 'cashouts.write', 'transactions.write'],
        ['disputes.write', 'transactions.write', 'customers.edit'],
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      order: is('maySplit' as const),
      of: fc.constantFrom('merchant' as const, 'receiver' as const),
      may: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ order: is('save' as const), name }) },
  { weight: 3, arbitrary: fc.record({ order: is('restore' as const), name }) },
  { weight: 1, arbitrary: fc.record({ order: is('forget' as const), name }) },
  { weight: 3, arbitrary: fc.record({ order: is('choose' as const), silences: knobs }) },
)
