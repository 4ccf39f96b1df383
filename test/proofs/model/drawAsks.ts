// Owns random calls of the gateway besides those of `calls.ts`.
import fc from 'fast-check'
import { CALLERS } from '../../properties/calls.ts'
import { list } from './drawLists.ts'
import { by, GUARDED, is, kind, nth, price } from './drawn.ts'
import { WRONG_SALES } from './wrong.ts'
import type { Ask } from './program.ts'

/** A call. */
export const ask: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ask: is('read' as const), by, kind, nth }) },
  { weight: 6, arbitrary: list },
  { weight: 3, arbitrary: fc.record({ ask: is('balance' as const), by }) },
  { weight: 1, arbitrary: fc.record({ ask: is('health' as const), wrong: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: is('token' as const),
      by,
      wrong: fc.constantFrom('secret' as const, 'field' as const, null),
      from: is('home' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ask: is('tokenize' as const), by, good: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ask: is('payByToken' as const), by, nth }) },
  {
    weight: 3,
    arbitrary: fc.record({ ask: is('wrongSale' as const), by, wrong: fc.constantFrom(...WRONG_SALES) }),
  },
  { weight: 1, arbitrary: fc.record({ ask: is('wrongKey' as const), by, amount: price }) },
  {
    weight: 3,
    arbitrary: fc.record({ ask: is('brokenHook' as const), by, amount: price, cashout: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ask: is('customer' as const),
      by,
      number: fc.nat(3),
      externalId: fc.option(fc.constantFrom('C-1', 'C-2')),
      good: fc.oneof(is(true), is(true), is(false)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ask: is('namedSale' as const), by, externalId: fc.constantFrom('T-1', 'T-2') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: is('answer' as const),
      nth,
      file: fc.boolean(),
      form: fc.constantFrom('good' as const, 'stale' as const, 'bad' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ask: is('stranger' as const),
      who: fc.constantFrom('nobody' as const, 'nonsense' as const, ...CALLERS),
      operation: fc.constantFrom(...GUARDED),
    }),
  },
)
