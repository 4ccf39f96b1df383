// Checks the control routes of money: funding, all balances, and the movements with their filters.
import { describe, expect, test } from 'vitest'
import { control, NO_ID, outcome } from '../http/calls.ts'
import { START } from '../support/sandbox.ts'
import { begin, CONFIRM, PART, reach, trigger } from './transactionSteps.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** The first merchant of the world, and its first receiver of splits. */
async function people(sandbox: TestSandbox): Promise<{ own: string; other: string }> {
  const { organization, receiver } = await control(sandbox, 'GET', '/worlds/default')
  return { own: organization.id, other: receiver.id }
}

describe('funding', () => {
  test('is available at once and answers the balance of the contract', async () => {
    const sandbox = begin()
    const { body, status } = await sandbox.control('PATCH', '/balance', { fund: 12_345 })
    expect(status).toBe(200)
    expect(body).toEqual((await sandbox.call('GET', '/v1/balance')).body.data)
    expect(body.balance).toMatchObject({ available: 12_345, total: 12_345 })
    expect(body.totals.lifetimeVolume).toBe(0)
  })

  test('reaches the organisation and environment that are named, and no other', async () => {
    const sandbox = begin()
    const { own, other } = await people(sandbox)
    await control(sandbox, 'PATCH', '/balance', { organization: other, fund: 5 })
    await control(sandbox, 'PATCH', '/balance', { environment: 'Production', fund: 7 })
    const { items, total } = await control(sandbox, 'GET', '/balances')
    const rows = items.map((each: Record<string, unknown>) =>
      [each['organizationId'], each['environment'], each['total']].join(' '),
    )
    const expected = [
      `${own} Sandbox 0`,
      `${own} Production 7`,
      `${other} Sandbox 5`,
      `${other} Production 0`,
    ]
    expect(new Set(rows)).toEqual(new Set(expected))
    expect(total).toBe(4)
  })

  test.each([
    [{ fund: 0 }, '400 sandbox_bad_request'],
    [{ fund: -5 }, '400 sandbox_bad_request'],
    [{ fund: 0.5 }, '400 sandbox_bad_request'],
    [{ fund: '5' }, '400 sandbox_bad_request'],
    [{ fund: 10_000_000_000 }, '400 sandbox_bad_request'],
    [{ fund: 5, environment: 'Staging' }, '400 sandbox_bad_request'],
    [{ fund: 5, organization: NO_ID }, '404 sandbox_not_found'],
    [{ fund: 5, organization: '__proto__' }, '404 sandbox_not_found'],
    [{ found: 5 }, '400 sandbox_bad_request'],
    [{ requireFullWithdrawal: 'yes' }, '400 sandbox_bad_request'],
  ])('with %j is refused and moves nothing: %s', async (body, expected) => {
    const sandbox = begin()
    expect(outcome(await sandbox.control('PATCH', '/balance', body))).toBe(expected)
    expect(sandbox.world.state.postings).toEqual([])
  })

  test('of nothing changes nothing', async () => {
    const sandbox = begin()
    expect((await control(sandbox, 'PATCH', '/balance', {})).balance.total).toBe(0)
    expect(sandbox.world.state.postings).toEqual([])
  })
})

