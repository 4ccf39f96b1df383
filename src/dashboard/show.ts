// Owns how values look: money, instants, lengths of time and statuses.
import { html } from 'hono/html'
import { fromTimestamp, SECOND } from '../kernel/time.ts'
import { inWords } from '../world/waiting.ts'
import { fill } from './words.ts'
import type { Millis, Timestamp } from '../kernel/brands.ts'
import type { Html, View } from './page.ts'
import type { Word } from './words.ts'

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const NUMBERS = {
  en: new Intl.NumberFormat('en'),
  pt: new Intl.NumberFormat('pt-BR'),
} as const

/** Cents as `R$ 129,90`, in any language. */
export function money(amount: number): string {
  return REAIS.format(amount / 100)
}

/** A number with its thousands apart. */
export function count({ language }: View, value: number): string {
  return NUMBERS[language].format(value)
}

/** An instant of the world, such as `2030-01-01 12:00:00`; the whole of it is in the element. Milliseconds only where there are some. */
export function instantText(at: Timestamp): string {
  return at.replace('T', ' ').replace(/(?:\.000)?Z$/, '')
}

/** An instant of the world as an element. */
export function when(at: Timestamp | null): Html {
  if (at === null) return html`<span class="faint">–</span>`
  return html`<time datetime="${at}">${instantText(at)} <span class="faint">UTC</span></time>`
}

/** How far an instant lies ahead, such as `in 30 min`: in whole seconds, unless it is less than one. The script counts it on. */
export function ahead({ world, words }: View, at: Timestamp): Html {
  const until = fromTimestamp(at)
  const left = until - world.clock.now()
  if (left <= 0) return html`${words.now}`
  const shown = left > SECOND ? left - (left % SECOND) : left
  const [before, after] = words.in.split('{}')
  return html`${before}<span data-until="${until}">${inWords(shown as Millis)}</span>${after}`
}

/** What a status tells at a glance. */
type Tone = 'waiting' | 'good' | 'bad' | 'busy' | 'quiet'

const TONES: Readonly<Record<string, Tone>> = {
  Pending: 'waiting',
  Open: 'waiting',
  scheduled: 'waiting',
  held: 'waiting',
  Processing: 'busy',
  MerchantResponded: 'busy',
  UnderReview: 'busy',
  PartiallyRefunded: 'busy',
  sending: 'busy',
  Completed: 'good',
  Won: 'good',
  Active: 'good',
  delivered: 'good',
  Failed: 'bad',
  Rejected: 'bad',
  Lost: 'bad',
  exhausted: 'bad',
}

/** The tone of a status; quiet for any other text. */
export function toneOf(status: string): Tone {
  return (Object.hasOwn(TONES, status) ? TONES[status] : null) ?? 'quiet'
}

/** A status with its colour; the text alone says it too. */
export function chip(status: string): Html {
  return html`<span class="chip ${toneOf(status)}">${status}</span>`
}

/** An HTTP status with its colour, which is good for 2xx only: no other answer receives a webhook. Null while there is no answer. */
export function httpChip(status: number | null): Html {
  if (status === null) return html`<span class="chip bad">–</span>`
  return html`<span class="chip ${status >= 200 && status < 300 ? 'good' : 'bad'}">${status}</span>`
}

/** What a line of a time line is about, in small letters; `number` fills in its text. */
export function kindLabel({ words }: View, word: Word, number: number | string = ''): Html {
  return html`<span class="kind">${fill(words[word], number).toLowerCase()}</span>`
}

/** The start of an id, enough to tell records apart. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
