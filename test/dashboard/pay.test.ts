// Checks the pay page as an app: what it shows, what its posts do and refuse, and that nothing of a card stays.
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import { HOSTILE, inlineCode, pagesOf } from './pages.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import type { Pages } from './pages.ts'

const CARD = {
  cardNumber: '4111111111111111',
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2031',
  cardCvv: '737',
}
const TYPED = {
  cardNumber: '4111 1111 1111 1111',
  cardHolderName: 'Ana',
  cardExpiry: '12/2031',
  cardCvv: '737',
}

interface Shop extends TestSandbox {
  pages: Pages
}

function open(controlToken: string | null = null): Shop {
  const sandbox = openSandbox()
  return { ...sandbox, pages: pagesOf(sandbox, createApp(sandbox.worlds, { controlToken })) }
}

/** A fresh transaction: its id, and the path of its pay page. */
async function sell(shop: Shop, fields: Record<string, unknown> = {}): Promise<{ id: string; path: string }> {
  const { id } = await createPix(shop, fields)
  return { id, path: `/_sandbox/pay/${id}` }
}

const sellCard = (shop: Shop): ReturnType<typeof sell> =>
  sell(shop, { method: 'CreditCard', installments: 3, ...CARD })
const statusOf = async (shop: Shop, id: string): Promise<string> =>
  (await shop.call('GET', `/v1/transactions/${id}`)).body.data.status

describe('the header X-Sandbox-Pay', () => {
  test('names the page on creation and on retrieval', async () => {
    const shop = open()
    const created = await shop.call('POST', '/v1/transactions', { method: 'Pix', amount: 12_990 })
    const { id } = created.body.data
    const read = await shop.call('GET', `/v1/transactions/${id}`)
    const expected = `http://sandbox.test/_sandbox/pay/${id}`
    expect([created, read].map(({ headers }) => headers.get('x-sandbox-pay'))).toEqual([expected, expected])
  })

  test('names the page of another world, which shows its transaction', async () => {
    const shop = open()
    const { body: made } = await shop.control('POST', '/worlds', { id: 'other' })
    const token = await shop.token(made.publicKey, made.secretKey)
    const created = await shop.call('POST', '/v1/transactions', { method: 'Pix', amount: 12_990 }, { token })
    const link = new URL(created.headers.get('x-sandbox-pay') ?? '')
    expect(link.pathname).toBe(`/_sandbox/worlds/other/pay/${created.body.data.id}`)
    const shown = await shop.pages.get(link.pathname)
    expect(shown).toMatchObject({ status: 200 })
    expect(shown.headers.get('x-sandbox-world')).toBe('other')
    expect(shown.text).toContain(`action="${link.pathname}/pay"`)
  })

  test('stands on no answer that shows no single transaction', async () => {
    const shop = open()
    const listed = await shop.call('GET', '/v1/transactions')
    const refused = await shop.call('POST', '/v1/transactions', { method: 'Pix', amount: 1 })
    expect([listed, refused].map(({ headers }) => headers.has('x-sandbox-pay'))).toEqual([false, false])
  })
})

