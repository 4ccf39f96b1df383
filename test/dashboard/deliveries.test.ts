// Checks the pages of deliveries: filters, pages, what each attempt sent, the command, holding, and that every text is text.
import { describe, expect, test } from 'vitest'
import { begin, CONFIRM, reach } from '../control/transactionSteps.ts'
import { createPix } from '../support/sandbox.ts'
import { formOf, formsOf, pageAt, plain, submit, UNESCAPED } from './forms.ts'
import { HOSTILE } from './pages.ts'
import type { Outcome } from '../../src/domain/deliveries.ts'
import type { Shipment } from '../../src/webhooks/send.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** Lets a receiver answer in order, and with 204 when no answer is left; answers what it got. */
function answering(sandbox: TestSandbox, ...answers: Outcome[]): Shipment[] {
  const got: Shipment[] = []
  sandbox.world.host.sender = {
    send(shipment) {
      got.push(shipment)
      return Promise.resolve(answers.shift() ?? { status: 204, answer: '' })
    },
  }
  return got
}

/** Ids of the deliveries, oldest first. */
const ids = ({ world }: TestSandbox): string[] => Object.keys(world.state.deliveries)

/** Ids of the deliveries that a page lists, in its order. */
const rows = (text: string): string[] => [...text.matchAll(/<tr id="row-([^"]+)"/g)].map(([, id = '']) => id)

/** Ids of the held deliveries that a page lists, in its order. */
const heldRows = (text: string): string[] =>
  [...text.matchAll(/<li id="held-([^"]+)"/g)].map(([, id = '']) => id)

/** A sandbox with some deliveries that are held. */
async function holding(number: number): Promise<TestSandbox> {
  const sandbox = begin()
  const { text } = await pageAt(sandbox, '/deliveries')
  expect((await submit(sandbox, formOf(text, 'hold-all'))).status).toBe(200)
  for (let made = 0; made < number; made += 1) await reach(sandbox, [CONFIRM])
  return sandbox
}

describe('the list of deliveries', () => {
  test('shows 20 a page, the newest first', async () => {
    const sandbox = begin()
    for (let made = 0; made < 23; made += 1) await reach(sandbox, [CONFIRM])
    const newestFirst = ids(sandbox).toReversed()
    const first = await pageAt(sandbox, '/deliveries')
    expect(rows(first.text)).toEqual(newestFirst.slice(0, 20))
    expect(first.text).toContain('?page=2')
    const second = await pageAt(sandbox, '/deliveries?page=2')
    expect(rows(second.text)).toEqual(newestFirst.slice(20))
    expect(second.text).not.toContain('page=3')
  })

  test('is narrowed by status, type, and part of an id, a record or an address', async () => {
    const sandbox = begin()
    const one = await reach(sandbox, [CONFIRM, ['refund']])
    const two = await reach(sandbox, [['cancel']])
    await sandbox.control('POST', '/settle')
    const types = async (query: string): Promise<string[]> =>
      rows((await pageAt(sandbox, `/deliveries?${query}`)).text).map(
        (id) => sandbox.world.state.deliveries[id]?.type ?? '',
      )
    expect(await types('')).toEqual(['payment.cancelled', 'payment.refunded', 'payment.completed'])
    expect(await types('type=payment.refunded')).toEqual(['payment.refunded'])
    expect(await types('status=delivered')).toHaveLength(3)
    expect(await types('status=held')).toEqual([])
    expect(await types(`q=${one.id.slice(0, 10).toUpperCase()}`)).toEqual([
      'payment.refunded',
      'payment.completed',
    ])
    expect(await types(`q=${two.id}&type=payment.completed`)).toEqual([])
    expect(await types('q=shop.test')).toHaveLength(3)
  })

  test('is there in Portuguese', async () => {
    const { text } = await pageAt(begin(), '/deliveries', { 'accept-language': 'pt-BR' })
    expect(text).toContain('Reter e liberar')
  })
})

