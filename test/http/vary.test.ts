// Checks what a server varies on purpose: each item shows, can be switched off, repeats, and never breaks the contract.
import { afterEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { VARIATION_NAMES } from '../../src/contract/variations.ts'
import { post, tokenOf } from '../client/shop.ts'
import { openReceiver } from '../support/server.ts'
import type { Sandbox } from '../../src/index.ts'
import type { VariationName } from '../../src/contract/variations.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** What a merchant sees of one story, as far as it can vary. */
interface Story {
  /** Bodies of the answers, as text. */
  answers: string[]
  /** Bodies of the webhooks, as text. */
  webhooks: string[]
  token: string
  listed: string[]
  /** Milliseconds of world time between the attempts. */
  waits: number[]
}

const plain = (names: readonly VariationName[]): string[] =>
  VARIATION_NAMES.filter((name) => !names.includes(name))

/** Plays one story on a server that varies only what is named; nothing when null. */
async function play(names: readonly VariationName[] | null, seed = 'v'): Promise<Story> {
  const sandbox = await startSandbox({
    clock: '2030-01-01T12:00:00Z',
    seed: 'story',
    publicUrl: 'http://gateway.test',
    ...(names === null ? {} : { vary: { seed, without: plain(names) } }),
  })
  const receiver = await openReceiver(500, 500)
  opened.push(sandbox, receiver)
  const token = await tokenOf(sandbox)
  const answers: string[] = []
  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await sandbox.fetch(path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = (await response.text()).replaceAll(receiver.url, 'http://receiver')
    answers.push(text)
    return ((JSON.parse(text) as { data: unknown }).data ?? {}) as Record<string, unknown>
  }
  const ids: string[] = []
  for (let count = 0; count < 6; count += 1) {
    const sale = { method: 'Pix', amount: 1_000 + count, callbackUrl: receiver.url }
    ids.push(String((await ask('POST', '/v1/transactions', sale))['id']))
  }
  await ask('GET', `/v1/transactions/${ids[0]}`)
  await ask('POST', '/v1/transactions', { method: 'Pix', amount: 1 })
  await ask('POST', '/v1/customers', { name: 'Ana', email: 'ana@example.com' })
  const { items } = (await ask('GET', '/v1/transactions')) as { items: { id: string }[] }
  await sandbox.trigger(ids[0] ?? '', 'confirm')
  const { attempts } = await sandbox.clock.advance('10s')
  const [first] = await sandbox.deliveries.list({ subject: ids[0] })
  const times = [...(first?.attempts.slice(0, 1) ?? []), ...attempts].map(({ at }) => Date.parse(at))
  const unique = [...new Set(times)]
  return {
    answers,
    webhooks: receiver.received.map(({ body }) => body.toString('utf8')),
    token,
    listed: items.map(({ id }) => id),
    waits: unique.slice(1).map((at, index) => at - (unique[index] ?? 0)),
  }
}

/** A value with every object's fields in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}
const parsed = (texts: string[]): unknown[] => texts.map((text) => sorted(JSON.parse(text)))

describe('a server that varies', () => {
  test('nothing, when everything is switched off, answers as one that does not vary', async () => {
    expect(await play([])).toEqual(await play(null))
  })

  test('repeats for the same seed and differs for another', async () => {
    const story = await play(VARIATION_NAMES)
    expect(await play(VARIATION_NAMES)).toEqual(story)
    expect(await play(VARIATION_NAMES, 'w')).not.toEqual(story)
  })

  test('the order of fields, and nothing else', async () => {
    const [varied, usual] = [await play(['fieldOrder']), await play(null)]
    expect(varied.answers).not.toEqual(usual.answers)
    expect(varied.webhooks).not.toEqual(usual.webhooks)
    expect(parsed(varied.answers)).toEqual(parsed(usual.answers))
    expect(parsed(varied.webhooks)).toEqual(parsed(usual.webhooks))
  })

  test('fields that nobody knows, beside all that are known', async () => {
    const [varied, usual] = [await play(['extraFields']), await play(null)]
    for (const [index, body] of parsed(varied.answers).entries()) {
      expect(body).toMatchObject(parsed(usual.answers)[index] as object)
    }
    expect(varied.webhooks[0]).not.toBe(usual.webhooks[0])
    expect(JSON.parse(varied.webhooks[0] ?? '')).toMatchObject(JSON.parse(usual.webhooks[0] ?? '') as object)
  })

  test('null fields that are left out, but never one that the contract states', async () => {
    const [varied, usual] = [await play(['absentFields']), await play(null)]
    const missing = usual.webhooks.flatMap((text, index) => {
      const [data, left] = [text, varied.webhooks[index] ?? '{}'].map(
        (each) => (JSON.parse(each) as { data: Record<string, unknown> }).data,
      )
      return Object.keys(data ?? {}).filter((name) => !Object.hasOwn(left ?? {}, name))
    })
    expect(missing.length).toBeGreaterThan(0)
    expect(missing).not.toEqual(expect.arrayContaining(['id']))
    expect(missing).not.toEqual(expect.arrayContaining(['status']))
    expect(parsed(varied.answers.slice(0, 8))).toEqual(parsed(usual.answers.slice(0, 8)))
  })

  test('texts of messages, with the same codes', async () => {
    const [varied, usual] = [await play(['messageTexts']), await play(null)]
    const codes = (texts: string[]) =>
      texts.map((text) => (JSON.parse(text) as { error: { code: string } | null }).error?.code)
    expect(codes(varied.answers)).toEqual(codes(usual.answers))
    expect(varied.answers[7]).not.toBe(usual.answers[7])
  })

  test('the order of ties in lists, the same records on every page', async () => {
    const [varied, usual] = [await play(['tieOrder']), await play(null)]
    expect(varied.listed).not.toEqual(usual.listed)
    expect(varied.listed.toSorted()).toEqual(usual.listed.toSorted())
    const sandbox = opened[0] as Sandbox
    const token = await tokenOf(sandbox)
    const pages: string[] = []
    for (const page of [1, 2, 3]) {
      const response = await sandbox.fetch(`/v1/transactions?pageSize=2&page=${page}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      const { data } = (await response.json()) as { data: { items: { id: string }[] } }
      pages.push(...data.items.map(({ id }) => id))
    }
    expect(pages).toEqual(varied.listed)
  })

  test('the length of tokens, which stay good', async () => {
    const [varied, usual] = [await play(['tokenLength']), await play(null)]
    expect(varied.token.length).toBeGreaterThan(usual.token.length)
    expect(varied.listed).toHaveLength(6)
  })

  test('the waits before retries, within 2 to 4 seconds', async () => {
    const [varied, usual] = [await play(['retryWaits']), await play(null)]
    expect(usual.waits).toEqual([2_000, 4_000])
    expect(varied.waits).not.toEqual(usual.waits)
    expect(varied.waits).toHaveLength(2)
    for (const wait of varied.waits) {
      expect(wait).toBeGreaterThanOrEqual(2_000)
      expect(wait).toBeLessThanOrEqual(4_000)
    }
  })

  test('says what it varies', async () => {
    const sandbox = await startSandbox({ vary: { seed: 'shown', without: ['tieOrder'] } })
    opened.push(sandbox)
    const { vary } = await sandbox.info()
    expect(vary).toEqual({ seed: 'shown', names: VARIATION_NAMES.filter((name) => name !== 'tieOrder') })
  })

  test('refuses a name that is none', async () => {
    await expect(startSandbox({ vary: { seed: 'x', without: ['tieorder'] } })).rejects.toMatchObject({
      code: 'bad_option',
      message: expect.stringContaining("Did you mean 'tieOrder'"),
    })
  })

  test('still takes a payment, whatever is varied', async () => {
    for (const seed of ['a', 'b', 'c']) {
      const sandbox = await startSandbox({ vary: seed })
      opened.push(sandbox)
      const token = await tokenOf(sandbox)
      const shop = sandbox.inbox('shop')
      const sale = { method: 'Pix', amount: 5_000, callbackUrl: shop.url }
      const { id } = await post(sandbox, '/v1/transactions', sale, token)
      await sandbox.trigger(String(id), 'confirm')
      expect(await shop.next('payment.completed')).toMatchObject({ signature: 'valid' })
    }
  })
})
