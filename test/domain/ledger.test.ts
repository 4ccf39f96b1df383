// Checks the ledger: accounts, balanced postings only, balances as the fold of all postings.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../src/kernel/assert.ts'
import { instant } from '../../src/kernel/time.ts'
import { BUCKETS, foldBooks, line, merchantAccount, outsideAccount } from '../../src/domain/books.ts'
import { balanceOf, post } from '../../src/domain/ledger.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Bucket } from '../../src/domain/books.ts'
import type { World } from '../../src/domain/world.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const
const SALE = { ...SCOPE, id: 'sale-1' }
const mine = (bucket: Bucket): string => merchantAccount(SCOPE, bucket)
const PAYERS = outsideAccount('payers', 'Sandbox')

describe('an account', () => {
  test('is one for each bucket, organisation and environment', () => {
    const scopes = [
      SCOPE,
      { ...SCOPE, environment: 'Production' as const },
      { ...SCOPE, organizationId: 'org-2' },
    ]
    const merchants = scopes.flatMap((scope) => BUCKETS.map((bucket) => merchantAccount(scope, bucket)))
    const outside = (['payers', 'bank', 'gateway', 'funding'] as const).flatMap((name) => [
      outsideAccount(name, 'Sandbox'),
      outsideAccount(name, 'Production'),
    ])
    expect(new Set([...merchants, ...outside]).size).toBe(3 * 3 + 4 * 2)
    expect(mine('available')).toBe('available:org-1:Sandbox')
    expect(PAYERS).toBe('payers:Sandbox')
  })

  test('that nothing was posted to is empty', () => {
    expect(balanceOf(emptyWorld(), mine('available'))).toBe(0)
  })
})

describe('a posting', () => {
  test('moves money and is recorded with its number, instant, subject and reason', () => {
    const world = emptyWorld()
    post(world, SALE, 'sale', [line(PAYERS, -100), line(mine('pending'), 100)])
    world.clock.moveTo(instant(1_893_499_201_000))
    post(world, SALE, 'settlement', [line(mine('pending'), -100), line(mine('available'), 100)])
    expect(world.state.postings).toEqual([
      {
        n: 1,
        at: '2030-01-01T12:00:00.000Z',
        ...SCOPE,
        subject: 'sale-1',
        reason: 'sale',
        lines: [
          { account: 'payers:Sandbox', amount: -100 },
          { account: 'pending:org-1:Sandbox', amount: 100 },
        ],
      },
      {
        n: 2,
        at: '2030-01-01T12:00:01.000Z',
        ...SCOPE,
        subject: 'sale-1',
        reason: 'settlement',
        lines: [
          { account: 'pending:org-1:Sandbox', amount: -100 },
          { account: 'available:org-1:Sandbox', amount: 100 },
        ],
      },
    ])
    expect(BUCKETS.map((bucket) => balanceOf(world, mine(bucket)))).toEqual([100, 0, 0])
    expect(balanceOf(world, PAYERS)).toBe(-100)
  })

  test('leaves out lines of zero, and is not made of nothing else', () => {
    const world = emptyWorld()
    post(world, SALE, 'sale', [line(PAYERS, -5), line(mine('reserved'), 0), line(mine('available'), 5)])
    post(world, SALE, 'refund', [line(PAYERS, 0), line(mine('available'), -0)])
    post(world, SALE, 'funding', [])
    expect(world.state.postings.map(({ lines }) => lines.map(({ amount }) => amount))).toEqual([[-5, 5]])
  })

  test.each([
    ['a cent appears', [line(PAYERS, -100), line(mine('available'), 101)]],
    ['a cent disappears', [line(PAYERS, -100), line(mine('available'), 99)]],
    ['money has no origin', [line(mine('available'), 1)]],
  ])('is refused when %s, and moves nothing', (_what, lines) => {
    const world = emptyWorld()
    expect(() => post(world, SALE, 'sale', lines)).toThrow(InvariantError)
    expect(() => post(world, SALE, 'sale', lines)).toThrow('unbalanced posting: sale of sale-1')
    expect(world.state.postings).toEqual([])
    expect(world.books.balances.size).toBe(0)
  })

  test('is never made of parts of a cent', () => {
    expect(() => line(PAYERS, 0.5)).toThrow('not a whole number of cents')
  })

  test.each(['pending', 'reserved'] as const)('may empty %s but not bring it below zero', (bucket) => {
    const world = emptyWorld()
    post(world, SALE, 'sale', [line(PAYERS, -100), line(mine(bucket), 100)])
    post(world, SALE, 'refund', [line(mine(bucket), -100), line(PAYERS, 100)])
    expect(balanceOf(world, mine(bucket))).toBe(0)
    expect(() => post(world, SALE, 'release', [line(mine(bucket), -1), line(PAYERS, 1)])).toThrow(
      `${mine(bucket)} fell below zero: release of sale-1`,
    )
  })

  test('may bring available, and everybody outside, below zero', () => {
    const world = emptyWorld()
    post(world, SALE, 'refund', [line(mine('available'), -100), line(PAYERS, 100)])
    expect(balanceOf(world, mine('available'))).toBe(-100)
    expect(() =>
      post(world, { ...SALE, id: 'sale-2' }, 'sale', [line(PAYERS, -300), line(mine('pending'), 300)]),
    ).not.toThrow()
    expect(balanceOf(world, PAYERS)).toBe(-200)
    const named = merchantAccount({ ...SCOPE, organizationId: 'reserved' }, 'available')
    expect(() => post(world, SALE, 'refund', [line(named, -100), line(PAYERS, 100)])).not.toThrow()
  })
})

describe('any sequence of postings', () => {
  const anyAccount = fc.constantFrom(
    ...BUCKETS.map((bucket) => mine(bucket)),
    ...BUCKETS.map((bucket) => merchantAccount({ ...SCOPE, organizationId: 'org-2' }, bucket)),
    PAYERS,
    outsideAccount('gateway', 'Sandbox'),
  )
  const anyMoves = fc.array(fc.tuple(anyAccount, fc.integer({ min: -500, max: 500 })), {
    minLength: 1,
    maxLength: 5,
  })

  test('sums to zero over all accounts, and its balances are the fold of what was recorded', () => {
    fc.assert(
      fc.property(fc.array(anyMoves, { maxLength: 30 }), (sequence) => {
        const world = emptyWorld()
        const oracle = new Map<string, bigint>()
        const add = (account: string, amount: number): void => {
          oracle.set(account, (oracle.get(account) ?? 0n) + BigInt(amount))
        }
        for (const moves of sequence) {
          // The payers bear the rest; what would bring pending or reserved below zero goes the other way round.
          const rest = moves.reduce((sum, [, amount]) => sum - Math.abs(amount), 0)
          const lines = [
            ...moves.map(([account, amount]) => line(account, Math.abs(amount))),
            line(PAYERS, rest),
          ]
          post(world, SALE, 'sale', lines)
          for (const { account, amount } of lines) add(account, amount)
        }
        expect([...world.books.balances.values()].reduce((sum, balance) => sum + balance, 0)).toBe(0)
        for (const [account, balance] of oracle) expect(balanceOf(world, account)).toBe(Number(balance))
        const recorded = JSON.parse(JSON.stringify(world.state.postings)) as World['state']['postings']
        expect(foldBooks(recorded)).toEqual(world.books)
        expect(recorded.map(({ n }) => n)).toEqual(recorded.map((_posting, index) => index + 1))
        expect(recorded.flatMap(({ lines }) => lines).filter(({ amount }) => amount === 0)).toEqual([])
      }),
    )
  })
})