describe('the page of a delivery', () => {
  test('is not there for an id that no delivery has', async () => {
    expect((await pageAt(begin(), '/deliveries/none')).status).toBe(404)
  })

  test('shows each attempt with its request, answer, latency and signature', async () => {
    const sandbox = begin()
    answering(sandbox, { status: 503, answer: 'not now' }, { error: 'connection refused' })
    await reach(sandbox, [CONFIRM])
    await sandbox.control('POST', '/settle')
    await sandbox.control('POST', '/clock/advance', { by: '10s' })
    const { text } = await pageAt(sandbox, `/deliveries/${ids(sandbox)[0]}`)
    const attempts = text.split('<li id="attempt-').slice(1)
    expect(attempts).toHaveLength(3)
    expect(attempts[0]).toContain('>503<')
    expect(attempts[0]).toContain('not now')
    expect(attempts[0]).toContain('X-Service-Attempt: 1')
    expect(attempts[1]).toContain('connection refused')
    expect(attempts[1]).toContain('X-Service-Attempt: 2')
    expect(attempts[2]).toContain('>204<')
    for (const attempt of attempts) {
      expect(attempt).toContain('signature holds')
      expect(attempt).toMatch(/Latency: \d+ ms/)
    }
  })

  test.each([
    [{ signature: 'damaged' }, 'signature does not hold', 'The signature was damaged'],
    [{ signature: 'absent' }, 'no signature', ''],
    [{ body: 'altered' }, 'signature does not hold', 'The body was altered after it was signed'],
  ])('says what a fault made of an attempt: %j', async (fault, sign, why) => {
    const sandbox = begin()
    const got = answering(sandbox)
    await sandbox.control('POST', '/faults', { on: { delivery: {} }, do: fault })
    await reach(sandbox, [CONFIRM])
    await sandbox.control('POST', '/settle')
    const { text } = await pageAt(sandbox, `/deliveries/${ids(sandbox)[0]}`)
    expect(text).toContain(sign)
    expect(text).toContain(why)
    const sent = got[0]?.body.toString('utf8') ?? ''
    const isAltered = sandbox.world.state.deliveries[ids(sandbox)[0] ?? '']?.body !== sent
    const [, attempt = ''] = /<li id="attempt-0"([\s\S]*?)id="bytes"/.exec(text) ?? []
    expect(plain(attempt).includes(sent)).toBe(isAltered)
  })

  test('uses no silence: looking changes nothing', async () => {
    const sandbox = begin()
    await reach(sandbox, [CONFIRM])
    await sandbox.control('POST', '/settle')
    const before = sandbox.world.choices.timesUsed('WH-01')
    await pageAt(sandbox, `/deliveries/${ids(sandbox)[0]}`)
    expect(sandbox.world.choices.timesUsed('WH-01')).toBe(before)
  })

  test('is a command that a shell reads as the same bytes and headers', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox, {
      callbackUrl: "http://shop.test/hook?a='b",
      description: "it's $(here) `now`",
    })
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/settle')
    const delivery = sandbox.world.state.deliveries[ids(sandbox)[0] ?? '']
    const { text } = await pageAt(sandbox, `/deliveries/${ids(sandbox)[0]}`)
    const command = plain(/data-copy="([^"]*)"/.exec(text)?.[1] ?? '')
    expect(plain(text.split('id="curl"')[1] ?? '')).toContain(command)
    // Between quotes of this kind a shell reads nothing but their end.
    const said = [...command.matchAll(/'((?:[^']|'\\'')*)'(?!\\)/g)].map(([, word = '']) =>
      word.replaceAll(`'\\''`, "'"),
    )
    expect(said[0]).toBe(delivery?.url)
    expect(said.at(-1)).toBe(delivery?.body)
    expect(said.slice(1, -1)).toEqual(
      Object.entries(delivery?.sentHeaders ?? {}).map(([name, value]) => `${name}: ${value}`),
    )
  })

  test('has forms that send it again and send a duplicate', async () => {
    const sandbox = begin()
    const got = answering(sandbox)
    await reach(sandbox, [CONFIRM])
    await sandbox.control('POST', '/settle')
    const { text } = await pageAt(sandbox, `/deliveries/${ids(sandbox)[0]}`)
    for (const form of ['resend', 'duplicate']) {
      expect((await submit(sandbox, formOf(text, form))).status).toBe(200)
      await sandbox.control('POST', '/settle')
    }
    expect(got).toHaveLength(3)
    expect(formsOf(text).map(({ id }) => id)).not.toContain('release')
  })

  test('shows what a merchant and a receiver say as text', async () => {
    const sandbox = begin()
    answering(sandbox, { status: 500, answer: HOSTILE }, { error: HOSTILE })
    const url = 'http://shop.test/<img src=x onerror=alert(1)>'
    const { id } = await createPix(sandbox, { callbackUrl: url, description: HOSTILE, externalId: HOSTILE })
    await sandbox.control('POST', '/faults', { on: { delivery: {} }, do: { type: HOSTILE } })
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/settle')
    await sandbox.control('POST', '/clock/advance', { by: '3s' })
    for (const path of [
      '/deliveries',
      `/deliveries/${ids(sandbox)[0]}`,
      `/deliveries?q=${encodeURIComponent(HOSTILE)}`,
    ]) {
      const { status, text } = await pageAt(sandbox, path)
      expect(status).toBe(200)
      expect(text).not.toMatch(UNESCAPED)
    }
    const { text } = await pageAt(sandbox, `/deliveries/${ids(sandbox)[0]}`)
    expect(plain(text)).toContain(HOSTILE)
  })
})

