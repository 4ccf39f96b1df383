// Owns the pay page as an app: open without the control token, and its posts do three things to one transaction only.
import { Hono } from 'hono'
import { z } from 'zod'
import { SANDBOX_ERRORS } from '../contract/errors.ts'
import { MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { readCard } from '../domain/cards.ts'
import { isRefusal } from '../domain/refusal.ts'
import { recordOf } from '../domain/state.ts'
import { stamp } from '../domain/world.ts'
import { readBody } from '../http/body.ts'
import { isCrossSite } from '../http/crossSite.ts'
import { failure, success } from '../http/envelope.ts'
import { streamFeed } from '../http/eventStream.ts'
import { payPath } from '../http/links.ts'
import { withoutCounting } from '../world/choices.ts'
import { drivable, TRIGGER_PARAMETERS } from '../world/drive.ts'
import { planWake, runDue, sendFirst } from '../world/run.ts'
import { refusedPage } from './layout.ts'
import { choose, cleanAddress, page, settingsOf, wantsPage } from './pageAnswer.ts'
import { PAY_TRIGGERS, payMissing, payPage, statusWord } from './payPage.ts'
import { fill } from './words.ts'
import type { Context } from 'hono'
import type { SandboxErrorCode } from '../contract/errors.ts'
import type { Transaction } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Settings } from './layout.ts'
import type { Words } from './words.ts'

/** Bytes of a form of the page. */
const MAX_FORM_BYTES = 8_192

type Action = keyof typeof PAY_TRIGGERS

/** A card as typed: four fields, whose expiry is `MM/YYYY`. Must not outlive the call. */
const typedCard = z.strictObject({
  cardNumber: z.string(),
  cardHolderName: z.string(),
  cardExpiry: z.string(),
  cardCvv: z.string(),
})

/** A month of a year, as the form asks for it. */
const EXPIRY = /^\s*(0[1-9]|1[0-2])\s*\/\s*(\d{4})\s*$/

/** How the form calls the fields of a card. */
const LABELS: Readonly<Record<string, keyof Words>> = {
  cardNumber: 'payCardNumber',
  cardHolderName: 'payCardHolder',
  cardExpirationMonth: 'payCardExpiry',
  cardExpirationYear: 'payCardExpiry',
  cardCvv: 'payCardCvv',
}

/** What a form of the page may carry: the texts of its fields. */
const sentFields = z.record(z.string().max(MAX_SHORT_TEXT_UNITS), z.string())

/** What the page of one transaction is asked with. */
interface Found {
  world: RunningWorld
  transaction: Transaction
}

/** Why an action was not done, in the language of who asked. */
interface No {
  code: SandboxErrorCode
  why: string
}

/** The pay pages of all worlds. */
export function createPayApp(worlds: Worlds): Hono {
  const app = new Hono()
  for (const base of ['/_sandbox/pay/:transaction', '/_sandbox/worlds/:world/pay/:transaction']) {
    app.get(base, (c) => show(c, worlds))
    app.get(`${base}/events`, (c) => follow(c, worlds))
    for (const action of Object.keys(PAY_TRIGGERS) as Action[]) {
      app.post(`${base}/${action}`, (c) => act(c, worlds, action))
    }
  }
  return app
}

function find(c: Context, worlds: Worlds): Found | null {
  const id = c.req.param('world')
  const world = id === undefined ? worlds.default : worlds.get(id)
  const transaction =
    world && recordOf(world.state.transactions, (c.req.param('transaction') ?? '').toLowerCase())
  return transaction ? { world, transaction } : null
}

async function show(c: Context, worlds: Worlds): Promise<Response> {
  if (choose(c)) return c.redirect(cleanAddress(c))
  const place = { ...settingsOf(c), base: c.req.path, path: '', query: {} }
  const found = find(c, worlds)
  if (!found) return page(c, 404, payMissing(place))
  const { world, transaction } = found
  const body = world.clock.pin(() => {
    runDue(world)
    return payPage({ ...place, world, transaction, base: payPath(world, transaction.id) })
  })
  planWake(world)
  nameWorld(c, world)
  return page(c, 200, body)
}

/** Tells that something changed, not what: the page is open, and other records are nobody's business here. */
function follow(c: Context, worlds: Worlds): Response | Promise<Response> {
  const found = find(c, worlds)
  if (!found) return refusal(c, { code: 'sandbox_not_found', why: settingsOf(c).words.payUnknown })
  const { id } = found.transaction
  return streamFeed(c, found.world, ({ kind, at, facts }) =>
    kind === 'clock' || (kind === 'transition' && facts['subject'] === id) ? { at } : null,
  )
}

