// Owns the checks of creating and reading transactions that hold for every method, and of PIX.
import { at, inShort, isSuccess, listAt, textAt } from '../call.ts'
import { LeftOut } from '../check.ts'
import { demand, refused, same, sameAt, shaped, succeeded, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import { create, pixOf, retrieve } from '../suite.ts'
import { NO_ID } from './authentication.ts'
import type { Suite } from '../suite.ts'

/** Checks creations and retrievals. */
export async function transactions(suite: Suite): Promise<void> {
  await creations(suite)
  await refusals(suite)
  await expirations(suite)
  await retrievals(suite)
  await choices(suite)
}

async function creations({ book, gateway, environment, records }: Suite): Promise<void> {
  book.chapter('Creating a transaction')
  const small = await records.smallPix()
  const full = await records.fullPix()
  await book.holds('a PIX needs only method and amount', () => succeeded(small))
  await book.holds('a creation answers the creation view and nothing else', () =>
    shaped('data', at(usable('PIX', small).body, 'data'), shapes.createdTransaction),
  )
  await book.holds('a creation leads to Pending', () =>
    sameAt(usable('PIX', small), 'data.status', 'Pending'),
  )
  await book.holds('a pending transaction has no completedAt', () =>
    sameAt(usable('PIX', small), 'data.completedAt', null),
  )
  await book.holds('a PIX carries a copy-and-paste code, and neither card nor boleto', () => {
    usable('PIX', small)
    demand('pix.copyAndPaste', textAt(small, 'data.pix.copyAndPaste') !== '', 'none')
    same('card and boleto', [at(small.body, 'data.card'), at(small.body, 'data.boleto')], [null, null])
  })
  await book.holds('the net amount is the amount minus the fee', () => {
    const [amount, fee, net] = ['amount', 'fee', 'netAmount'].map((name) =>
      Number(at(usable('PIX', small).body, `data.${name}`)),
    )
    same('netAmount', net, (amount ?? 0) - (fee ?? 0))
  })
  await book.holds('a transaction says its currency BRL and the environment of its token', () => {
    sameAt(usable('PIX', small), 'data.currency', 'BRL')
    sameAt(small, 'data.environment', environment)
  })
  await book.holds('everything that a PIX may carry is taken', () => succeeded(full))
  await book.holds('a creation in full answers the creation view with texts and a customer', () =>
    shaped('data', at(usable('PIX', full).body, 'data'), shapes.createdTransactionInFull),
  )
  await book.holds('a creation answers amount, description and externalId as sent', () => {
    for (const name of ['amount', 'description', 'externalId', 'currency', 'method']) {
      sameAt(usable('PIX', full), `data.${name}`, records.fullPixBody[name])
    }
  })
  for (const [what, more] of [
    ['an amount of 100', { amount: 100 }],
    ['a description of 500 characters', { description: 'x'.repeat(500) }],
    ['an externalId of 100 characters', { externalId: 'x'.repeat(100) }],
  ] as const) {
    await book.holds(`${what} is taken`, async () => succeeded(await create(gateway, pixOf(more))))
  }
}

const BAD_PIX: readonly (readonly [what: string, more: Record<string, unknown>])[] = [
  ['a description of 501 characters', { description: 'x'.repeat(501) }],
  ['an externalId of 101 characters', { externalId: 'x'.repeat(101) }],
  ['a currency other than BRL', { currency: 'USD' }],
  ['an unknown method', { method: 'Cheque' }],
  ['a creation without a method', { method: undefined }],
  ['a creation without an amount', { amount: undefined }],
  ['an amount with a fraction', { amount: 1_000.5 }],
  ['an amount as text', { amount: '1000' }],
  ['a customerId that is no uuid', { customerId: 'ana' }],
  ['a callbackUrl that is no URL', { callbackUrl: 'no url' }],
  ['metadata that is no text', { metadata: { order: 1 } }],
]

async function refusals({ book, gateway }: Suite): Promise<void> {
  for (const amount of [99, 0, -100]) {
    await book.holds(`an amount of ${amount} is invalid_amount`, async () =>
      refused(await create(gateway, pixOf({ amount })), { code: 'invalid_amount' }),
    )
  }
  for (const [what, more] of BAD_PIX) {
    await book.holds(`${what} is refused`, async () => refused(await create(gateway, pixOf(more))))
  }
}

async function expirations({ book, gateway, names }: Suite): Promise<void> {
  const name = names.of('pixExpirationMinutes')
  for (const minutes of [5, 1_440]) {
    await book.holds(`a PIX may expire after ${minutes} minutes`, async () =>
      names.needing('pixExpirationMinutes', async () => {
        const answer = await create(gateway, pixOf({ [name]: minutes }))
        succeeded(answer)
        same('minutes', minutesOpen(answer.body), minutes)
      }),
    )
  }
  for (const minutes of [4, 1_441]) {
    await book.holds(`a PIX may not expire after ${minutes} minutes`, async () =>
      names.needing('pixExpirationMinutes', async () =>
        refused(await create(gateway, pixOf({ [name]: minutes }))),
      ),
    )
  }
}

function minutesOpen(body: unknown): number {
  const [from, to] = ['createdAt', 'expiresAt'].map((name) => Date.parse(String(at(body, `data.${name}`))))
  return Math.round(((to ?? 0) - (from ?? 0)) / 60_000)
}

async function retrievals({ book, gateway, names, records }: Suite): Promise<void> {
  book.chapter('Reading a transaction')
  const small = usable('PIX', await records.smallPix())
  const full = usable('PIX', await records.fullPix())
  const smallRead = await retrieve(gateway, textAt(small, 'data.id'))
  const fullRead = await retrieve(gateway, textAt(full, 'data.id'))
  await book.holds('a transaction can be read by its id', () => succeeded(smallRead))
  await book.holds('a retrieval answers the full view and nothing else', () =>
    shaped('data', at(usable('transaction', smallRead).body, 'data'), shapes.retrievedTransaction),
  )
  await book.holds('a retrieval in full answers the full view with texts and a customer', () =>
    shaped('data', at(usable('transaction', fullRead).body, 'data'), shapes.retrievedTransactionInFull),
  )
  await book.holds('a retrieval answers what the creation answered', () => {
    for (const name of [
      'id',
      'externalId',
      'method',
      'amount',
      'fee',
      'netAmount',
      'createdAt',
      'customerId',
    ]) {
      sameAt(usable('transaction', fullRead), `data.${name}`, at(full.body, `data.${name}`))
    }
  })
  await book.holds('a retrieval answers metadata and callbackUrl as sent', () => {
    for (const name of ['metadata', 'callbackUrl']) {
      sameAt(usable('transaction', fullRead), `data.${name}`, records.fullPixBody[name])
    }
  })
  await book.holds('a retrieved PIX carries its QR code as a base64 data URI', () => {
    const qrCode = textAt(usable('transaction', smallRead), 'data.pix.qrCode')
    const isPicture = /^data:image\/[\w+.-]+;base64,[A-Za-z0-9+/]+=*$/.test(qrCode)
    demand('a base64 data URI', isPicture, qrCode.slice(0, 30))
  })
  await book.holds('an inline customer is linked under the name that was given', () => {
    sameAt(usable('transaction', fullRead), 'data.customer.name', 'Ana Souza')
    sameAt(fullRead, 'data.customer.id', at(full.body, 'data.customerId'))
  })
  await book.holds('the phone of a customer is kept as digits with the country code', async () =>
    names.needing('customerPhone', () => {
      sameAt(usable('transaction', fullRead), 'data.customer.phone', '5511987654321')
      return Promise.resolve()
    }),
  )
  await book.holds('a registered customer is linked by customerId', async () => {
    const customerId = textAt(full, 'data.customerId')
    if (customerId === '') throw new LeftOut('no customer is linked to a transaction')
    const answer = await create(gateway, pixOf({ customerId }))
    succeeded(answer)
    sameAt(answer, 'data.customerId', customerId)
  })
  await book.holds('an unknown transaction is not_found', async () =>
    refused(await retrieve(gateway, NO_ID), { code: 'not_found' }),
  )
}

async function choices({ book, gateway, names, records }: Suite): Promise<void> {
  const small = await records.smallPix()
  const full = await records.fullPix()
  const tried = async (more: Record<string, unknown>): Promise<string> =>
    inShort(await create(gateway, pixOf(more)))
  await book.observe('TX-02', 'status of a creation', '201', () => String(small.status))
  await book.observe('TX-03', 'minutes until a PIX expires by itself', '30', () =>
    String(minutesOpen(usable('PIX', small).body)),
  )
  await book.observe('TX-04', 'the same externalId again', '201', async () =>
    tried({ externalId: records.fullPixBody['externalId'] }),
  )
  await book.observe('TX-05', 'the method in lower case', '201', async () => tried({ method: 'pix' }))
  await book.observe('AU-05', 'an amount of 99', '400 invalid_amount', async () => tried({ amount: 99 }))
  await book.observe('TX-06', 'a description that is too long', '400 validation_error', async () =>
    tried({ description: 'x'.repeat(501) }),
  )
  await book.observe('TX-06', 'an unknown customerId', '400 validation_error', async () =>
    tried({ customerId: NO_ID }),
  )
  await book.observe('TX-19', 'metadata that is no JSON', '400 validation_error', async () =>
    tried({ metadata: 'no json' }),
  )
  await book.observe('TX-08', 'fee of a PIX of 1000', '15', () => String(at(small.body, 'data.fee')))
  await book.observe('TX-16', 'length of pix.txId', '32', () =>
    String(textAt(usable('PIX', small), 'data.pix.txId').length),
  )
  await book.observe('TX-17', 'kind of the copy-and-paste code', 'dynamic', () =>
    textAt(usable('PIX', small), 'data.pix.copyAndPaste').startsWith('000201010212') ? 'dynamic' : 'static',
  )
  await book.observe('TX-18', 'pix.qrCode of a creation', 'null', () =>
    String(at(usable('PIX', small).body, 'data.pix.qrCode')),
  )
  await book.observe('TX-20', 'a second charge with the same document', 'the same customer', async () => {
    const again = await create(gateway, { ...records.fullPixBody })
    const ids = [again, full].map((answer) => textAt(usable('PIX', answer), 'data.customerId'))
    return ids[0] === ids[1] ? 'the same customer' : 'a new customer'
  })
  await book.observe('TX-21', 'e-mail of a customer without one', 'sandbox.invalid', async () => {
    const answer = usable('PIX', await create(gateway, pixOf({ customerName: 'Caio Lima' })))
    const read = usable('transaction', await retrieve(gateway, textAt(answer, 'data.id')))
    return textAt(read, 'data.customer.email').split('@')[1] ?? 'none'
  })
  await book.observe('TX-24', 'GET /v1/transactions', '200 a page of items', async () => {
    const listed = await gateway.call('GET', `/v1/transactions?${names.of('pageSize')}=2`)
    const isPage = isSuccess(listed) && listAt(listed, 'data.items').length > 0
    return `${inShort(listed)}${isPage ? ' a page of items' : ''}`
  })
}