describe('the pay page', () => {
  test('shows shop, amount, purpose, time left, picture and code of a PIX transaction', async () => {
    const shop = open()
    const { id, path } = await sell(shop, { description: 'Pedido 7' })
    const { body } = await shop.call('GET', `/v1/transactions/${id}`)
    const { text } = await shop.pages.get(path)
    const { copyAndPaste, qrCode } = body.data.pix
    for (const part of ['Loja Exemplo', 'R$\u00a0129,90', 'Pedido 7', '>30 min<', copyAndPaste, qrCode]) {
      expect(text).toContain(part)
    }
    expect(text).toContain(`data-copy="${copyAndPaste}"`)
  })

  test('counts the time that is left on the clock of the world', async () => {
    const shop = open()
    const { path } = await sell(shop)
    await shop.control('POST', '/clock/advance', { by: '10m' })
    expect((await shop.pages.get(path)).text).toContain('>20 min<')
  })

  test('shows line, due date, barcode and slip of a boleto', async () => {
    const shop = open()
    const fields = { customerName: 'Ana Souza', customerDocument: '52998224725', boletoDueDate: '2030-01-10' }
    const { id, path } = await sell(shop, { method: 'Boleto', ...fields })
    const { body } = await shop.call('GET', `/v1/transactions/${id}`)
    const { pdfUrl } = body.data.boleto
    const { text } = await shop.pages.get(path)
    const digits = /id="boleto-line">([^<]+)</.exec(text)?.[1]?.replaceAll(/\D/g, '')
    expect(digits).toBe(body.data.boleto.digitableLine.replaceAll(/\D/g, ''))
    expect(text).toContain('10/01/2030')
    expect(text).toContain(`href="${new URL(pdfUrl).pathname}"`)
    expect(text).toMatch(/<svg\s+class="bars-picture"[^>]*>\s*<path d="M10 0h1v52/)
  })

  test('shows brand, last four digits and instalments of a card, and no more of it', async () => {
    const shop = open()
    const { path } = await sellCard(shop)
    const { text } = await shop.pages.get(path)
    expect(text).toContain('Visa ending in 1111')
    expect(text).toContain('3 × of R$\u00a043,30')
    const secrets = [CARD.cardNumber, CARD.cardHolderName, CARD.cardCvv]
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    const inputs = [...text.matchAll(/<input[^>]*name="card\w+"[^>]*>/g)].map(([input]) => input)
    expect(inputs).toHaveLength(4)
    expect(inputs.every((input) => input.includes('autocomplete="off"'))).toBe(true)
  })

  test('speaks the language of the browser', async () => {
    const shop = open()
    const { path } = await sell(shop)
    const { text } = await shop.pages.get(path, { 'Accept-Language': 'pt-BR' })
    expect(text).toContain('<html lang="pt-BR"')
    expect(text).toContain('Aguardando pagamento')
  })

  test('shows hostile texts as text under a strict policy', async () => {
    const shop = open()
    const { path } = await sell(shop, {
      description: HOSTILE,
      metadata: JSON.stringify({ note: HOSTILE }),
      customerName: HOSTILE,
    })
    await shop.pages.post(`${path}/fail`, { reason: HOSTILE })
    const { text, headers } = await shop.pages.get(path)
    expect(text).not.toContain(HOSTILE)
    expect(text.match(/&lt;img src=x/g)).toHaveLength(2)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(inlineCode(text)).toEqual([])
  })

  test.each(['/_sandbox/pay/nope', '/_sandbox/worlds/nope/pay/nope', '/_sandbox/pay/__proto__'])(
    '%s is a plain page with status 404',
    async (path) => {
      const shop = open()
      const { status, text, headers } = await shop.pages.get(path)
      expect(status).toBe(404)
      expect(text).toContain('There is no such payment here.')
      expect(text).not.toContain('id="decide"')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      const acted = await shop.pages.post(`${path}/pay`, {})
      expect(acted).toMatchObject({ status: 404, body: { error: { code: 'sandbox_not_found' } } })
    },
  )
})

describe('the buttons of the pay page', () => {
  test.each([
    ['pay', {}, 'Completed', 'Paid'],
    ['expire', {}, 'Expired', 'O prazo para pagamento terminou.'],
    ['fail', {}, 'Failed', 'O pagamento não foi autorizado.'],
    ['fail', { reason: 'Saldo insuficiente' }, 'Failed', 'Saldo insuficiente'],
  ])('%s with %j ends in %s, and the page says how', async (action, body, status, said) => {
    const shop = open()
    const { id, path } = await sell(shop)
    const acted = await shop.pages.post(`${path}/${action}`, body)
    expect(acted).toMatchObject({ status: 200, body: { data: { id, status }, error: null } })
    expect(await statusOf(shop, id)).toBe(status)
    const { text } = await shop.pages.get(path)
    expect(text).toContain(`data-status="${status}"`)
    expect(text).toContain(said)
    expect(text).not.toContain(`action="${path}/`)
  })

  test('sends the webhook as a real payment does', async () => {
    const shop = open()
    const { path } = await sell(shop, { callbackUrl: 'http://shop.test/hook' })
    await shop.pages.post(`${path}/pay`, {})
    const { body } = await shop.control('GET', '/deliveries')
    expect(body.items.map(({ type }: { type: string }) => type)).toEqual(['payment.completed'])
  })

  test('a second end is refused and changes nothing', async () => {
    const shop = open()
    const { id, path } = await sell(shop)
    await shop.pages.post(`${path}/pay`, {})
    const again = await shop.pages.post(`${path}/fail`, {})
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'sandbox_trigger_refused' } } })
    expect(again.body.error.message).toContain('Paid')
    expect(await statusOf(shop, id)).toBe('Completed')
  })

  test('a late payer may still pay where the world chose so', async () => {
    const shop = open()
    await shop.control('PATCH', '/silences', { 'TX-30': 'latePayer' })
    const { id, path } = await sell(shop)
    await shop.pages.post(`${path}/expire`, {})
    expect((await shop.pages.get(path)).text).toContain('Pay late')
    await shop.pages.post(`${path}/pay`, {})
    expect(await statusOf(shop, id)).toBe('Completed')
  })

  test('a browser without scripts is led back to the page', async () => {
    const shop = open()
    const { id, path } = await sell(shop)
    const acted = await shop.pages.post(`${path}/fail`, 'reason=')
    expect(acted.status).toBe(303)
    expect(acted.headers.get('location')).toBe(path)
    expect(await statusOf(shop, id)).toBe('Failed')
  })

  test('a browser without scripts is told a refusal as a page that leads back', async () => {
    const shop = open()
    const { path } = await sell(shop)
    await shop.pages.post(`${path}/fail`, 'reason=')
    const sent = { Accept: 'text/html,*/*', 'Accept-Language': 'pt-BR' }
    const { status, headers, text } = await shop.pages.post(`${path}/pay`, '', sent)
    expect([status, headers.get('content-type')]).toEqual([409, 'text/html; charset=UTF-8'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain('O pagamento está agora assim: Não autorizado.')
    expect(text).toContain(`href="${path}"`)
    expect((await shop.pages.post(`${path}/pay`, {}, sent)).body.error.code).toBe('sandbox_trigger_refused')
  })

  test.each([
    ['fields of nobody', { amount: '1' }],
    ['a field that is no text', { reason: 5 }],
    ['no object', [1]],
    ['no JSON', '{'],
  ])('%s are refused and change nothing', async (_what, body) => {
    const shop = open()
    const { id, path } = await sell(shop)
    const acted = await shop.pages.post(`${path}/fail`, body, { 'Content-Type': 'application/json' })
    expect(acted).toMatchObject({ status: 400, body: { error: { code: 'sandbox_bad_request' } } })
    expect(await statusOf(shop, id)).toBe('Pending')
  })

  test('a body that is too large is refused', async () => {
    const shop = open()
    const { id, path } = await sell(shop)
    const acted = await shop.pages.post(`${path}/fail`, { reason: 'x'.repeat(9_000) })
    expect(acted.status).toBe(413)
    expect(await statusOf(shop, id)).toBe('Pending')
  })

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'http://evil.test' },
    { Origin: 'null' },
  ])('a page of another origin cannot press them: %j', async (headers) => {
    const shop = open()
    const { id, path } = await sell(shop)
    const acted = await shop.pages.post(`${path}/pay`, {}, headers)
    expect(acted).toMatchObject({ status: 403, body: { error: { code: 'sandbox_cross_site' } } })
    expect(await statusOf(shop, id)).toBe('Pending')
  })
})