describe('the movements', () => {
  /** A sandbox in which a sale, a partial refund, a hold, a release, a cashout and funding happened. */
  async function busy(): Promise<{
    sandbox: TestSandbox
    saleId: string
    disputeId: string
    cashoutId: string
  }> {
    const sandbox = begin()
    const sale = await reach(sandbox, [CONFIRM, PART])
    const dispute = await control(sandbox, 'POST', '/disputes', { paymentId: sale.id })
    await trigger(sandbox, dispute.id, 'cancel')
    const cashout = { amount: 1_000, pixKeyType: 'CPF', pixKey: '12345678909' }
    const { body } = await sandbox.call('POST', '/v1/cashouts', cashout)
    await trigger(sandbox, body.data.id, 'complete')
    await control(sandbox, 'PATCH', '/balance', { fund: 5, environment: 'Production' })
    return { sandbox, saleId: sale.id, disputeId: dispute.id, cashoutId: body.data.id }
  }

  test('are listed newest first, each with lines that sum to zero', async () => {
    const { sandbox } = await busy()
    const { items, total } = await control(sandbox, 'GET', '/postings')
    expect(items.map(({ reason }: { reason: string }) => reason)).toEqual([
      'funding',
      'payOut',
      'reserve',
      'release',
      'hold',
      'refund',
      'sale',
    ])
    expect(items.map(({ n }: { n: number }) => n)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(total).toBe(7)
    for (const { lines, at } of items) {
      expect(at).toBe(START)
      expect(lines.reduce((sum: number, each: { amount: number }) => sum + each.amount, 0)).toBe(0)
      expect(lines.every((each: { amount: number }) => each.amount !== 0)).toBe(true)
    }
  })

  test('are filtered by each of their facts', async () => {
    const { sandbox, saleId, disputeId, cashoutId } = await busy()
    const { own, other } = await people(sandbox)
    const rows: [string, string[]][] = [
      [`?subject=${saleId}`, ['refund', 'sale']],
      [`?subject=${disputeId}`, ['release', 'hold']],
      [`?subject=${cashoutId}`, ['payOut', 'reserve']],
      ['?reason=sale', ['sale']],
      ['?environment=Production', ['funding']],
      [`?organizationId=${other}`, []],
      [`?organizationId=${own}&environment=Sandbox&reason=hold`, ['hold']],
      ['?limit=2', ['funding', 'payOut']],
      ['?limit=2&after=6', ['reserve', 'release']],
      ['?after=1', []],
    ]
    const found: [string, string[]][] = []
    for (const [query] of rows) {
      const { items } = await control(sandbox, 'GET', `/postings${query}`)
      found.push([query, items.map(({ reason }: { reason: string }) => reason)])
    }
    expect(found).toEqual(rows)
  })

  test('go through every page', async () => {
    const { sandbox } = await busy()
    const seen: number[] = []
    let next: string | null = ''
    while (next !== null) {
      const page = await control(sandbox, 'GET', `/postings?limit=3${next === '' ? '' : `&after=${next}`}`)
      seen.push(...page.items.map(({ n }: { n: number }) => n))
      next = page.next
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  test.each([
    '?limit=0',
    '?limit=1001',
    '?limit=x',
    '?after=99',
    '?reason=theft',
    '?environment=x',
    '?sort=n',
  ])('are not asked for with %s', async (query) => {
    const { sandbox } = await busy()
    expect(outcome(await sandbox.control('GET', `/postings${query}`))).toBe('400 sandbox_bad_request')
  })

  test('of another world are its own', async () => {
    const { sandbox } = await busy()
    await control(sandbox, 'POST', '/worlds', { id: 'other' })
    expect((await control(sandbox, 'GET', '/worlds/other/postings')).items).toEqual([])
    await control(sandbox, 'PATCH', '/worlds/other/balance', { fund: 3 })
    expect((await control(sandbox, 'GET', '/worlds/other/postings')).total).toBe(1)
    expect((await control(sandbox, 'GET', '/postings')).total).toBe(7)
  })
})

test('the balances sum to nothing with the accounts outside, whatever happened', async () => {
  const sandbox = begin()
  await reach(sandbox, [CONFIRM, PART])
  await control(sandbox, 'PATCH', '/balance', { fund: 500 })
  const { items } = await control(sandbox, 'GET', '/balances')
  const inside = items.reduce((sum: number, each: { total: number }) => sum + each.total, 0)
  const outside = [...sandbox.world.books.balances]
    .filter(([account]) => /^(?:payers|bank|gateway|funding):/.test(account))
    .reduce((sum, [, amount]) => sum + amount, 0)
  expect(inside + outside).toBe(0)
  for (const each of items) expect(each.total).toBe(each.available + each.pending + each.reserved)
})
