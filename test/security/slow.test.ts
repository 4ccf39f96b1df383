// Checks that no text makes a server work for long: long repetitive texts in every place that takes one.
import { describe, expect, test } from 'vitest'
import { builtCommand, PATIENCE_MS } from '../cli/command.ts'

/** Host time for one answer on a busy machine. What is quadratic in a text of this length takes longer. */
const LIMIT_MS = 10_000
const LENGTH = 150_000

/** Parts that patterns stumble over when they come again and again. */
const PARTS = [
  'a',
  '1',
  '4 ',
  ' ',
  '\n',
  '/',
  '.',
  '@',
  'a-',
  '[',
  '{"a":',
  '- ',
  '? ',
  '&a ',
  '$a.',
  '${',
  '\\',
  'é',
  '\u0301',
  'eyJ-',
  'eyJa.',
  'sk_-',
  '::',
  '<<: ',
]

const SALES = '/v1/transactions'
const SALE = { method: 'Pix', amount: 100 }
const CASHOUT = { amount: 100, pixKeyType: 'Email' }
const field =
  (path: string, name: string, rest: object = SALE) =>
  (text: string) => ({ path, body: { ...rest, [name]: text } })

/** Places that take a text: a path and a body that is sent as JSON, or a text as it is. */
const PLACES: Record<string, (text: string) => { path: string; body: unknown; method?: string }> = {
  description: field(SALES, 'description'),
  metadata: field(SALES, 'metadata'),
  'metadata that is JSON': (text) => ({ path: SALES, body: { ...SALE, metadata: `{"a":"${text}` } }),
  callbackUrl: (text) => ({ path: SALES, body: { ...SALE, callbackUrl: `http://${text}` } }),
  'path of a callbackUrl': (text) => ({
    path: SALES,
    body: { ...SALE, callbackUrl: `http://a.test/${text}!` },
  }),
  customerEmail: field(SALES, 'customerEmail'),
  'customerEmail, late': (text) => ({ path: SALES, body: { ...SALE, customerEmail: `${text}@a.test` } }),
  dueDate: field(SALES, 'dueDate', { ...SALE, method: 'Boleto' }),
  cardNumber: field('/v1/card-tokenize', 'cardNumber', { cardHolderName: 'A', cardCvv: '1' }),
  pixKey: field('/v1/cashouts', 'pixKey', CASHOUT),
  'pixKey of a phone': field('/v1/cashouts', 'pixKey', { ...CASHOUT, pixKeyType: 'Phone' }),
  document: field('/v1/customers', 'document', { name: 'A', email: 'a@b.test' }),
  'an unknown field': field(SALES, 'note'),
  'the name of a field': (text) => ({ path: SALES, body: { ...SALE, [text]: 1 } }),
  grantType: field('/v1/auth/token', 'grantType', { publicKey: 'a', secretKey: 'b' }),
  'brackets that close': (text) => ({
    path: SALES,
    body: `{"a":${'['.repeat(text.length / 2)}${']'.repeat(text.length / 2)}}`,
  }),
  'broken JSON': (text) => ({ path: SALES, body: `{"a":${text}` }),
  'the address of the server': (text) => ({
    path: '/_sandbox/info',
    body: { url: `http://a.test/${text}x` },
    method: 'PATCH',
  }),
  'the host of the server': (text) => ({
    path: '/_sandbox/info',
    body: { url: `http://${text}` },
    method: 'PATCH',
  }),
  'a duration': field('/_sandbox/clock/advance', 'by', {}),
  'an instant': field('/_sandbox/clock/freeze', 'at', {}),
  'a choice': (text) => ({ path: '/_sandbox/silences', body: { 'WH-02': text }, method: 'PATCH' }),
  'a silence': (text) => ({ path: '/_sandbox/silences', body: { [text]: 1 }, method: 'PATCH' }),
  'a trigger': field('/_sandbox/trigger', 'do', { on: 'x' }),
  'a rule': (text) => ({
    path: '/_sandbox/rules',
    body: { when: { call: 'createTransaction', description: { contains: text } }, do: { trigger: 'fail' } },
  }),
  'a world': field('/_sandbox/worlds', 'id', {}),
  'a scenario': (text) => ({ path: '/_sandbox/scenarios', body: text }),
  'the name of a scenario': (text) => ({ path: '/_sandbox/scenarios', body: `name: ${text}\nsteps: []` }),
  'a reference of a scenario': (text) => ({
    path: '/_sandbox/scenarios',
    body: JSON.stringify({ name: 'x', steps: [{ trigger: { on: `$a${text}`, do: text } }] }),
  }),
}

const { started } = builtCommand()

describe('a long text', { timeout: 3 * PATIENCE_MS }, () => {
  test('is answered soon, wherever it stands and whatever it repeats', async () => {
    const { told } = await started(['--seed', 'slow'])
    const pair = { publicKey: told.publicKey, secretKey: told.secretKey }
    const send = (path: string, body: unknown, method: string, token = ''): Promise<Response> =>
      fetch(told.url + path, {
        method,
        headers: {
          'Content-Type': 'application/json',
          ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(LIMIT_MS),
      })
    const { data } = (await (await send('/v1/auth/token', pair, 'POST')).json()) as {
      data: { accessToken: string }
    }
    await send('/_sandbox/silences', { 'AU-13': 'off' }, 'PATCH')
    const slow: string[] = []
    for (const part of PARTS) {
      const text = part.repeat(Math.ceil(LENGTH / part.length))
      for (const [place, call] of Object.entries(PLACES)) {
        const { path, body, method = 'POST' } = call(text)
        const token = path.startsWith('/v1/') ? data.accessToken : ''
        const how = await send(path, body, method, token).then(
          ({ status }) => (status === 500 ? 'breaks' : null),
          (error: unknown) => String(error),
        )
        if (how !== null) slow.push(`${JSON.stringify(part)} in ${place}: ${how}`)
      }
    }
    expect(slow).toEqual([])
  })
})