describe('the card form', () => {
  test('the card of the transaction pays it', async () => {
    const shop = open()
    const { id, path } = await sellCard(shop)
    expect(await shop.pages.post(`${path}/pay`, TYPED)).toMatchObject({ status: 200 })
    expect(await statusOf(shop, id)).toBe('Completed')
  })

  test.each([
    ['a wrong check digit', { cardNumber: '4111111111111112' }, 'Card number has 13 to 19 digits'],
    ['another card', { cardNumber: '5555555555554444' }, 'Visa ending in 1111'],
    ['a past month', { cardExpiry: '12/2029' }, 'Expiry (MM/YYYY) is over'],
    ['a month that is none', { cardExpiry: '13/2031' }, 'Expiry (MM/YYYY): such as 12/2031'],
    ['a year of two digits', { cardExpiry: '12/29' }, 'Expiry (MM/YYYY): such as 12/2031'],
    ['an expiry that is none', { cardExpiry: 'soon' }, 'Expiry (MM/YYYY): such as 12/2031'],
    ['a short code', { cardCvv: '73' }, 'Security code has 3 digits'],
    ['no holder', { cardHolderName: ' ' }, 'Name on the card is required'],
  ])('%s is refused without saying what was typed', async (_what, wrong, said) => {
    const shop = open()
    const { id, path } = await sellCard(shop)
    const acted = await shop.pages.post(`${path}/pay`, { ...TYPED, ...wrong })
    expect(acted).toMatchObject({ status: 400, body: { error: { code: 'sandbox_bad_request' } } })
    expect(acted.body.error.message).toContain(said)
    expect(acted.text).not.toMatch(/4111|5555|737/)
    expect(await statusOf(shop, id)).toBe('Pending')
  })

  test('a refusal is told in Portuguese in the words of the form', async () => {
    const shop = open()
    const { path } = await sellCard(shop)
    const headers = { 'Accept-Language': 'pt' }
    const acted = await shop.pages.post(`${path}/pay`, { ...TYPED, cardHolderName: ' ' }, headers)
    expect(acted.body.error.message).toBe('Nome no cartão: campo obrigatório.')
  })

  test('a card cannot pay a PIX transaction', async () => {
    const shop = open()
    const { id, path } = await sell(shop)
    expect((await shop.pages.post(`${path}/pay`, TYPED)).status).toBe(400)
    expect(await statusOf(shop, id)).toBe('Pending')
  })

  test('nothing that was typed is kept anywhere, nor counted as a call or a use of a silence', async () => {
    const shop = open()
    const { path } = await sellCard(shop)
    const kept = async (): Promise<string> => {
      const parts = ['/exchanges', '/silences', '/transactions']
      const answers = await Promise.all(parts.map((part) => shop.control('GET', part)))
      return JSON.stringify(answers.map(({ body }) => body))
    }
    const before = await kept()
    await shop.pages.post(`${path}/pay`, { ...TYPED, cardHolderName: 'QUEM DIGITOU', cardCvv: '73' })
    await shop.pages.get(path)
    expect(await kept()).toBe(before)
    await shop.pages.post(`${path}/pay`, { ...TYPED, cardHolderName: 'QUEM DIGITOU' })
    const saved = JSON.stringify(shop.world.state) + (await kept())
    expect(saved).not.toMatch(/4111 1111|QUEM DIGITOU|12\/2031/)
    expect(shop.defects).toEqual([])
  })
})