describe('held deliveries', () => {
  test('stand in the order that the address wishes, the others after them', async () => {
    const sandbox = await holding(3)
    const [one = '', two = '', three = ''] = ids(sandbox)
    const order = async (query: string): Promise<string[]> =>
      heldRows((await pageAt(sandbox, `/deliveries${query}`)).text)
    expect(await order('')).toEqual([one, two, three])
    expect(await order(`?order=${three},${one}`)).toEqual([three, one, two])
    expect(await order(`?order=${two},${two},none`)).toEqual([two, one, three])
  })

  test('are released in the order that is shown', async () => {
    const sandbox = await holding(2)
    const got = answering(sandbox)
    const [one = '', two = ''] = ids(sandbox)
    const { text } = await pageAt(sandbox, `/deliveries?order=${two}`)
    const { status } = await submit(sandbox, formOf(text, 'release-order'))
    expect(status).toBe(200)
    expect(got.map(({ headers }) => headers['X-Service-Delivery'])).toEqual([two, one])
  })

  test('are released one by one, from the list and from their page', async () => {
    const sandbox = await holding(2)
    const got = answering(sandbox)
    const [one = '', two = ''] = ids(sandbox)
    const list = await pageAt(sandbox, '/deliveries')
    expect((await submit(sandbox, formOf(list.text, `release-${two}`))).status).toBe(200)
    const own = await pageAt(sandbox, `/deliveries/${one}`)
    expect((await submit(sandbox, formOf(own.text, 'release'))).status).toBe(200)
    expect(got.map(({ headers }) => headers['X-Service-Delivery'])).toEqual([two, one])
  })

  test('are of one type where that was chosen, until holding is stopped', async () => {
    const sandbox = begin()
    const { text } = await pageAt(sandbox, '/deliveries')
    await submit(sandbox, formOf(text, 'hold-type'), { type: 'payment.completed' })
    await reach(sandbox, [CONFIRM, ['refund']])
    expect(Object.values(sandbox.world.state.deliveries).map(({ status }) => status)).toEqual([
      'held',
      'scheduled',
    ])
    const held = await pageAt(sandbox, '/deliveries')
    expect(held.text).toContain('New deliveries are held: payment.completed')
    const stop = formsOf(held.text).find(({ id }) => id.startsWith('stop-'))
    expect(stop && (await submit(sandbox, stop)).status).toBe(200)
    expect((await pageAt(sandbox, '/deliveries')).text).not.toContain('New deliveries are held')
  })

  test('are all let go by one form, which stops the holding', async () => {
    const sandbox = await holding(2)
    const { text } = await pageAt(sandbox, '/deliveries')
    expect((await submit(sandbox, formOf(text, 'release-all'))).status).toBe(200)
    expect(heldRows((await pageAt(sandbox, '/deliveries')).text)).toEqual([])
    expect(sandbox.world.faults).toEqual([])
  })
})
