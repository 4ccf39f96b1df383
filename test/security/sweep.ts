// Owns driving everything that a server does with marked secrets, through a merchant's calls and the control API.
import { connectSandbox } from '../../src/index.ts'
import { callsWith, createCanaries, CVV, markedCalls } from './canaries.ts'
import { ask, controlOutputs, listen, pageOutputs, recordingOf, wholeOf } from './surface.ts'
import type { Sandbox } from '../../src/index.ts'
import type { Canaries, Canary } from './canaries.ts'
import type { Output, Place } from './surface.ts'

/** The world that is swept. It has keys of its own, which nobody could guess. */
const WORLD = 'swept'
const BASE = `/_sandbox/worlds/${WORLD}`
const JSON_TYPE = { 'Content-Type': 'application/json' }
const CARD = {
  method: 'CreditCard',
  amount: 500,
  cardHolderName: 'ANA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2031',
}

/** What a sweep works with. */
interface Sweep {
  place: Place
  canaries: Canaries
  outputs: Output[]
  /** Sends a request and keeps all of its answer. */
  send(path: string, init: RequestInit): Promise<string>
  /** Calls the control API of the swept world with the control token. */
  control(path: string, body?: unknown, method?: string): Promise<Record<string, unknown>>
}

/** What a server showed while it was driven, and the secrets that it was sent or made. */
export interface Swept {
  outputs: Output[]
  canaries: Canary[]
}

/** Drives a server that was started with a control token, and reads all that it shows when `reads` says so. */
export async function sweep(place: Place, { reads }: { reads: boolean }): Promise<Swept> {
  const canaries = createCanaries()
  const outputs: Output[] = []
  const send = async (path: string, init: RequestInit): Promise<string> => {
    const response = await fetch(place.url + path, init)
    const text = await wholeOf(response)
    outputs.push({ name: `answer ${init.method ?? 'GET'} ${path}`, text })
    return text.slice(text.indexOf('\n\n'))
  }
  const control = async (path: string, body?: unknown, method = 'POST'): Promise<Record<string, unknown>> => {
    const init = { method, ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }) }
    const text = await wholeOf(await ask(place, BASE + path, init))
    outputs.push({ name: `control ${method} ${path}`, text })
    return JSON.parse(text.slice(text.indexOf('\n\n')) || '{}') as Record<string, unknown>
  }
  const swept = { place, canaries, outputs, send, control }
  canaries.watch('the control token', place.controlToken)
  const sandbox = await makeWorld(swept)
  const bases = ['/_sandbox', BASE]
  const streams = await Promise.all(bases.map((base) => listen(place, base)))
  const token = await tokenOf(swept, sandbox)
  await sendMarked(swept, token)
  await liveALife(swept, token)
  await driveControl(swept)
  await control('/settle')
  await control('/clock/advance', { by: '10m' })
  await control('/snapshots/kept', undefined, 'PUT')
  if (reads) await readAll(swept, sandbox)
  for (const stream of streams) outputs.push({ name: 'events', text: await stream.end() })
  return { outputs, canaries: canaries.all }
}

/** Reads everything that shows the world, with the control token and without it: what is open to anybody tells no keys. */
async function readAll({ place, outputs, send }: Sweep, sandbox: Sandbox): Promise<void> {
  outputs.push(...(await controlOutputs(place, WORLD)), ...(await controlOutputs(place, 'default')))
  const pages = await pageOutputs(place, WORLD)
  outputs.push(...pages, ...(await recordingOf(sandbox)))
  for (const { name } of pages) await send(name.replace('page ', ''), { redirect: 'manual' })
}

async function makeWorld({ place, canaries, control }: Sweep): Promise<Sandbox> {
  const body = JSON.stringify({ id: WORLD, silences: { 'AU-13': 'off' } })
  await ask(place, '/_sandbox/worlds', { method: 'POST', body })
  const sandbox = await connectSandbox(place.url, { world: WORLD, controlToken: place.controlToken })
  canaries.watch('the secret key of a world', sandbox.secretKey)
  const added = await control('/credentials')
  canaries.watch('the secret key of a credential', String(added['secretKey']))
  return sandbox
}

