// Plays one long story through the doors of one world, and compares all that it left behind with what was written down.
// A change that is meant changes stories.txt too: run this test with WRITE_STORIES=1, then read the difference.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../support/sandbox.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const WRITTEN = join(import.meta.dirname, 'stories.txt')

const HOOK = 'http://shop.test/hook'

/** A card whose number is put together here, so that none stands in the code. */
const CARD = {
  cardNumber: ['4111', '1111', '1111', '1111'].join(''),
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2060',
  cardCvv: '123',
}

const EVIDENCE = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
  body: [
    '--edge',
    'Content-Disposition: form-data; name="file"; filename="proof.pdf"',
    'Content-Type: application/pdf',
    '',
    '%PDF-1.4 proof',
    '--edge--',
    '',
  ].join('\r\n'),
}

/** Every third delivery is refused. */
function openStory(): TestSandbox {
  const sandbox = openSandbox({ silences: { 'AU-13': 'off', 'DI-09': { url: HOOK } } })
  let sent = 0
  sandbox.worlds.host.sender = {
    send: () =>
      Promise.resolve({ status: ++sent % 3 === 0 ? 503 : 204, answer: sent % 3 === 0 ? 'later' : '' }),
  }
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** Texts with long ids as short names, in order of appearance: `id1`, `id2`, …; what is random and long becomes `…`. */
function shortener(): (text: string) => string {
  const names = new Map<string, string>()
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `id${names.size + 1}`
    names.set(id, name)
    return name
  }
  return (text) =>
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, nameOf)
      .replaceAll('2030-01-01T12:00:00.000Z', 'START')
      .replaceAll(/"(secretDigest|sentHeaders)":(?:"[^"]*"|\{[^}]*\}|null)/g, '"$1":"…"')
}

/** All that a world remembers, a line for each thing. */
function pictureOf({ world }: TestSandbox): string[] {
  const { state } = world
  const lines = Object.entries(state).flatMap(([kind, things]) =>
    typeof things === 'number'
      ? [`${kind} ${things}`]
      : Object.values(things as Record<string, unknown>).map((thing) => `${kind} ${JSON.stringify(thing)}`),
  )
  const jobs = world.scheduler.list(100).map((job) => `job ${JSON.stringify(job)}`)
  return [...lines, ...jobs, `balances ${JSON.stringify([...world.books.balances])}`]
}

