// Checks the page of one record: facts, how it is paid, its machine, what can happen to it, its postings and time line.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { openPages, wordsIn } from './openPages.ts'

const CARD = {
  method: 'CreditCard',
  cardNumber: '4111111111111111',
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2035',
  cardCvv: '987',
}

const sandbox = openPages()
afterAll(() => sandbox.close())

const fire = (on: string, trigger: string, sent: Record<string, unknown> = {}) =>
  sandbox.control('POST', '/trigger', { on, do: trigger, ...sent })
const pageOf = (id: string, kind = 'transactions') => sandbox.page(`/${kind}/${id}`)

/** The triggers that a page offers as buttons, in order. */
const offered = (text: string): string[] =>
  [...text.matchAll(/data-send="([^"]*)"/g)]
    .map(([, sent = '']) => JSON.parse(sent.replaceAll('&quot;', '"')) as { do?: string })
    .flatMap((sent) => sent.do ?? [])

describe('the page of a transaction', () => {
  test('shows a PIX transaction with its picture and its code, and what can happen', async () => {
    const made = await createPix(sandbox, { externalId: 'order-1', description: 'Curso' })
    const page = await pageOf(made.id)
    const words = wordsIn(page)
    for (const part of ['Transaction R$ 129,90', 'Pending', 'order-1', 'Curso', made.pix.copyAndPaste]) {
      expect(words.replaceAll('\u00a0', ' ')).toContain(part)
    }
    expect(page.text).toContain('<img class="qr" src="data:image/png;base64,')
    expect(offered(page.text)).toEqual(['confirm', 'expire', 'fail', 'cancel'])
    expect(page.text).toMatch(/name="payer\.name"/)
    expect(page.text).toMatch(/class="node now">\s*<rect[^>]*\/>\s*<text[^>]*>Pending</)
  })

  test('lights the status it is in, and marks those it has been in', async () => {
    const { id } = await createPix(sandbox)
    await fire(id, 'confirm')
    const { text } = await pageOf(id)
    expect(text).toMatch(/class="node now">\s*<rect[^>]*\/>\s*<text[^>]*>Completed</)
    expect(text).toMatch(/class="node been">\s*<rect[^>]*\/>\s*<text[^>]*>Pending</)
    expect([...text.matchAll(/class="node now"/g)]).toHaveLength(1)
    expect(offered(text)).toEqual(['refund', 'requestRefund'])
    expect(text).toMatch(/id="fire-refund-amount"[^>]*data-type="money"/)
    expect(text).toContain(`data-send="{&quot;paymentId&quot;:&quot;${id}&quot;}"`)
  })

  test('tells its postings and its time line in order', async () => {
    const { id } = await createPix(sandbox)
    await sandbox.control('POST', '/clock/advance', { by: '1m' })
    await fire(id, 'confirm')
    await fire(id, 'refund', { amount: 1_000 })
    const words = wordsIn(await pageOf(id)).replaceAll('\u00a0', ' ')
    const line = words.slice(words.indexOf('Time line'))
    const steps = [
      'POST /v1/transactions 201',
      'create',
      'clock',
      'confirm',
      'sale',
      'refund',
      'payers +R$ 10,00',
    ]
    const places = steps.map((step) => line.indexOf(step))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  test('tells what waits for time in both languages', async () => {
    const { id } = await createPix(sandbox)
    const waiting = async (language: string): Promise<string> => {
      const page = await sandbox.page(`/transactions/${id}`, { 'Accept-Language': language })
      return wordsIn(page)
        .replaceAll(/^.*expireTransaction/g, '')
        .slice(0, 60)
    }
    expect(await waiting('en')).toContain('an unpaid payment expires')
    expect(await waiting('pt')).toContain('um pagamento não pago expira')
  })

  test('leads from each attempt, made or waiting, to its delivery', async () => {
    const { id } = await createPix(sandbox, { callbackUrl: 'http://127.0.0.1:9/hook' })
    await fire(id, 'confirm')
    await sandbox.control('POST', '/clock/advance', { by: '0s' })
    await sandbox.control('POST', '/settle')
    const { text } = await pageOf(id)
    const [delivery] = Object.keys(sandbox.world.state.deliveries)
    const entries = [...text.matchAll(/<li class="(attempt|wait)".*?<\/li>/gs)]
    const about = entries.map(([entry, kind]) => [kind, entry.includes(`/deliveries/${delivery}"`)])
    expect(about).toContainEqual(['attempt', true])
    expect(about).toContainEqual(['wait', true])
    expect(about).not.toContainEqual(['attempt', false])
  })

  test('shows the slip of a boleto, which opens', async () => {
    const fields = { method: 'Boleto', customerName: 'Ana Souza', boletoDueDate: '2030-01-10' }
    const { id } = await createPix(sandbox, fields)
    const { text } = await pageOf(id)
    const [, address = ''] = /href="(\/files\/[^"]*\.pdf)"/.exec(text) ?? []
    const { status, headers } = await sandbox.fetch(address)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  test('shows brand and last four of a card, and nothing more of it', async () => {
    const { id } = await createPix(sandbox, CARD)
    const page = await pageOf(id)
    expect(wordsIn(page)).toMatch(/\w+ ending in 1111/)
    expect(page.text).not.toContain('4111')
    expect(page.text).not.toContain('987')
  })

  test('is found under its id in any letter case', async () => {
    const { id } = await createPix(sandbox)
    expect((await pageOf(id.toUpperCase())).status).toBe(200)
  })
})

describe('the pages of other records', () => {
  let dispute: string
  let cashout: string
  beforeAll(async () => {
    const { id } = await createPix(sandbox)
    await fire(id, 'confirm')
    dispute = (await sandbox.control('POST', '/disputes', { paymentId: id })).body.id
    await sandbox.control('PATCH', '/balance', { fund: 100_000 })
    const sent = { amount: 5_000, pixKeyType: 'CPF', pixKey: '12345678909' }
    cashout = (await sandbox.call('POST', '/v1/cashouts', sent)).body.data.id
  })

  test('show a dispute, whose response needs a text', async () => {
    const { text } = await pageOf(dispute, 'disputes')
    expect(offered(text)).toEqual(['respond', 'lapse', 'review', 'cancel'])
    expect(text).toMatch(/id="fire-respond-text"[^>]*required/)
    expect(text).toContain('href="/_sandbox/ui/transactions/')
  })

  test('show a cashout', async () => {
    const page = await pageOf(cashout, 'cashouts')
    expect(offered(page.text)).toEqual(['process', 'complete', 'fail', 'reject', 'cancel'])
    expect(wordsIn(page)).toContain('12345678909 (CPF)')
    await fire(cashout, 'complete')
    const done = await pageOf(cashout, 'cashouts')
    expect(offered(done.text)).toEqual([])
    expect(wordsIn(done)).toContain('Nothing can fire on it any more.')
  })

  test('show a customer, who has no machine', async () => {
    const sent = { name: 'Ana Souza', email: 'ana@example.com' }
    const { id } = (await sandbox.call('POST', '/v1/customers', sent)).body.data
    const page = await pageOf(id, 'customers')
    expect(wordsIn(page)).toContain('Customer Ana Souza')
    expect(page.text).not.toContain('class="machine"')
  })

  test('are only found among their own kind', async () => {
    expect((await pageOf(dispute, 'cashouts')).status).toBe(404)
  })
})