async function tokenOf({ place, canaries }: Sweep, { publicKey, secretKey }: Sandbox): Promise<string> {
  const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ publicKey, secretKey }) }
  const answered = (await (await fetch(`${place.url}/v1/auth/token`, init)).json()) as {
    data: { accessToken: string }
  }
  const { accessToken } = answered.data
  const [, claims = '', signature = ''] = accessToken.split('.')
  canaries.watch('the claims of a token', claims)
  canaries.watch('the signature of a token', signature)
  return accessToken
}

/** Sends every marked call and the token everywhere, once in the world of the token, and once where nobody says which world is meant. */
async function sendMarked({ canaries, send }: Sweep, token: string): Promise<void> {
  for (const { method, path, headers = {}, body } of [...markedCalls(canaries), ...callsWith(token)]) {
    for (const own of [{ Authorization: `Bearer ${token}` }, {}]) {
      await send(path, { method, headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) })
    }
  }
}

/** A sale with a dispute and its evidence, a card that pays, and a card that a payer types. */
async function liveALife({ place, canaries, send, control }: Sweep, token: string): Promise<void> {
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}` }
  const sell = async (fields: object): Promise<string> => {
    const text = await send('/v1/transactions', { method: 'POST', headers, body: JSON.stringify(fields) })
    return (JSON.parse(text) as { data: { id: string } }).data.id
  }
  const id = await sell({ method: 'Pix', amount: 10_000, callbackUrl: `${place.url}${BASE}/inbox/shop` })
  await control('/trigger', { on: id, do: 'confirm' })
  const { id: dispute } = await control('/disputes', { paymentId: id })
  const form = new FormData()
  const bytes = `%PDF-1.7\n${canaries.watch('the bytes of a file', 'the-bytes-of-an-evidence-7391')}`
  form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'a.pdf')
  form.set('cardNumber', canaries.card('a field beside a file'))
  const { Authorization } = headers
  await send(`/v1/disputes/${String(dispute)}/evidences`, {
    method: 'POST',
    body: form,
    headers: { Authorization },
  })
  const paid = await sell({ ...CARD, cardNumber: canaries.card('a payer'), cardCvv: CVV })
  const typed = {
    cardNumber: canaries.card('the pay page'),
    cardExpiry: '12/31',
    cardCvv: CVV,
    cardHolderName: 'ANA',
  }
  await send(`${BASE}/pay/${paid}/pay`, { method: 'POST', body: JSON.stringify(typed), headers: JSON_TYPE })
  await ask(place, `${BASE}/ui?token=${place.controlToken}`, { redirect: 'manual' })
}

/** Calls of the control API that carry a canary, or are wrong about one. */
async function driveControl({ canaries, control }: Sweep): Promise<void> {
  const when = { call: 'createTransaction', cardNumber: canaries.card('a rule') }
  await control('/rules', { when, do: { trigger: 'fail' } })
  await control('/rules', { when: { call: 'createTransaction', cardCvv: CVV }, do: { trigger: 'fail' } })
  const card = (name: string): string => canaries.card(name)
  const key = (name: string): string => canaries.key(name)
  for (const make of [card, key]) {
    await control(`/snapshots/${make('the name of a snapshot')}/restore`)
    await control('/trigger', { on: make('a trigger'), do: make('the name of a trigger') })
    await control('/silences', { [make('a silence')]: make('a choice') }, 'PATCH')
    await control('/silences', { 'TX-03': make('the choice of a silence') }, 'PATCH')
    await control('/faults', { on: { operation: make('a fault') }, do: 'dispute_changed' })
    await control('/given', { customers: [{ as: 'x', name: 'x', secretKey: make('a given record') }] })
    await control('/credentials', { secretKey: make('a credential') })
    await control('/clock/advance', { by: make('a duration') })
    await control('/deliveries/hold', { type: make('a type') })
    await control(`/${make('a control path')}`, undefined, 'GET')
    await control(`/exchanges?status=${make('the query of a control path')}`, undefined, 'GET')
  }
}