describe('the events of the pay page', () => {
  test('tell that this transaction changed, and nothing of any other', async () => {
    const shop = open()
    const { id, path } = await sell(shop)
    const other = await sell(shop)
    const { body } = await shop.pages.raw(`${path}/events`)
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    expect(await next()).toContain('event: open')
    await shop.pages.post(`${other.path}/pay`, {})
    await shop.pages.post(`${path}/pay`, {})
    const told = await next()
    expect(told).toContain('event: transition')
    expect(told).not.toContain(id)
    expect(told).not.toContain(other.id)
    await shop.control('POST', '/clock/advance', { by: '1s' })
    expect(await next()).toContain('event: clock')
    await reader.cancel()
  })
})

describe('a server with a control token', () => {
  test('shows the pay page and takes its posts without the token, and nothing else', async () => {
    const shop = open('only-for-testers')
    const { id, path } = await sell(shop)
    expect((await shop.pages.get(path)).status).toBe(200)
    expect((await shop.pages.get(`/_sandbox/ui/transactions/${id}`)).status).toBe(401)
    expect((await shop.pages.post('/_sandbox/trigger', { on: id, do: 'confirm' })).status).toBe(401)
    expect((await shop.pages.post(`${path}/refund`, {})).status).toBe(401)
    expect((await shop.pages.post(`${path}/pay`, {})).status).toBe(200)
    expect(await statusOf(shop, id)).toBe('Completed')
  })
})
