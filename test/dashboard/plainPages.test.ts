// Checks what pages say in plain words: colours of answers, lengths of time, the clock, how a card pays, and Portuguese.
import { afterAll, describe, expect, test } from 'vitest'
import { httpChip } from '../../src/dashboard/show.ts'
import { createPix } from '../support/sandbox.ts'
import { plain } from './forms.ts'
import { openPages, wordsIn } from './openPages.ts'
import type { Pages } from './openPages.ts'

const PORTUGUESE = { 'Accept-Language': 'pt-BR' }
const CARD = {
  method: 'CreditCard',
  cardNumber: '4111111111111111',
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2035',
  cardCvv: '987',
}

const opened: Pages[] = []
afterAll(() => {
  for (const sandbox of opened) sandbox.close()
})

function open(): Pages {
  const sandbox = openPages()
  opened.push(sandbox)
  return sandbox
}

const saidBy = async (sandbox: Pages, path: string, headers: Record<string, string> = {}): Promise<string> =>
  wordsIn(await sandbox.page(path, headers)).replaceAll('\u00a0', ' ')

test.each([
  [200, 'good'],
  [204, 'good'],
  [302, 'bad'],
  [304, 'bad'],
  [404, 'bad'],
  [500, 'bad'],
  [null, 'bad'],
])('an answer of %j is %s: only 2xx receives a webhook', async (status, look) => {
  expect(String(await httpChip(status))).toContain(`class="chip ${look}"`)
})

describe('the overview', () => {
  test('says how far jobs lie ahead in whole seconds', async () => {
    const sandbox = open()
    await createPix(sandbox)
    sandbox.world.clock.moveTo((sandbox.world.clock.now() + 28) as never)
    expect(await saidBy(sandbox, '')).toContain('in 29 min 59 s')
    sandbox.world.clock.moveTo((sandbox.world.clock.now() + 1_799_472) as never)
    expect(await saidBy(sandbox, '')).toContain('in 0.5 s')
  })

  test('names no factor for a clock that goes as the host does', async () => {
    const sandbox = open()
    await sandbox.control('POST', '/clock/flow', {})
    expect(await saidBy(sandbox, '')).toContain('It goes on with the host.')
    expect(await saidBy(sandbox, '', PORTUGUESE)).not.toContain('mais rápido')
    await sandbox.control('POST', '/clock/flow', { rate: 60 })
    expect(await saidBy(sandbox, '', PORTUGUESE)).toContain('60 vezes mais rápido')
  })
})

describe('the page of a transaction', () => {
  test('says how many instalments a card pays, and of how much', async () => {
    const sandbox = open()
    const { id } = await createPix(sandbox, { ...CARD, amount: 10_000, installments: 3 })
    expect(await saidBy(sandbox, `/transactions/${id}`)).toContain('3 × of R$ 33,34')
  })

  test('offers to open a dispute while none is open', async () => {
    const sandbox = open()
    const { id } = await createPix(sandbox)
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    const isOffered = async (): Promise<boolean> =>
      (await sandbox.page(`/transactions/${id}`)).text.includes('id="open-dispute"')
    expect(await isOffered()).toBe(true)
    const { body } = await sandbox.control('POST', '/disputes', { paymentId: id })
    expect(await isOffered()).toBe(false)
    await sandbox.control('POST', '/trigger', { on: body.id, do: 'cancel' })
    expect(await isOffered()).toBe(true)
  })
})

describe('the page of an exchange', () => {
  const noteOf = async (sandbox: Pages, body: Record<string, unknown>): Promise<string> => {
    await sandbox.call('POST', '/v1/transactions', body)
    const { text } = await sandbox.page(`/exchanges/${sandbox.world.exchanges.list().at(-1)?.id}`)
    expect(plain(text)).toContain('This would pass now.')
    return plain(text)
  }

  test('explains placeholders where there are some, and nowhere else', async () => {
    const sandbox = open()
    const said = 'Values in <angle brackets> are placeholders'
    expect(await noteOf(sandbox, { method: 'Pix', amout: 100, description: '<img src=x>' })).not.toContain(
      said,
    )
    expect(await noteOf(sandbox, { method: 'Pix', amout: 100, metadata: '"<b>"' })).not.toContain(said)
    expect(await noteOf(sandbox, { ...CARD, amout: 100 })).toContain(said)
  })
})

describe('in Portuguese', () => {
  test('time line and events name what happened', async () => {
    const sandbox = open()
    const { id } = await createPix(sandbox, { callbackUrl: 'http://127.0.0.1:9/hook' })
    // Events are kept from the first look at them on.
    await sandbox.page('')
    await sandbox.control('POST', '/clock/advance', { by: '1s' })
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/settle')
    await sandbox.call('GET', `/v1/transactions/${id}`)
    const kinds = async (path: string): Promise<Set<string | undefined>> => {
      const { text } = await sandbox.page(path, PORTUGUESE)
      return new Set([...text.matchAll(/class="kind">([^<]*)</g)].map(([, kind]) => kind))
    }
    const both = ['chamada', 'transação', 'entrega', 'tentativa 1', 'relógio']
    expect(await kinds(`/transactions/${id}`)).toEqual(new Set([...both, 'lançamento', 'espera']))
    expect(await kinds('')).toEqual(new Set(both))
  })

  test('each bar of the balance names its parts', async () => {
    const sandbox = open()
    await sandbox.control('PATCH', '/balance', { fund: 10_000 })
    const { text } = await sandbox.page('', PORTUGUESE)
    const [, title = ''] = /<g>\s*<title>([^<]*)</.exec(text) ?? []
    expect(title.replaceAll('\u00a0', ' ')).toMatch(/Disponível R\$ 100,00, Pendente R\$ 0,00, Reservado/)
  })

  test.each(['/transactions', '/deliveries', '/disputes', '/exchanges', '/cashouts'])(
    'the empty list %s speaks of no gender',
    async (path) => {
      expect(await saidBy(open(), path, PORTUGUESE)).toContain('Ainda não há nada aqui.')
    },
  )
})
