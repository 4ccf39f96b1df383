// Checks cards: their brands, the rules of each field, tokens of one use, and that no number and no CVV is kept anywhere.
import { describe, expect, test } from 'vitest'
import { begin, reach, trigger } from '../control/transactionSteps.ts'
import cards from '../data/cards.json' with { type: 'json' }
import { START } from '../support/sandbox.ts'
import {
  advance,
  choose,
  codeOf,
  control,
  fresh,
  makeToken,
  outcome,
  refusedAs,
  refusedCall,
} from './calls.ts'
import type { Answered, CallOptions, TestSandbox } from '../support/sandbox.ts'

/** Digits that no other part of a world is made of. */
const NUMBER = ['4539', '6206', '5992', '2097'].join('')
const CVV = '739'
const CARD = {
  cardNumber: NUMBER,
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2031',
  cardCvv: CVV,
}

type Fields = Record<string, unknown>

/** Asks for a card transaction. */
const charge = (sandbox: TestSandbox, fields: Fields = CARD, options: CallOptions = {}): Promise<Answered> =>
  sandbox.call('POST', '/v1/transactions', { method: 'CreditCard', amount: 10_000, ...fields }, options)

/** Exchanges a card for a token. */
const tokenize = (sandbox: TestSandbox, fields: Fields = {}, options: CallOptions = {}): Promise<Answered> =>
  sandbox.call('POST', '/v1/card-tokenize', { ...CARD, ...fields }, options)

/** A fresh token of a card. */
async function tokenOf(sandbox: TestSandbox): Promise<string> {
  const { status, body } = await tokenize(sandbox)
  expect(status).toBe(200)
  return String(body.data.cardToken)
}

describe('the brand', () => {
  const all = [...cards.published, ...cards.made].map(
    ({ number, brand, source }) =>
      [brand, `...${number.slice(-6)}, ${number.length} digits`, source, number] as const,
  )

  // proves: enum Method CreditCard
  test.each(all)('is %s for %s (%s)', async (brand, _which, _source, number) => {
    const sandbox = fresh()
    const cardCvv = brand === 'Amex' ? '1234' : '123'
    const { body } = await charge(sandbox, { ...CARD, cardNumber: number, cardCvv })
    expect(body.data?.card, JSON.stringify(body)).toMatchObject({ brand, lastFour: number.slice(-4) })
    const { body: token } = await tokenize(sandbox, { cardNumber: number, cardCvv })
    expect(token.data).toMatchObject({ brand: brand.toLowerCase(), last4: number.slice(-4) })
  })
})

const BAD: [string, string, Fields][] = [
  ['a wrong check digit', 'cardNumber', { cardNumber: '4539620659922096' }],
  ['twelve digits', 'cardNumber', { cardNumber: '453962065995' }],
  ['twenty digits', 'cardNumber', { cardNumber: '45396206599220970000' }],
  ['letters in the number', 'cardNumber', { cardNumber: '4539a6206b5992c2097' }],
  ['an empty number', 'cardNumber', { cardNumber: '' }],
  ['no number', 'cardNumber', { cardNumber: undefined }],
  ['a number of no brand', 'cardNumber', { cardNumber: '9000000000000001' }],
  ['a Visa of 15 digits', 'cardNumber', { cardNumber: '400000000000006' }],
  ['a Mastercard below its second range', 'cardNumber', { cardNumber: '2220000000000008' }],
  ['a Mastercard above its second range', 'cardNumber', { cardNumber: '2721000000000004' }],
  ['no holder', 'cardHolderName', { cardHolderName: undefined }],
  ['an empty holder', 'cardHolderName', { cardHolderName: '' }],
  ['a blank holder', 'cardHolderName', { cardHolderName: '  \t' }],
  ['month 00', 'cardExpirationMonth', { cardExpirationMonth: '00' }],
  ['month 13', 'cardExpirationMonth', { cardExpirationMonth: '13' }],
  ['a month of three digits', 'cardExpirationMonth', { cardExpirationMonth: '012' }],
  ['a month in letters', 'cardExpirationMonth', { cardExpirationMonth: 'jan' }],
  ['no month', 'cardExpirationMonth', { cardExpirationMonth: undefined }],
  ['an empty month', 'cardExpirationMonth', { cardExpirationMonth: '' }],
  ['a month of one digit', 'cardExpirationMonth', { cardExpirationMonth: '7' }],
  ['a year of two digits', 'cardExpirationYear', { cardExpirationYear: '31' }],
  ['a year of five digits', 'cardExpirationYear', { cardExpirationYear: '02031' }],
  ['no year', 'cardExpirationYear', { cardExpirationYear: undefined }],
  ['a year that is over', 'cardExpirationYear', { cardExpirationYear: '2029' }],
  ['no CVV', 'cardCvv', { cardCvv: undefined }],
  ['an empty CVV', 'cardCvv', { cardCvv: '' }],
  ['a CVV of two digits', 'cardCvv', { cardCvv: '73' }],
  ['a CVV of four digits for Visa', 'cardCvv', { cardCvv: '7391' }],
  ['a CVV of letters', 'cardCvv', { cardCvv: 'abc' }],
  ['a CVV with a blank', 'cardCvv', { cardCvv: ' 739' }],
  ['a CVV of three digits for Amex', 'cardCvv', { cardNumber: '375365153556885' }],
]

