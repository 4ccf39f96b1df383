// Checks when firing a trigger makes a delivery, and what the rules of a world are told of its event.
import { expect, test } from 'vitest'
import { cents } from '../../src/kernel/brands.ts'
import { line, merchantAccount } from '../../src/domain/books.ts'
import { CASHOUT_RULES } from '../../src/domain/cashoutRules.ts'
import { addRecord } from '../../src/domain/recordIndex.ts'
import { post } from '../../src/domain/ledger.ts'
import { fire } from '../../src/domain/transition.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Cashout } from '../../src/domain/records.ts'
import type { World } from '../../src/domain/world.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const
const DATA = { id: 'cashout-1', status: 'Cancelled', amount: 300, netAmount: 100 }

test.each([
  ['a receiver', 'http://shop.test/hook', true, 1],
  ['a receiver, where no delivery may be made', 'http://shop.test/hook', false, 0],
  ['no receiver', null, true, 0],
  ['no receiver, where no delivery may be made', null, false, 0],
] as const)('with %s', (_what, callbackUrl, mayGoOut, deliveries) => {
  const told: unknown[] = []
  const world: World = {
    ...emptyWorld({ 'WH-06': 'minimum' }),
    emitted: (type, record, say) => {
      told.push([type, record, say()])
      return mayGoOut
    },
  }
  const cashout = {
    ...SCOPE,
    id: 'cashout-1',
    status: 'Pending',
    amount: cents(300),
    netAmount: cents(100),
    callbackUrl,
  } as Cashout
  addRecord(world.indexes.cashouts, cashout)
  post(world, cashout, 'reserve', [
    line(merchantAccount(SCOPE, 'available'), -300),
    line(merchantAccount(SCOPE, 'reserved'), 300),
  ])
  const fired = fire(world, CASHOUT_RULES, cashout, 'cancel')
  expect(fired).toMatchObject({ from: 'Pending', to: 'Cancelled' })
  expect(told).toEqual([['cashout.cancelled', cashout, DATA]])
  expect('deliveries' in fired && fired.deliveries).toEqual(Object.keys(world.state.deliveries))
  expect(Object.keys(world.state.deliveries)).toHaveLength(deliveries)
})
