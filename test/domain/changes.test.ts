// Checks that what changes without a trigger is told of: what nobody hears of is never written to disk.
import { expect, test } from 'vitest'
import { cents } from '../../src/kernel/brands.ts'
import { requireFullWithdrawal } from '../../src/domain/balance.ts'
import { line, merchantAccount, outsideAccount } from '../../src/domain/books.ts'
import { post } from '../../src/domain/ledger.ts'
import { settleSale, takeUnsettled } from '../../src/domain/transactionRules.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { World } from '../../src/domain/world.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const

/** A sale of which 100 cents are pending. */
const SALE = { ...SCOPE, id: 'sale-1', unsettledAmount: cents(100) } as Transaction

test.each<[what: string, change: (world: World, sale: Transaction) => void, told: string[]]>([
  [
    'that a cashout must take everything',
    (world) => requireFullWithdrawal(world, SCOPE, true),
    ['accounts org-1|Sandbox|'],
  ],
  [
    'that the money of a sale became available',
    (world, sale) => settleSale(world, sale),
    ['transactions sale-1'],
  ],
  [
    'that a dispute took money that was pending',
    (world, sale) => takeUnsettled(world, sale, 40),
    ['transactions sale-1'],
  ],
])('it is told %s', (_what, change, expected) => {
  const told: string[] = []
  const changes = {
    record: (kind: string, key: string) => told.push(`${kind} ${key}`),
    window: () => undefined,
  }
  const world: World = { ...emptyWorld(), changes }
  post(world, SALE, 'sale', [
    line(outsideAccount('payers', 'Sandbox'), -100),
    line(merchantAccount(SCOPE, 'pending'), 100),
  ])
  change(world, { ...SALE })
  expect(told).toEqual(expected)
})