describe('a card transaction', () => {
  // proves: error invalid_card_data
  test.each(BAD)(
    'is refused with %s, without a trace, and names the field %s',
    async (_why, field, fields) => {
      const { refused, message } = await refusedCall(fresh(), 'POST', '/v1/transactions', {
        method: 'CreditCard',
        amount: 10_000,
        ...CARD,
        ...fields,
      })
      expect(refused).toEqual(refusedAs('400 invalid_card_data'))
      expect(message).toContain(`'${field}'`)
    },
  )

  test.each([
    [{}, '400 invalid_card_data'],
    [{ 'TX-07': 'validation_error' }, '400 validation_error'],
    [{ 'TX-07': 'validation_error', 'AU-05': 422 }, '422 validation_error'],
    [{ 'AU-05': 422 }, '400 invalid_card_data'],
  ])('with bad data in a world that chose %j is answered %s', async (silences, expected) => {
    const sandbox = fresh({ silences })
    expect(outcome(await charge(sandbox, { ...CARD, cardCvv: '1' }))).toBe(expected)
    expect(outcome(await charge(sandbox, { cardToken: 'ct_none' }))).toBe(expected)
  })

  test.each([
    ['blanks', '4539 6206 5992 2097'],
    ['hyphens', '4539-6206-5992-2097'],
  ])('takes a number with %s', async (_what, cardNumber) => {
    const { body } = await charge(fresh(), { ...CARD, cardNumber })
    expect(body.data.card).toEqual({
      lastFour: '2097',
      brand: 'Visa',
      installments: 1,
      authorizationCode: null,
    })
  })

  // proves: limit MIN_INSTALLMENTS, limit MAX_INSTALLMENTS
  test.each([
    [undefined, 1],
    [null, 1],
    [1, 1],
    [12, 12],
  ])('with installments %j has %d', async (installments, expected) => {
    const { body } = await charge(fresh(), { ...CARD, installments })
    expect(body.data.card.installments).toBe(expected)
  })

  // proves: limit MIN_INSTALLMENTS, limit MAX_INSTALLMENTS
  test.each([0, 13, -1, 1.5, '3'])('with installments %j is refused', async (installments) => {
    const { refused, message } = await refusedCall(fresh(), 'POST', '/v1/transactions', {
      method: 'CreditCard',
      amount: 10_000,
      ...CARD,
      installments,
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain('installments')
  })

  test('is Pending for 24 hours and then expires, to the millisecond', async () => {
    const sandbox = begin()
    const { body } = await charge(sandbox)
    expect(body.data).toMatchObject({ status: 'Pending', expiresAt: '2030-01-02T12:00:00.000Z' })
    const read = async (): Promise<string> =>
      (
        await sandbox.call('GET', `/v1/transactions/${body.data.id}`, undefined, {
          token: await sandbox.token(),
        })
      ).body.data.status
    await advance(sandbox, '86399999ms')
    expect(await read()).toBe('Pending')
    await advance(sandbox, '1ms')
    expect(await read()).toBe('Expired')
  })

  test('gets its authorization code with its confirmation', async () => {
    const sandbox = begin()
    const { id } = (await charge(sandbox)).body.data
    await trigger(sandbox, id, 'confirm')
    const { body } = await sandbox.call('GET', `/v1/transactions/${id}`)
    expect(body.data).toMatchObject({ status: 'Completed', completedAt: START, pix: null, boleto: null })
    expect(body.data.card.authorizationCode).toMatch(/^\d{6}$/)
  })

  test('that failed has no authorization code', async () => {
    const sandbox = begin()
    const { id } = (await charge(sandbox)).body.data
    await trigger(sandbox, id, 'fail')
    const { body } = await sandbox.call('GET', `/v1/transactions/${id}`)
    expect(body.data.card.authorizationCode).toBeNull()
  })

  test('confirms by itself after the seconds that a world chose, and not a millisecond before', async () => {
    const sandbox = begin({ 'TX-25': { confirmAfterSeconds: 90 } })
    const { id } = (await charge(sandbox)).body.data
    const pix = await reach(sandbox, [])
    await advance(sandbox, '89999ms')
    expect(sandbox.world.state.transactions[id]?.status).toBe('Pending')
    await advance(sandbox, '1ms')
    expect(sandbox.world.state.transactions[id]).toMatchObject({
      status: 'Completed',
      completedAt: '2030-01-01T12:01:30.000Z',
    })
    expect(pix.status).toBe('Pending')
  })

  test('that failed before its confirmation was due stays failed', async () => {
    const sandbox = begin({ 'TX-25': { confirmAfterSeconds: 90 } })
    const { id } = (await charge(sandbox)).body.data
    await trigger(sandbox, id, 'fail')
    await advance(sandbox, '2d')
    expect(sandbox.world.state.transactions[id]?.status).toBe('Failed')
  })
})

describe('a card is good', () => {
  test.each([
    ['in its month', '2030-01-01T12:00:00.000Z', '01', '2030', 201],
    ['on the last instant of its month in São Paulo', '2030-02-01T02:59:59.999Z', '01', '2030', 201],
    ['no more when the next month begins in São Paulo', '2030-02-01T03:00:00.000Z', '01', '2030', 400],
    ['in December of its year', '2030-12-31T23:59:59.999Z', '12', '2030', 201],
    ['no more in January', '2031-01-01T03:00:00.000Z', '12', '2030', 400],
    ['in an earlier month of a later year', '2030-12-01T12:00:00.000Z', '01', '2031', 201],
    ['no more in the month after', '2030-02-15T12:00:00.000Z', '01', '2030', 400],
  ])('%s: at %s one of %s/%s', async (_when, clock, cardExpirationMonth, cardExpirationYear, status) => {
    const sandbox = fresh({ clock })
    const card = { ...CARD, cardExpirationMonth, cardExpirationYear }
    expect((await charge(sandbox, card)).status).toBe(status)
    expect((await tokenize(sandbox, card)).status).toBe(status === 201 ? 200 : status)
  })
})

describe('tokenisation', () => {
  // proves: endpoint tokenizeCard
  test('answers a token, the last four digits and the brand', async () => {
    const { status, body } = await tokenize(fresh())
    expect(status).toBe(200)
    expect(body.data).toEqual({
      cardToken: expect.stringMatching(/^ct_[A-Za-z0-9]{32}$/),
      last4: '2097',
      brand: 'visa',
    })
  })

  test.each([
    ['as text', '07', '2031'],
    ['as numbers', 7, 2031],
    ['as a number of two digits', 12, '2031'],
  ])('takes month and year %s', async (_how, cardExpirationMonth, cardExpirationYear) => {
    expect((await tokenize(fresh(), { cardExpirationMonth, cardExpirationYear })).status).toBe(200)
  })

  test.each([0, 13, -1, 1.5, true, [7]])('does not take month %j', async (cardExpirationMonth) => {
    expect((await tokenize(fresh(), { cardExpirationMonth })).status).toBe(400)
  })

  test.each(BAD.filter(([, , fields]) => !Object.values(fields).includes(undefined)))(
    'refuses %s, naming %s',
    async (_why, field, fields) => {
      const { refused, message } = await refusedCall(fresh(), 'POST', '/v1/card-tokenize', {
        ...CARD,
        ...fields,
      })
      expect(refused).toEqual(refusedAs('400 invalid_card_data'))
      expect(message).toContain(`'${field}'`)
    },
  )

  test.each(Object.keys(CARD))('refuses a card without %s', async (field) => {
    const { refused, message } = await refusedCall(fresh(), 'POST', '/v1/card-tokenize', {
      ...CARD,
      [field]: undefined,
    })
    expect(refused.outcome).toMatch(/^400 (?:validation_error|invalid_card_data)$/)
    expect(message).toContain(`'${field}'`)
  })

  // proves: error tokenization_not_supported
  test('is refused with 422 in a world that has none', async () => {
    const sandbox = fresh({ silences: { 'TX-28': 'notSupported' } })
    const { refused } = await refusedCall(sandbox, 'POST', '/v1/card-tokenize', CARD)
    expect(refused).toEqual(refusedAs('422 tokenization_not_supported'))
  })

  test('needs the permission to write transactions', async () => {
    const sandbox = fresh()
    const token = await makeToken(sandbox, { permissions: ['transactions.read'] })
    expect(outcome(await tokenize(sandbox, {}, { token }))).toBe('403 forbidden')
  })
})

describe('a card token', () => {
  test('stands for the card of a transaction, once', async () => {
    const sandbox = fresh()
    const cardToken = await tokenOf(sandbox)
    const { status, body } = await charge(sandbox, { cardToken, installments: 3 })
    expect(status).toBe(201)
    expect(body.data.card).toEqual({
      lastFour: '2097',
      brand: 'Visa',
      installments: 3,
      authorizationCode: null,
    })
    const again = await charge(sandbox, { cardToken })
    expect(outcome(again)).toBe('400 invalid_card_data')
    expect(again.headers.get('x-sandbox-hint')).toContain(START)
  })

  test.each([
    ['899999ms', '201'],
    ['900000ms', '400 invalid_card_data'],
  ])('after %s of world time is answered %s', async (by, expected) => {
    const sandbox = fresh()
    const cardToken = await tokenOf(sandbox)
    await advance(sandbox, by)
    expect(outcome(await charge(sandbox, { cardToken }))).toBe(expected)
  })

  test.each([
    ['the Production credentials of the merchant', 'pk_production_default'],
    ['another merchant', null],
  ])('is none for %s', async (_who, publicKey) => {
    const sandbox = fresh()
    const { receiver } = await control(sandbox, 'GET', '/worlds/default')
    const cardToken = await tokenOf(sandbox)
    const token = await sandbox.token(publicKey ?? receiver.publicKey)
    expect(outcome(await charge(sandbox, { cardToken }, { token }))).toBe('400 invalid_card_data')
    expect(outcome(await charge(sandbox, { cardToken }))).toBe('201')
  })

  test.each([
    ['an unknown customer', { customerId: '00000000-0000-4000-8000-000000000000' }],
    ['splits', { splits: [{ splitCode: '00000000-0000-4000-8000-000000000000', type: 'FIXED', value: 1 }] }],
    ['metadata that is no JSON', { metadata: '{' }],
    ['too many installments', { installments: 13 }],
    ['a small amount', { amount: 99 }],
  ])('is not used up by a creation that is refused for %s', async (_why, fields) => {
    const sandbox = fresh()
    const cardToken = await tokenOf(sandbox)
    expect((await charge(sandbox, { cardToken, ...fields })).status).toBe(400)
    expect((await charge(sandbox, { cardToken })).status).toBe(201)
  })

  test.each(['', 'ct_', 'ct_unknown', '__proto__', 'constructor'])(
    'is none when it is %j',
    async (cardToken) => {
      expect(outcome(await charge(fresh(), { cardToken }))).toBe('400 invalid_card_data')
    },
  )

  test('decides, when raw fields come with it', async () => {
    const sandbox = fresh()
    const cardToken = await tokenOf(sandbox)
    const { body } = await charge(sandbox, { ...CARD, cardNumber: '1', cardToken })
    expect(body.data.card.lastFour).toBe('2097')
  })
})

/** Everything that a world shows or saves, and the answer of a call with its headers, as text. */
async function everything(sandbox: TestSandbox, answered?: Answered): Promise<string> {
  const parts = [JSON.stringify(answered?.body), JSON.stringify([...(answered?.headers ?? [])])]
  await control(sandbox, 'PUT', '/snapshots/all')
  for (const path of [
    '/exchanges',
    '/journal',
    '/postings',
    '/deliveries',
    '/transactions',
    '/snapshots/all',
  ]) {
    parts.push(JSON.stringify(await control(sandbox, 'GET', path)))
  }
  parts.push(JSON.stringify(sandbox.world.state), JSON.stringify(sandbox.world.exchanges.list()))
  return parts.join('\n')
}

/** The digits of a text, whatever stands between them, and each run of digits for the CVV. */
function leaks(text: string, number = NUMBER, cvv = CVV): string[] {
  const near = new RegExp([...number].join(String.raw`[\s\-._/]{0,2}`))
  const alone = new RegExp(String.raw`(?<![\w.-])${cvv}(?![\w.-])`)
  return [...(near.test(text) ? ['number'] : []), ...(alone.test(text) ? ['cvv'] : [])]
}

describe('the number and the CVV of a card are nowhere', () => {
  test('the search finds what is planted', () => {
    expect(leaks(`"${NUMBER}"`)).toEqual(['number'])
    expect(leaks('4539 6206.5992-2097')).toEqual(['number'])
    expect(leaks(`{"a":"${CVV}"}`)).toEqual(['cvv'])
    expect(leaks(`{"a":${CVV}}`)).toEqual(['cvv'])
    expect(leaks('1739, a739b, 2097')).toEqual([])
  })

  const spelt = NUMBER.replaceAll(/(.{4})(?=.)/g, '$1 ')
  const sent: [string, unknown][] = [
    ['a good card', CARD],
    ['a number with blanks', { ...CARD, cardNumber: spelt }],
    ['a number with hyphens', { ...CARD, cardNumber: spelt.replaceAll(' ', '-') }],
    ['a card that has expired', { ...CARD, cardExpirationYear: '2020' }],
    ['a CVV too long', { ...CARD, cardCvv: `${CVV} ` }],
    ['numbers instead of texts', { ...CARD, cardNumber: Number(NUMBER), cardCvv: Number(CVV) }],
    ['lists instead of texts', { ...CARD, cardNumber: [NUMBER], cardCvv: [CVV] }],
    ['objects instead of texts', { ...CARD, cardNumber: { value: NUMBER }, cardCvv: { value: CVV } }],
    ['a number too long', { ...CARD, cardNumber: ` ${NUMBER}`.padEnd(60, ' ') }],
    ['snake_case', { card_number: NUMBER, card_cvv: CVV }],
    ['another letter case', { CARDNUMBER: NUMBER, CardCVV: CVV }],
    ['a misspelt number', { cardNumbr: NUMBER, cardCvv: CVV }],
    ['a misspelt number with blanks', { cardNo: spelt }],
    ['a misspelt number with hyphens', { pan: spelt.replaceAll(' ', '-') }],
    ['a misspelt number with dots', { number: spelt.replaceAll(' ', '.') }],
    ['a misspelt number with two blanks', { number: spelt.replaceAll(' ', '  ') }],
    ['a misspelt number that is a number', { cardNum: Number(NUMBER) }],
    ['a misspelt number after a letter', { number: `card${NUMBER}` }],
    ['a misspelt number before a letter', { number: `${NUMBER}a` }],
    ['a number in a description', { ...CARD, description: `card ${spelt} of Ana`, cardCvv: '1' }],
    ['an object around the card', { card: { number: NUMBER, cvv: CVV } }],
    ['a list around the card', { cards: [{ number: NUMBER, securityCode: CVV }] }],
    ['CVV2', { ...CARD, cardCvv: undefined, cvv2: CVV }],
    ['CVC', { ...CARD, cardCvv: undefined, cardCvc: CVV }],
    ['a misspelt CVV', { ...CARD, cardCvv: undefined, cardCv: CVV }],
    ['another misspelt CVV', { ...CARD, cardCvv: undefined, cardCcv: CVV }],
    ['a CVV in Portuguese', { ...CARD, cardCvv: undefined, codigoSeguranca: CVV }],
    ['a misspelt CVV that is a number', { ...CARD, cardCvv: undefined, csc: Number(CVV) }],
    ['JSON that is broken off', JSON.stringify(CARD).slice(0, -1)],
    ['JSON with a comma too many', JSON.stringify(CARD).replace('}', ',}')],
    ['JSON with bare digits', `{"cardNumber": ${NUMBER} ${CVV}`],
    ['bare digits after JSON', `${JSON.stringify(CARD)} ${NUMBER}`],
    ['digits without JSON', NUMBER],
    ['a form', `cardNumber=${NUMBER}&cardCvv=${CVV}`],
    ['a text in JSON', JSON.stringify(NUMBER)],
    ['a list in JSON', JSON.stringify([NUMBER, CVV])],
  ]

  test.each(sent)('after a creation with %s', async (_what, body) => {
    const sandbox = begin()
    const fields =
      typeof body === 'string' ? body : { method: 'CreditCard', amount: 10_000, ...(body as object) }
    const answered = await sandbox.call('POST', '/v1/transactions', fields)
    // What the merchant itself writes into a description is its own record; the log of calls is not.
    const text = (await everything(sandbox, answered)).replaceAll(/"description":"[^"]*"/g, '')
    expect(leaks(text)).toEqual([])
  })

  test.each(sent)('after a tokenisation with %s', async (_what, body) => {
    const sandbox = begin()
    const answered = await sandbox.call('POST', '/v1/card-tokenize', body)
    expect(leaks(await everything(sandbox, answered))).toEqual([])
  })

  test('after a life of webhooks, simulation and refund', async () => {
    const sandbox = begin()
    const callbackUrl = 'http://shop.test/hook'
    const { body } = await charge(sandbox, { ...CARD, callbackUrl })
    await sandbox.call('POST', `/v1/transactions/${body.data.id}/simulate`, { action: 'complete' })
    await sandbox.call('POST', `/v1/transactions/${body.data.id}/simulate`, { action: 'refund' })
    await control(sandbox, 'POST', '/settle')
    const { items } = await control(sandbox, 'GET', '/deliveries')
    expect(items).toHaveLength(2)
    for (const { id } of items) {
      expect(leaks(JSON.stringify(await control(sandbox, 'GET', `/deliveries/${id}`)))).toEqual([])
    }
    expect(leaks(await everything(sandbox))).toEqual([])
  })

  test.each([
    ['the path', `/v1/transactions/${NUMBER}`],
    ['the query', `/v1/transactions?externalId=${NUMBER}&cardCvv=${CVV}`],
    ['a date of the query', `/v1/transactions?startDate=${NUMBER}`],
    ['the query with its expiry and CVV', `/v1/transactions?externalId=${NUMBER}%2012%202031%20${CVV}`],
    ['the query after other digits', `/v1/transactions?externalId=2030%2001%20${NUMBER}%2012`],
  ])('in the log when it was sent in %s', async (_where, path) => {
    const sandbox = begin()
    await sandbox.call('GET', path)
    expect(leaks(JSON.stringify(sandbox.world.exchanges.list()))).toEqual([])
    expect(JSON.stringify(sandbox.world.exchanges.list().at(-1)?.query)).not.toContain(CVV)
  })

  test('in the log when it was sent in headers', async () => {
    const sandbox = begin()
    const headers = { 'X-Card-Number': spelt, 'X-Card-Cvv': CVV, Cookie: `card=${NUMBER}` }
    await sandbox.send('GET', '/v1/balance', { token: await sandbox.token(), headers })
    expect(leaks(JSON.stringify(sandbox.world.exchanges.list()))).toEqual([])
  })

  test('in the log where a long text is cut', async () => {
    const sandbox = begin()
    for (let before = 984; before <= 1_000; before++) {
      await charge(sandbox, { ...CARD, note: `${'x'.repeat(before - 1)} ${NUMBER}` })
    }
    expect(JSON.stringify(sandbox.world.exchanges.list())).not.toContain(NUMBER.slice(0, 10))
  })

  test('and a token is not in the log either', async () => {
    const sandbox = begin()
    const cardToken = await tokenOf(sandbox)
    await charge(sandbox, { cardToken })
    await charge(sandbox, { card_token: cardToken })
    await charge(sandbox, { token: cardToken })
    await sandbox.call('GET', `/v1/transactions?card_token=${cardToken}`)
    expect(JSON.stringify(sandbox.world.exchanges.list())).not.toContain(cardToken)
  })
})

test('a number of a world that changed the names of fields is hidden, too', async () => {
  const sandbox = fresh()
  await choose(sandbox, { 'TX-01': { installments: 'parcelas' } })
  const answered = await charge(sandbox, { ...CARD, parcelas: 13 })
  expect(codeOf(answered)).toBe('validation_error')
  expect(leaks(await everything(sandbox, answered))).toEqual([])
})
