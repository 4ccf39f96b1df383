// Checks boletos over HTTP: who must pay, when they are due and expire in São Paulo, their numbers, and the slip that is served.
import { getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { begin, stored, trigger } from '../control/transactionSteps.ts'
import { drawPage, readBars, readText } from '../support/pdfReader.ts'
import { advance, codeOf, control, fresh, outcome, refusedAs, refusedCall } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

type Fields = Record<string, unknown>

const BOLETO = { method: 'Boleto', amount: 123_456, customerName: 'Ana Souza', boletoDueDate: '2030-01-10' }

/** Asks for a boleto. */
const issue = (sandbox: TestSandbox, fields: Fields = {}): Promise<Answered> =>
  sandbox.call('POST', '/v1/transactions', { ...BOLETO, ...fields })

/** A boleto that was made. */
async function issued(sandbox: TestSandbox, fields: Fields = {}): Promise<Answered['body']> {
  const { status, body } = await issue(sandbox, fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

/** Asks for a file, as a browser would. */
const download = async ({ worlds }: TestSandbox, url: string, method = 'GET'): Promise<Response> =>
  createApp(worlds, { controlToken: null }).fetch(new Request(url, { method }))

/** A day as `YYYY-MM-DD` of a date in local time. */
function localDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

describe('the customer of a boleto', () => {
  test('may be named in the request', async () => {
    const { customerId } = await issued(fresh())
    expect(customerId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('may be one that is registered', async () => {
    const sandbox = fresh()
    const { body } = await sandbox.call('POST', '/v1/customers', { name: 'Ana', email: 'ana@example.com' })
    const made = await issued(sandbox, { customerName: undefined, customerId: body.data.id })
    expect(made.customerId).toBe(body.data.id)
  })

  // proves: error customer_required
  test.each([
    [{}, { customerName: undefined }, '400 validation_error'],
    [{ 'AU-05': 422 }, { customerName: undefined }, '422 validation_error'],
    [{ 'TX-06': 'specific' }, { customerName: undefined }, '400 customer_required'],
    [{}, { customerName: undefined, customerDocument: '12345678909' }, '400 validation_error'],
    [{}, { customerName: undefined, customerId: null }, '400 validation_error'],
    [{}, { customerName: '' }, '400 validation_error'],
    [{}, { customerId: '00000000-0000-4000-8000-000000000000' }, '400 validation_error'],
  ])('is required: a world that chose %j answers %j with %s', async (silences, fields, expected) => {
    const sandbox = fresh({ silences })
    const { refused } = await refusedCall(sandbox, 'POST', '/v1/transactions', { ...BOLETO, ...fields })
    expect(refused).toEqual(refusedAs(expected))
  })
})

describe('the due date of a boleto', () => {
  test.each([
    ['is required', undefined],
    ['is a day', 'tomorrow'],
    ['is a day that exists', '2030-02-30'],
    ['has no time', '2030-01-10T00:00:00Z'],
    ['is no number', 20_300_110],
    ['is written with hyphens', '2030/01/10'],
    ['is not before today', '2029-12-31'],
    ['is not in the last year that dates can name', '9999-01-01'],
  ])('%s: %j is refused by name', async (_rule, boletoDueDate) => {
    const { refused, message } = await refusedCall(fresh(), 'POST', '/v1/transactions', {
      ...BOLETO,
      boletoDueDate,
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain('boletoDueDate')
  })

  test('goes by the name that a world chose, in the refusal too', async () => {
    const sandbox = fresh({ silences: { 'TX-01': { boletoDueDate: 'vencimento' } } })
    const without = await issue(sandbox)
    expect(without.body.error.message).toContain("'vencimento'")
    const early = await issue(sandbox, { vencimento: '2030-01-02' })
    expect(early.body.error.message).toContain("'vencimento'")
    expect((await issue(sandbox, { vencimento: '2030-01-03' })).status).toBe(201)
  })

  // proves: error invalid_due_date
  test('that is too early has a code of its own in a world that chose so', async () => {
    const sandbox = fresh({ silences: { 'TX-06': 'specific' } })
    expect(outcome(await issue(sandbox, { boletoDueDate: '2030-01-02' }))).toBe('400 invalid_due_date')
    expect(codeOf(await issue(sandbox, { boletoDueDate: undefined }))).toBe('validation_error')
  })

  // proves: limit MIN_BOLETO_DUE_DAYS
  test.each([
    ['at noon', '2030-01-15T12:00:00.000Z', '2030-01-17'],
    ['on the last instant of a day in São Paulo', '2030-01-16T02:59:59.999Z', '2030-01-17'],
    ['when the next day begins in São Paulo', '2030-01-16T03:00:00.000Z', '2030-01-18'],
    ['after midnight of UTC', '2030-01-16T00:00:00.000Z', '2030-01-17'],
    ['at the end of a year', '2029-12-31T12:00:00.000Z', '2030-01-02'],
    ['on a Friday: a Sunday will do', '2030-01-04T12:00:00.000Z', '2030-01-06'],
    ['before a leap day', '2028-02-27T12:00:00.000Z', '2028-02-29'],
  ])('is at least two days ahead %s: made at %s, from %s on', async (_when, clock, first) => {
    const sandbox = fresh({ clock })
    const before = new Date(Date.parse(`${first}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
    expect((await issue(sandbox, { boletoDueDate: before })).status).toBe(400)
    expect((await issue(sandbox, { boletoDueDate: first })).status).toBe(201)
  })

  test.each([
    ['Monday', '2030-01-07T12:00:00.000Z', '2030-01-09'],
    ['Wednesday', '2030-01-09T12:00:00.000Z', '2030-01-11'],
    ['Thursday', '2030-01-10T12:00:00.000Z', '2030-01-14'],
    ['Friday', '2030-01-11T12:00:00.000Z', '2030-01-15'],
    ['Saturday', '2030-01-12T12:00:00.000Z', '2030-01-15'],
    ['Sunday', '2030-01-13T12:00:00.000Z', '2030-01-15'],
    ['Monday by UTC and Sunday in São Paulo', '2030-01-14T02:59:59.999Z', '2030-01-15'],
  ])('in business days, from a %s (%s), is %s at least', async (_day, clock, first) => {
    const sandbox = fresh({ clock, silences: { 'TX-13': 'businessDays' } })
    const before = new Date(Date.parse(`${first}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
    expect((await issue(sandbox, { boletoDueDate: before })).status).toBe(400)
    expect((await issue(sandbox, { boletoDueDate: first })).status).toBe(201)
  })
})

describe('the numbers of a boleto', () => {
  // proves: enum Method Boleto
  test.each([
    ['an ordinary one', 123_456, '2030-01-31'],
    ['the smallest one', 100, '2030-01-03'],
    ['the largest one', 9_999_999_999, '2031-12-31'],
  ])('say its amount and its due date: %s', async (_which, amount, dueDay) => {
    const { boleto } = await issued(fresh(), { amount, boletoDueDate: dueDay })
    expect(boleto.barcode).toMatch(/^\d{44}$/)
    expect(boleto.digitableLine).toMatch(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/)
    expect(boleto.dueDate).toBe(`${dueDay}T00:00:00.000Z`)
    const line = boleto.digitableLine.replaceAll(/\D/g, '')
    expect(line).toHaveLength(47)
    expect(isValidBoleto(line)).toBe(true)
    const read = getBoletoInfo(line, { referenceDate: new Date(`${dueDay}T12:00:00`) })
    expect(read).toMatchObject({ amount, bankCode: '999' })
    expect(read?.expirationDate && localDay(read.expirationDate)).toBe(dueDay)
    // Of the same digits: the line is the barcode in another order with three check digits more.
    const free = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)
    expect(line.slice(0, 4) + line.slice(32, 33) + line.slice(33) + free).toBe(boleto.barcode)
  })

  test('differ between boletos that are alike', async () => {
    const sandbox = fresh()
    const [first, second] = [await issued(sandbox), await issued(sandbox)]
    expect(first.boleto.barcode).not.toBe(second.boleto.barcode)
    expect(first.boleto.pdfUrl).not.toBe(second.boleto.pdfUrl)
  })

  test('take the form that a world chose', async () => {
    const silences = { 'TX-15': { dueDate: 'date', line: 'plain', bank: '341' } }
    const { boleto } = await issued(fresh({ silences }))
    expect(boleto).toMatchObject({
      dueDate: '2030-01-10',
      digitableLine: expect.stringMatching(/^3419\d{43}$/),
      barcode: expect.stringMatching(/^3419\d{40}$/),
    })
  })

  test('are the same when the boleto is read again, and in the log of calls', async () => {
    const sandbox = fresh()
    const { id, boleto } = await issued(sandbox)
    const { body } = await sandbox.call('GET', `/v1/transactions/${id}`)
    expect(body.data.boleto).toEqual(boleto)
    const { items } = await control(sandbox, 'GET', '/exchanges?operation=getTransaction')
    expect(items[0].response.body.data.boleto).toEqual(boleto)
  })
})

describe('the slip of a boleto', () => {
  test('is a PDF whose bars say the barcode and whose text says the rest', async () => {
    const sandbox = fresh()
    const { boleto } = await issued(sandbox, { boletoInstructions: 'Não receber em cheque.' })
    const response = await download(sandbox, boleto.pdfUrl)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(await readBars(await drawPage(bytes))).toEqual([['ITF', boleto.barcode]])
    const { text } = await readText(bytes)
    for (const shown of [
      boleto.digitableLine,
      'R$ 1.234,56',
      '10/01/2030',
      'Ana Souza',
      'Não receber em cheque.',
    ]) {
      expect(text).toContain(shown)
    }
  })

  test('has a name that nobody can guess, and that is not the id', async () => {
    const sandbox = fresh()
    const { id, boleto } = await issued(sandbox)
    expect(boleto.pdfUrl).toMatch(/^http:\/\/sandbox\.test\/files\/default\/slips\/[A-Za-z0-9]{32}\.pdf$/)
    expect((await download(sandbox, `http://sandbox.test/files/default/slips/${id}.pdf`)).status).toBe(404)
  })

  test.each([
    '/files/default/slips/none.pdf',
    '/files/default/slips/__proto__.pdf',
    '/files/none/slips/none.pdf',
    '/files/default/slips/',
    '/files/default',
    '/files',
  ])('is not at %s, and the refusal is in the envelope', async (path) => {
    const answered = await fresh().send('GET', path)
    expect(outcome(answered)).toBe('404 not_found')
    expect(answered.body.data).toBeNull()
  })

  test('is not found in another world', async () => {
    const sandbox = fresh()
    await control(sandbox, 'POST', '/worlds', { id: 'other' })
    const { boleto } = await issued(sandbox)
    const elsewhere = boleto.pdfUrl.replace('/default/', '/other/')
    expect((await download(sandbox, elsewhere)).status).toBe(404)
  })

  test('stays after a snapshot was put back, and the bytes are the same', async () => {
    const sandbox = fresh()
    const { boleto } = await issued(sandbox)
    const first = await (await download(sandbox, boleto.pdfUrl)).arrayBuffer()
    await control(sandbox, 'PUT', '/snapshots/a')
    await control(sandbox, 'POST', '/snapshots/a/restore')
    const second = await (await download(sandbox, boleto.pdfUrl)).arrayBuffer()
    expect(Buffer.from(second).equals(Buffer.from(first))).toBe(true)
  })
})

describe('an unpaid boleto', () => {
  test.each([
    [0, '2030-01-11T03:00:00.000Z'],
    [3, '2030-01-14T03:00:00.000Z'],
  ])('with %d days of grace expires at %s, and not a millisecond before', async (grace, expiresAt) => {
    const sandbox = begin({ 'TX-12': grace })
    const { id, expiresAt: told } = await issued(sandbox)
    expect(told).toBe(expiresAt)
    await control(sandbox, 'POST', '/clock/advance', {
      to: new Date(Date.parse(expiresAt) - 1).toISOString(),
    })
    expect(stored(sandbox, id).status).toBe('Pending')
    await advance(sandbox, '1ms')
    expect(stored(sandbox, id)).toMatchObject({ status: 'Expired', updatedAt: expiresAt })
    expect(stored(sandbox, id).failureReason).toBeTruthy()
  })

  test('can be confirmed until then, and not at that instant', async () => {
    const sandbox = begin()
    const early = await issued(sandbox)
    const late = await issued(sandbox)
    await control(sandbox, 'POST', '/clock/advance', { to: '2030-01-11T02:59:59.999Z' })
    expect((await trigger(sandbox, early.id, 'confirm')).status).toBe(200)
    await advance(sandbox, '1ms')
    expect((await trigger(sandbox, late.id, 'confirm')).status).toBe(409)
    expect([stored(sandbox, early.id).status, stored(sandbox, late.id).status]).toEqual([
      'Completed',
      'Expired',
    ])
  })
})

test('a paid boleto is pending for a day and then available, at the fee of 350 cents', async () => {
  const sandbox = begin()
  const { id, fee, netAmount } = await issued(sandbox)
  expect([fee, netAmount]).toEqual([350, 123_106])
  await trigger(sandbox, id, 'confirm')
  const money = async (): Promise<unknown> => (await control(sandbox, 'GET', '/balances')).items.at(-1)
  const before = { available: 0, pending: 123_106, reserved: 0 }
  const scope = { environment: 'Sandbox', organizationId: stored(sandbox, id).organizationId }
  const mine = async (): Promise<unknown> =>
    (await control(sandbox, 'GET', `/balances?organizationId=${scope.organizationId}&environment=Sandbox`))
      .items[0]
  expect(await money()).toBeTruthy()
  expect(await mine()).toMatchObject({ ...scope, ...before })
  await advance(sandbox, '86399999ms')
  expect(await mine()).toMatchObject(before)
  await advance(sandbox, '1ms')
  expect(await mine()).toMatchObject({ available: 123_106, pending: 0, reserved: 0 })
})
