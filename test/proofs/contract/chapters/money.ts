// Owns the checks of the balance and of cashouts.
import { at, inShort, isSuccess, listAt, textAt } from '../call.ts'
import { LeftOut, once } from '../check.ts'
import { demand, shaped, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import { onlyInSandbox } from '../suite.ts'
import { everyItem, list, pageFits } from './customers.ts'
import { NO_ID } from './authentication.ts'
import type { Answer } from '../call.ts'
import type { Hook } from '../receiver.ts'
import type { Suite } from '../suite.ts'

/** Amount of a cashout of the suite, in cents. */
const CASHOUT_CENTS = 500
/** A document as the key of a cashout, which answers must mask. */
const PIX_KEY = '12345678909'

/** A cashout of the run: its creation, and where its webhooks go. */
export interface MadeCashout {
  created: Answer
  hook: Hook | null
}

/** Checks the balance. */
export async function balance({ book, gateway, records, environment }: Suite): Promise<void> {
  book.chapter('Balance')
  if (environment === 'Sandbox') await records.paid().catch(() => undefined)
  const answer = await gateway.call('GET', '/v1/balance')
  await book.holds('the balance answers its fields in whole cents and nothing else', () =>
    shaped('data', at(usable('balance', answer).body, 'data'), shapes.balance),
  )
  const place = (name: string): string | null => {
    const found = ['data.balance', 'data'].find((path) => at(answer.body, `${path}.${name}`) !== undefined)
    return found ?? null
  }
  await book.holds('the balance says what can be withdrawn now, and whether it must be all of it', () => {
    usable('balance', answer)
    for (const name of ['withdrawNowAvailable', 'requiresFullWithdrawalNow']) {
      demand(name, place(name) !== null, 'nothing')
    }
  })
  await book.observe(
    'BA-01',
    'place of withdrawNowAvailable',
    'data.balance',
    () => place('withdrawNowAvailable') ?? 'nowhere',
  )
}

/** Makes a cashout under the published name of its endpoint, which the contract hides. */
export function cashoutMaker(suite: Suite): () => Promise<MadeCashout> {
  const { gateway, receiver, records } = suite
  return async () => {
    onlyInSandbox(suite)
    await records.paid()
    const hook = receiver?.hook() ?? null
    const created = await gateway.call('POST', '/v1/cashouts', {
      body: {
        amount: CASHOUT_CENTS,
        pixKeyType: 'CPF',
        pixKey: PIX_KEY,
        ...(hook ? { callbackUrl: hook.url } : {}),
      },
    })
    return { created, hook }
  }
}

/** Checks cashouts. */
export async function cashouts(suite: Suite): Promise<void> {
  const { book, names } = suite
  book.chapter('Cashouts')
  const made = once(cashoutMaker(suite))
  // The list is empty until one is made; where none can be, the checks of items are left out.
  const hasOne = await made().then(
    ({ created }) => isSuccess(created),
    () => false,
  )
  const first = await list(suite, '/v1/cashouts')
  await book.holds('cashouts are answered as a page and nothing else', () =>
    shaped('data', at(usable('list', first).body, 'data'), shapes.page(shapes.cashout)),
  )
  await book.holds('the figures of the page of cashouts fit each other', () => pageFits(first))
  await book.holds('the key of a cashout is masked', () => {
    const [item] = listAt(usable('list', first), 'data.items')
    if (!hasOne || item === undefined) throw new LeftOut('no cashout could be made')
    const key = String(at(item, 'pixKey'))
    demand('a masked key', !key.replaceAll(/\D/g, '').includes(PIX_KEY), 'the whole key')
  })
  await book.holds('cashouts can be filtered by status', async () =>
    names.needing('status', async () =>
      everyItem(await list(suite, '/v1/cashouts', { status: 'Pending' }), 'status', 'Pending'),
    ),
  )
  for (const [name, value] of [
    ['startDate', '2099-01-01T00:00:00Z'],
    ['endDate', '2000-01-01T00:00:00Z'],
  ] as const) {
    await book.holds(`cashouts can be filtered by ${name}`, async () =>
      names.needing(name, async () => {
        const { length } = listAt(
          usable('list', await list(suite, '/v1/cashouts', { [name]: value })),
          'data.items',
        )
        demand('no items', length === 0, length)
      }),
    )
  }
  await book.holds('cashouts can be filtered by externalId', async () =>
    names.needing('externalId', async () => {
      const answer = await list(suite, '/v1/cashouts', { externalId: 'no cashout has this reference' })
      const { length } = listAt(usable('list', answer), 'data.items')
      demand('no items', length === 0, length)
    }),
  )
  await choices(suite, made)
}

async function choices({ book, gateway }: Suite, made: () => Promise<MadeCashout>): Promise<void> {
  const id = async (): Promise<string> => textAt(usable('cashout', (await made()).created), 'data.id')
  const seen = async (path: string): Promise<unknown> =>
    at(usable('cashout', (await made()).created).body, `data.${path}`)
  await book.observe('CO-13', 'a cashout of less than can be withdrawn', 'taken', async () =>
    isSuccess((await made()).created) ? 'taken' : 'refused',
  )
  await book.observe('CO-01', 'POST /v1/cashouts', '201', async () => inShort((await made()).created))
  await book.observe('CO-03', 'status of a new cashout', 'Pending', async () => String(await seen('status')))
  await book.observe('CO-05', 'fee of a cashout', '200', async () => String(await seen('fee')))
  await book.observe('CO-08', 'mask of a CPF', '***456789**', async () => String(await seen('pixKey')))
  await book.observe('CO-11', 'crypto', 'null', async () => String(await seen('crypto')))
  await book.observe('CO-04', 'GET /v1/cashouts/{id}', '200', async () =>
    inShort(await gateway.call('GET', `/v1/cashouts/${await id()}`)),
  )
  await book.observe('CO-04', 'an unknown cashout', '404 not_found', async () =>
    inShort(await gateway.call('GET', `/v1/cashouts/${NO_ID}`)),
  )
}