async function act(c: Context, worlds: Worlds, action: Action): Promise<Response> {
  const settings = settingsOf(c)
  if (isCrossSite(c.req.raw)) {
    return refusal(c, { code: 'sandbox_cross_site', why: SANDBOX_ERRORS.sandbox_cross_site.when })
  }
  const found = find(c, worlds)
  if (!found) return refusal(c, { code: 'sandbox_not_found', why: settings.words.payUnknown })
  const { world, transaction } = found
  nameWorld(c, world)
  const fields = await readFields(c)
  if ('code' in fields) return refusal(c, fields)
  const no = world.clock.pin(() => {
    runDue(world)
    return fire(settings, found, action, fields.sent)
  })
  planWake(world)
  await sendFirst(world)
  if (no) return refusal(c, no)
  if (isForm(c)) return c.redirect(payPath(world, transaction.id), 303)
  return c.json(success({ id: transaction.id, status: transaction.status }, null))
}

/** Fires what a button stands for; answers why it could not. Nothing of a card goes further than its check. */
function fire(
  settings: Settings,
  { world, transaction }: Found,
  action: Action,
  sent: Record<string, string>,
): No | null {
  const isTyped = action === 'pay' && Object.keys(sent).length > 0
  const wrong = isTyped ? wrongCard(settings, { world, transaction }, sent) : null
  if (wrong !== null) return { code: 'sandbox_bad_request', why: wrong }
  const trigger = PAY_TRIGGERS[action]
  const carried = TRIGGER_PARAMETERS.transaction[trigger]?.safeParse(isTyped ? {} : sent)
  if (!carried?.success) {
    return { code: 'sandbox_bad_request', why: carried ? z.prettifyError(carried.error) : trigger }
  }
  const fired = drivable(world, transaction.id)?.fire(trigger, carried.data)
  if (fired && !('refused' in fired)) return null
  const status = statusWord(settings, transaction.status)
  return { code: 'sandbox_trigger_refused', why: fill(settings.words.payNotNow, status) }
}

/** What is wrong with a typed card; null when it is the card of the transaction and would be taken. */
function wrongCard(
  { words, language }: Settings,
  { world, transaction }: Found,
  sent: Record<string, string>,
): string | null {
  const typed = typedCard.safeParse(sent)
  if (!typed.success || transaction.method !== 'CreditCard') return words.payCardForm
  const { cardExpiry, ...card } = typed.data
  const [, cardExpirationMonth, cardExpirationYear] = EXPIRY.exec(cardExpiry) ?? []
  if (cardExpirationYear === undefined) return `${words.payCardExpiry}: ${words.payCardExpiryHint}`
  const known = readCard(withoutCounting(world), { ...card, cardExpirationMonth, cardExpirationYear })
  if (isRefusal(known)) return asLabelled(language === 'pt' ? known.message : known.hint, words)
  const own = transaction.card
  if (!own || (own.lastFour === known.lastFour && own.brand === known.brand)) return null
  return fill(words.payCardOther, own.brand, own.lastFour)
}

/** What a refusal says, with the label of the form where the interface has the name of a field. */
function asLabelled(said: string, words: Words): string {
  return said.replace(/^(?:Campo ')?(card[A-Za-z]+)'?/, (whole, name: string) => {
    const word = LABELS[name]
    return word === undefined ? whole : words[word]
  })
}

/** The fields of a form that the script sends as JSON, and a browser without scripts as a form. */
async function readFields(c: Context): Promise<{ sent: Record<string, string> } | No> {
  const bytes = await readBody(c.req.raw, MAX_FORM_BYTES)
  if (bytes === 'tooLarge') {
    return { code: 'sandbox_payload_too_large', why: SANDBOX_ERRORS.sandbox_payload_too_large.when }
  }
  const text = typeof bytes === 'string' ? '' : new TextDecoder().decode(bytes)
  const filled = [...new URLSearchParams(isForm(c) ? text : '')].filter(([, value]) => value !== '')
  const parsed = sentFields.safeParse(isForm(c) ? Object.fromEntries(filled) : jsonOf(text))
  if (parsed.success) return { sent: parsed.data }
  return { code: 'sandbox_bad_request', why: SANDBOX_ERRORS.sandbox_bad_request.when }
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return null
  }
}

function nameWorld(c: Context, world: RunningWorld): void {
  c.header('X-Sandbox-World', world.id)
  c.header('X-Sandbox-Now', stamp(world))
}

/** Refuses in the envelope, and as a page where a browser without scripts shows the answer. */
async function refusal(c: Context, { code, why }: No): Promise<Response> {
  const { status } = SANDBOX_ERRORS[code]
  if (!isForm(c) || !wantsPage(c)) return c.json(failure(code, why), status)
  const settings = settingsOf(c)
  const back = c.req.path.slice(0, c.req.path.lastIndexOf('/'))
  return page(c, status, refusedPage(settings, { code, why, language: settings.language, back }))
}

function isForm(c: Context): boolean {
  return (c.req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded')
}
