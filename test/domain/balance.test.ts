// Checks what funding writes into the books; what the balance shows is checked through its endpoint.
import { expect, test } from 'vitest'
import { cents } from '../../src/kernel/brands.ts'
import { fund, readBalance } from '../../src/domain/balance.ts'
import { enter, line, outsideAccount } from '../../src/domain/books.ts'
import { feeOf } from '../../src/domain/fees.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Timestamp } from '../../src/kernel/brands.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const

test('money for tests comes from outside, is about its organisation, and says why', () => {
  const world = emptyWorld()
  fund(world, SCOPE, cents(500))
  expect(world.state.postings).toEqual([
    {
      n: 1,
      at: '2030-01-01T12:00:00.000Z',
      ...SCOPE,
      subject: 'org-1',
      reason: 'funding',
      lines: [
        { account: 'funding:Sandbox', amount: -500 },
        { account: 'available:org-1:Sandbox', amount: 500 },
      ],
    },
  ])
})

test.each([
  ['calendar', '2029-12-31', 0, 300, 0],
  ['calendar', '2030-01-01', 300, 300, 300],
  ['calendar', '2030-01-02', 0, 0, 0],
  ['rollingDays', '2029-12-26', 0, 300, 300],
  ['rollingDays', '2029-12-25', 0, 0, 300],
  ['rollingDays', '2029-12-03', 0, 0, 300],
  ['rollingDays', '2029-12-02', 0, 0, 0],
])(
  'by %s a sale of %s counts %i today, %i this week and %i this month',
  (periods, day, today, week, month) => {
    const world = emptyWorld({ 'BA-01': 'inBalance', 'BA-02': false, 'BA-03': periods })
    world.state.organizations['org-1'] = {
      id: 'org-1',
      splitCode: 's',
      name: 'Shop',
      maySplit: false,
      pixKeys: [],
      createdAt: '2029-01-01T00:00:00.000Z' as Timestamp,
    }
    enter(world.books, {
      n: 1,
      at: `${day}T15:00:00.000Z` as Timestamp,
      ...SCOPE,
      subject: 'sale-1',
      reason: 'sale',
      lines: [line(outsideAccount('payers', 'Sandbox'), -300), line('pending:org-1:Sandbox', 300)],
    })
    const { period } = readBalance(world, SCOPE)
    expect(period).toEqual({ volumeToday: today, volumeThisWeek: week, volumeThisMonth: month })
  },
)

test.each([
  [10_000, { bps: 150, fixed: 0 }, 150],
  [10_033, { bps: 150, fixed: 0 }, 150],
  [10_034, { bps: 150, fixed: 0 }, 151],
  [10_000, { bps: 399, fixed: 39 }, 438],
  [300, { bps: 0, fixed: 350 }, 300],
])('of %i cents the fee by %j is %i', (amount, fee, expected) => {
  const world = emptyWorld({ 'TX-08': { Pix: fee } })
  expect(feeOf(world, 'Pix', cents(amount))).toBe(expected)
})