test('a long story leaves behind what was written down', async () => {
  const sandbox = openStory()
  const { control } = sandbox
  const said: string[] = []
  const [shop, receiver] = Object.values(sandbox.world.state.organizations).map(({ splitCode }) => splitCode)

  async function ask(method: string, path: string, body?: unknown): Promise<Answered['body']> {
    const answered = await sandbox.send(method, path, { token: await sandbox.token(), body })
    said.push(`${method} ${path} ${answered.status} ${JSON.stringify(answered.body)}`)
    return answered.body.data
  }
  const order = async (path: string, body: unknown): Promise<Answered['body']> => {
    const answered = await control('POST', path, body)
    said.push(`POST ${path} ${answered.status} ${JSON.stringify(answered.body?.error ?? '')}`)
    return answered.body
  }
  const sell = async (fields: object): Promise<string> =>
    String((await ask('POST', '/v1/transactions', { amount: 10_000, callbackUrl: HOOK, ...fields }))?.id)
  const fire = (on: string, verb: string, fields: object = {}): Promise<Answered['body']> =>
    order('/trigger', { on, do: verb, ...fields })
  const pass = (by: string): Promise<Answered['body']> => order('/clock/advance', { by })
  const pix = (fields: object = {}): Promise<string> => sell({ method: 'Pix', ...fields })
  async function paid(fields: object = {}): Promise<string> {
    const id = await pix(fields)
    await fire(id, 'confirm')
    return id
  }

  const ana = {
    customerName: 'Ana Souza',
    customerDocument: '123.456.789-09',
    customerEmail: 'ana@example.com',
    customerPhone: '+55 11 99999-8888',
  }
  const splits = [
    { splitCode: receiver, type: 'PERCENTAGE', value: 12.5 },
    { splitCode: shop, type: 'FIXED', value: 333 },
  ]
  const shared = await paid({
    ...ana,
    splits,
    externalId: 'A-1',
    metadata: '{"order":1}',
    description: 'Book',
  })
  await fire(shared, 'refund', { amount: 1_001 })
  await fire(shared, 'refund')
  await sell({ method: 'Boleto', ...ana, boletoDueDate: '2030-01-03', externalId: 'A-2' })
  const slip = await sell({ method: 'Boleto', customerName: 'Bia', boletoDueDate: '2030-01-10' })
  await fire(slip, 'confirm')
  const onCard = await sell({ method: 'CreditCard', ...CARD, ...ana })
  await fire(onCard, 'confirm')
  await fire(onCard, 'requestRefund', { amount: 2_500 })
  await fire(onCard, 'refund')
  await fire(onCard, 'rejectRefund')
  await fire(onCard, 'requestRefund', { amount: 2_500 })
  await fire(onCard, 'settleRefund')
  await fire(onCard, 'requestRefund')
  await fire(onCard, 'rejectRefund')
  const token = await ask('POST', '/v1/card-tokenize', CARD)
  await sell({ method: 'CreditCard', cardToken: token?.cardToken })
  await sell({ method: 'CreditCard', cardToken: token?.cardToken })
  await fire(await pix(), 'fail')
  await fire(await pix(), 'cancel', { reason: 'the shop is closed' })
  const late = await pix()
  await pass('31m')
  await fire(late, 'confirm')
  await pix({ amount: 1 })
  await pix({ customerName: 'Caio', customerDocument: '1' })
  await pix({ splits: [{ splitCode: 'x', type: 'FIXED', value: 1 }] })

  const disputed: string[] = []
  for (const fields of [{}, { amount: 4_000 }, { reason: 'ProductNotReceived' }, {}, {}]) {
    const opened = await order('/disputes', { paymentId: await paid(), ...fields })
    disputed.push(String(opened.id))
  }
  const [won = '', lost = '', cancelled = '', reviewed = ''] = disputed
  await ask('PUT', `/v1/disputes/${won}/response`, { text: 'Entregue.' })
  await sandbox.send('POST', `/v1/disputes/${won}/evidences`, { token: await sandbox.token(), ...EVIDENCE })
  await fire(won, 'win')
  await ask('PUT', `/v1/disputes/${lost}/response`, { text: 'Entregue.' })
  await fire(lost, 'lose')
  await fire(cancelled, 'cancel')
  await fire(reviewed, 'review')
  await fire(reviewed, 'win')
  await fire(reviewed, 'lose')
  for (const id of disputed) await ask('GET', `/v1/disputes/${id}`)

  await order('/clock/advance', { by: '1d' })
  const keys = [
    ['CPF', '12345678909'],
    ['Email', 'Ana@Example.com'],
    ['Phone', '+5511999998888'],
    ['Random', '123e4567-e89b-12d3-a456-426614174000'],
  ]
  const cashouts: string[] = []
  for (const [pixKeyType, pixKey] of [...keys, ...keys.slice(0, 1)]) {
    const made = await ask('POST', '/v1/cashouts', {
      amount: 1_000,
      pixKeyType,
      pixKey,
      callbackUrl: HOOK,
      externalId: `C-${cashouts.length}`,
    })
    cashouts.push(String(made?.id))
  }
  const [done = '', failed = '', rejected = '', away = '', processed = ''] = cashouts
  await fire(done, 'complete')
  await fire(failed, 'fail')
  await fire(rejected, 'reject', { reason: 'the key is not known' })
  await fire(away, 'cancel')
  await fire(processed, 'process')
  await fire(processed, 'complete')
  await ask('POST', '/v1/cashouts', { amount: 99, pixKeyType: 'CPF', pixKey: '12345678909' })
  await ask('POST', '/v1/cashouts', { amount: 99_999_999, pixKeyType: 'CPF', pixKey: '12345678909' })

  const made = await ask('POST', '/v1/customers', {
    name: 'Íris Lã',
    email: 'iris@example.com',
    externalId: 'X',
    addressCity: 'Recife',
  })
  await ask('PATCH', `/v1/customers/${made?.id}`, {
    name: 'Íris',
    addressState: 'PE',
    document: '12.345.678/0001-95',
  })
  for (const query of [
    'search=iris',
    'search=souza',
    'search=123.456',
    'email=ANA@example.com',
    'status=Inactive',
  ]) {
    await ask('GET', `/v1/customers?${query}`)
  }
  await pass('40d')
  for (const path of [
    'balance',
    'transactions?status=Completed&limit=2',
    'transactions?externalId=A-1',
    'cashouts?page=2&limit=2',
    'disputes?limit=3',
  ]) {
    await ask('GET', `/v1/${path}`)
  }
  const lines = [...said, ...pictureOf(sandbox)].map(shortener())
  if (process.env['WRITE_STORIES'] === '1') writeFileSync(WRITTEN, `${lines.join('\n')}\n`)
  expect(lines).toEqual(readFileSync(WRITTEN, 'utf8').trimEnd().split('\n'))
})
