// Checks the far ends: the last days that a clock can show, and IPv4 ranges that are wrapped in IPv6.
import { afterEach, expect, test } from 'vitest'
import { isAddressRange, isAllowed } from '../../src/http/addresses.ts'
import { openSandbox } from '../support/sandbox.ts'
import type { TestSandbox } from '../support/sandbox.ts'

let open: TestSandbox[] = []
afterEach(() => {
  for (const sandbox of open) sandbox.close()
  open = []
})

function at(clock: string): TestSandbox {
  const sandbox = openSandbox({ clock })
  open.push(sandbox)
  return sandbox
}

test('on the last day of the year 9999 a balance is read like on any other', async () => {
  const sandbox = at('9999-12-31T12:00:00Z')
  const { status, body } = await sandbox.call('GET', '/v1/balance')
  expect([status, body.data.period]).toEqual([200, { volumeToday: 0, volumeThisWeek: 0, volumeThisMonth: 0 }])
})

test('a boleto whose days of grace lead past the year 9999 waits until the last one', async () => {
  const sandbox = at('9998-12-01T12:00:00Z')
  await sandbox.control('PATCH', '/silences', { 'TX-12': 365 })
  const boleto = { method: 'Boleto', amount: 5_000, customerName: 'Ana', boletoDueDate: '9998-12-31' }
  const { status, body } = await sandbox.call('POST', '/v1/transactions', boleto)
  expect(status).toBe(201)
  expect(body.data.expiresAt).toMatch(/^9999-12-31T/)
})

test.each([
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['11.1.2.3', '::ffff:10.0.0.0/104', false],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
])('%s lies in %s: %s', (address, range, inside) => {
  expect(isAddressRange(range)).toBe(true)
  expect(isAllowed(address, [range])).toBe(inside)
})

test('a wrapped range that would begin before its IPv4 part is none', () => {
  expect(isAddressRange('::ffff:10.0.0.0/8')).toBe(false)
})
