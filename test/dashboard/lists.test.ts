// Checks the lists of records: newest first, 20 a page, found by status, id and text.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { openPages, wordsIn } from './openPages.ts'
import type { Page } from './openPages.ts'

const sandbox = openPages()
const ids: string[] = []
beforeAll(async () => {
  for (let number = 0; number < 45; number += 1) {
    const made = await createPix(sandbox, { externalId: `order-${number}`, description: 'a+b (c)' })
    ids.push(made.id)
  }
  for (const id of ids.slice(0, 3)) await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
})
afterAll(() => sandbox.close())

/** The external ids that a list shows, in order. */
const shown = ({ text }: Page): string[] => [...text.matchAll(/>(order-\d+)</g)].map(([, name]) => name ?? '')
const orders = (from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, index) => `order-${from - index}`)

describe('a list', () => {
  test('shows 20 a page, the newest first, and leads to the others', async () => {
    const first = await sandbox.page('/transactions')
    expect(shown(first)).toEqual(orders(44, 25))
    expect(first.text).toContain('rel="next" href="/_sandbox/ui/transactions?page=2"')
    expect(first.text).not.toContain('rel="prev"')
    const second = await sandbox.page('/transactions?page=2')
    expect(shown(second)).toEqual(orders(24, 5))
    const last = await sandbox.page('/transactions?page=3')
    expect(shown(last)).toEqual(orders(4, 0))
    expect(last.text).toContain('rel="prev" href="/_sandbox/ui/transactions?page=2"')
    expect(last.text).not.toContain('rel="next"')
  })

  test.each(['0', '-1', 'x', '1.5', '', '999999999999999999999'])('takes page=%s', async (page) => {
    const { status } = await sandbox.page(`/transactions?page=${page}`)
    expect(status).toBe(200)
  })

  test('is narrowed by status, and its pages stay so', async () => {
    const completed = await sandbox.page('/transactions?status=Completed')
    expect(shown(completed)).toEqual(orders(2, 0))
    const waiting = await sandbox.page('/transactions?status=Pending')
    expect(waiting.text).toContain('href="/_sandbox/ui/transactions?status=Pending&amp;page=2"')
    expect(waiting.text).toMatch(/<option value="Pending" selected>Pending<\/option>/)
    expect(wordsIn(await sandbox.page('/transactions?status=Nothing'))).toContain('Nothing found.')
  })

  test.each([
    ['an external id', 'order-17', ['order-17']],
    ['letters of another case', 'ORDER-17', ['order-17']],
    ['the start of some', 'order-4', ['order-44', 'order-43', 'order-42', 'order-41', 'order-40', 'order-4']],
    ['nothing that is there', 'order-99', []],
    ['what would be a pattern', 'order.17', []],
    ['an unfinished pattern', '((', []],
  ])('is searched by %s', async (_what, text, expected) => {
    const page = await sandbox.page(`/transactions?q=${encodeURIComponent(text)}`)
    expect(shown(page)).toEqual(expected)
  })

  test('takes signs of patterns as they are', async () => {
    expect(shown(await sandbox.page('/transactions?q=a%2Bb%20(c)'))).toHaveLength(20)
  })

  test('is searched by an id, or how it begins', async () => {
    const id = ids[7] ?? ''
    for (const text of [id, id.toUpperCase(), id.slice(0, 13)]) {
      expect(shown(await sandbox.page(`/transactions?q=${text}`))).toEqual(['order-7'])
    }
  })

  test('shows the records of every organisation and environment in one order', async () => {
    await sandbox.control('POST', '/clock/advance', { by: '1s' })
    const token = await sandbox.token('pk_production_default', 'sk_production_default')
    await sandbox.call(
      'POST',
      '/v1/transactions',
      { method: 'Pix', amount: 100, externalId: 'order-45' },
      { token },
    )
    await sandbox.control('POST', '/clock/advance', { by: '1s' })
    await createPix(sandbox, { externalId: 'order-46' })
    expect(shown(await sandbox.page('/transactions'))).toEqual(orders(46, 27))
  })

  test.each(['cashouts', 'disputes', 'customers'])('of %s says that there are none yet', async (kind) => {
    expect(wordsIn(await sandbox.page(`/${kind}`))).toContain('None yet.')
  })
})
