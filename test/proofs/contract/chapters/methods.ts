// Owns the checks of boletos, cards and splits.
import { at, inShort, listAt, textAt } from '../call.ts'
import { LeftOut, once } from '../check.ts'
import { demand, refused, same, sameAt, shaped, succeeded, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import { boletoBody, CARD, create, onlyInSandbox, pixOf } from '../suite.ts'
import type { Answer } from '../call.ts'
import type { Suite } from '../suite.ts'

/** Checks the methods besides PIX. */
export async function methods(suite: Suite): Promise<void> {
  await boletos(suite)
  await cards(suite)
  await cardTokens(suite)
  await splits(suite)
}

async function boletos(suite: Suite): Promise<void> {
  const { book, gateway, names } = suite
  const { boleto } = suite.records
  book.chapter('Boleto')
  await book.holds('a boleto needs an amount, a customer and a due date', async () =>
    names.needing('boletoDueDate', async () => succeeded(await boleto())),
  )
  await book.holds('a boleto answers the creation view', async () =>
    shaped('data', at(usable('boleto', await boleto()).body, 'data'), shapes.createdTransaction),
  )
  await book.holds(
    'a boleto carries barcode, digitable line, PDF and due date, and neither pix nor card',
    async () => {
      const answer = usable('boleto', await boleto())
      for (const name of ['barcode', 'digitableLine', 'pdfUrl', 'dueDate']) {
        demand(`boleto.${name}`, textAt(answer, `data.boleto.${name}`) !== '', 'none')
      }
      same('pix and card', [at(answer.body, 'data.pix'), at(answer.body, 'data.card')], [null, null])
    },
  )
  await book.holds('a boleto begins Pending', async () =>
    sameAt(usable('boleto', await boleto()), 'data.status', 'Pending'),
  )
  const refuses = (what: string, days: number, more: Record<string, unknown>): Promise<void> =>
    book.holds(`a boleto ${what} is refused`, async () => {
      usable('boleto', await boleto())
      refused(await create(gateway, await boletoBody(suite, days, more)))
    })
  await refuses('without a customer', 5, { customerName: undefined })
  await refuses('without a due date', 5, { [names.of('boletoDueDate')]: undefined })
  // The day of the target in universal time is at most one ahead of anybody's.
  await refuses('that is due on the day of its creation', 0, {})
  await book.holds('a boleto that is due in three days is taken', async () => {
    usable('boleto', await boleto())
    succeeded(await create(gateway, await boletoBody(suite, 3)))
  })
  await book.observe('TX-08', 'fee of a boleto', '350', async () => field(await boleto(), 'fee'))
  await book.observe('TX-15', 'boleto.dueDate', 'a date-time', async () =>
    textAt(usable('boleto', await boleto()), 'data.boleto.dueDate').includes('T') ? 'a date-time' : 'a date',
  )
  await book.observe('TX-15', 'digits of boleto.barcode', '44', async () =>
    String(textAt(usable('boleto', await boleto()), 'data.boleto.barcode').length),
  )
  await book.observe('TX-06', 'a boleto without a customer', '400 validation_error', async () =>
    inShort(await create(gateway, await boletoBody(suite, 5, { customerName: undefined }))),
  )
}

function field(answer: Answer, name: string): string {
  return String(at(usable('transaction', answer).body, `data.${name}`))
}

async function cards(suite: Suite): Promise<void> {
  const { book, gateway, names, records } = suite
  book.chapter('Credit card')
  const charge = (more: Record<string, unknown>): Promise<Answer> => {
    onlyInSandbox(suite)
    return create(gateway, { method: 'CreditCard', amount: 10_000, ...CARD, ...more })
  }
  await book.holds('a card charge needs an amount and the five card fields', async () =>
    succeeded(await records.card()),
  )
  await book.holds('a card charge answers the creation view', async () =>
    shaped('data', at(usable('charge', await records.card()).body, 'data'), shapes.createdTransaction),
  )
  await book.holds('a card charge carries a card, and neither pix nor boleto', async () => {
    const { body } = usable('charge', await records.card())
    demand('a card', at(body, 'data.card') !== null, null)
    same('pix and boleto', [at(body, 'data.pix'), at(body, 'data.boleto')], [null, null])
  })
  await book.holds('a card charge begins Pending', async () =>
    sameAt(usable('charge', await records.card()), 'data.status', 'Pending'),
  )
  for (const name of Object.keys(CARD)) {
    await book.holds(`a card charge without ${name} and without a token is refused`, async () =>
      refused(await charge({ [name]: undefined })),
    )
  }
  for (const count of [1, 12]) {
    await book.holds(`a card charge in ${count} installments is taken`, async () =>
      succeeded(await charge({ [names.of('installments')]: count })),
    )
  }
  for (const count of [0, 13]) {
    await book.holds(`a card charge in ${count} installments is refused`, async () =>
      names.needing('installments', async () => refused(await charge({ [names.of('installments')]: count }))),
    )
  }
  await book.observe('TX-07', 'a card number that is none', '400 invalid_card_data', async () =>
    inShort(await charge({ cardNumber: '1' })),
  )
  await book.observe('TX-08', 'fee of a card charge of 10000', '438', async () =>
    field(await records.card(), 'fee'),
  )
  await book.observe(
    'TX-14',
    'fields of card',
    'authorizationCode, brand, installments, lastFour',
    async () => namesIn(at(usable('charge', await records.card()).body, 'data.card')),
  )
  await book.observe('TX-25', 'a card charge without installments', '201', async () =>
    inShort(await charge({})),
  )
}

/** The names of the fields of an object, sorted. */
export function namesIn(value: unknown): string {
  return Object.keys(value ?? {})
    .toSorted()
    .join(', ')
}

async function cardTokens(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  const tokenized = once(() => {
    onlyInSandbox(suite)
    return gateway.call('POST', '/v1/card-tokenize', { body: CARD })
  })
  await book.holds('a card token takes the place of the card fields', async () => {
    const cardToken = textAt(usable('card token', await tokenized()), 'data.cardToken')
    if (cardToken === '') throw new LeftOut('the tokenisation, whose answer is not shown, has no cardToken')
    succeeded(await create(gateway, { method: 'CreditCard', amount: 10_000, cardToken }))
  })
  await book.observe('TX-28', 'a tokenisation', '200: brand, cardToken, last4', async () => {
    const answer = await tokenized()
    return `${inShort(answer)}: ${namesIn(at(answer.body, 'data'))}`
  })
}

async function splits(suite: Suite): Promise<void> {
  const { book, gateway, given } = suite
  book.chapter('Splits')
  const splitCode = (): string => {
    if (given.splitCode === null) throw new LeftOut('no organisation to split to was given; see --split-code')
    return given.splitCode
  }
  const split = (more: Record<string, unknown>): Promise<Answer> =>
    create(gateway, pixOf({ splits: [{ splitCode: splitCode(), type: 'PERCENTAGE', value: 10, ...more }] }))
  for (const [type, value] of [
    ['PERCENTAGE', 10.25],
    ['FIXED', 100],
  ] as const) {
    await book.holds(`a split ${type} of ${value} is taken and answered with its share`, async () => {
      const answer = await split({ type, value })
      succeeded(answer)
      shaped('data', at(answer.body, 'data'), shapes.createdTransaction)
      const [kept] = listAt(answer, 'data.splits')
      same('split', [at(kept, 'splitCode'), at(kept, 'type'), at(kept, 'value')], [splitCode(), type, value])
      if (type === 'FIXED') same('shareAmount', at(kept, 'shareAmount'), value)
    })
  }
  for (const [type, value] of [
    ['PERCENTAGE', 0.99],
    ['PERCENTAGE', 100.01],
    ['PERCENTAGE', 10.255],
    ['FIXED', 0],
    ['FIXED', 1.5],
    ['FIXED', 1_001],
    ['HALF', 10],
  ] as const) {
    await book.holds(`a split ${type} of ${value} is refused`, async () =>
      refused(await split({ type, value })),
    )
  }
  await book.holds('the same splitCode twice is refused', async () => {
    const one = { splitCode: splitCode(), type: 'FIXED', value: 100 }
    refused(await create(gateway, pixOf({ splits: [one, one] })))
  })
  await book.holds('a split of a boleto is refused', async () => {
    const shares = [{ splitCode: splitCode(), type: 'FIXED', value: 100 }]
    usable('boleto', await suite.records.boleto())
    refused(await create(gateway, await boletoBody(suite, 5, { splits: shares })))
  })
}
