// Owns how a payer pays, by method: the PIX code, the boleto and its barcode, the card and the form to type it.
import { html } from 'hono/html'
import { digitableLine } from '../domain/boletoNumbers.ts'
import { interleavedWidths } from '../domain/interleaved.ts'
import { pictureOf } from '../http/transactionViews.ts'
import { copyButton, facts } from './parts.ts'
import { money } from './show.ts'
import { fill } from './words.ts'
import type { Transaction } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Html } from './page.ts'
import type { Language, Words } from './words.ts'

/** What the page of one transaction is made of. */
export interface Paying {
  world: RunningWorld
  words: Words
  language: Language
  transaction: Transaction
  /** Address of the page; its actions stand below it. */
  base: string
}

/** Height of a barcode, in narrow bars, and the white that a reader needs at its sides. */
const BAR_HEIGHT = 52
const QUIET_BARS = 10

/** How a transaction that waits is paid. */
export function howToPay(paying: Paying): Html {
  const { pix, boleto } = paying.transaction
  if (pix) return pixPart(paying, pix.copyAndPaste)
  if (boleto) return boletoPart(paying, boleto)
  return cardPart(paying)
}

function pixPart({ world, words, transaction }: Paying, code: string): Html {
  return html`<p class="faint">${words.payPixHow}</p>
    <div class="pix">
      <img
        class="qr"
        src="${pictureOf(world, transaction)}"
        alt="${words.qrPicture}"
        width="210"
        height="210"
      />
      <div>
        <h2>${words.payPixCode}</h2>
        <code class="pay-code" id="pix-code">${code}</code>
        ${copyButton({ words }, code, words.payCopyCode)}
      </div>
    </div>`
}

function boletoPart({ world, words }: Paying, boleto: NonNullable<Transaction['boleto']>): Html {
  const line = digitableLine(boleto.barcode, 'formatted')
  return html`<p class="faint">${words.payBoletoHow}</p>
    ${facts([[words.due, brazilianDay(boleto.dueDay)]])}
    <h2>${words.payLine}</h2>
    <code class="pay-code" id="boleto-line">${line}</code>
    ${copyButton({ words }, line, words.payCopyLine)} ${barcode(boleto.barcode, words.payBars)}
    <p><a class="button" href="/files/${world.id}/slips/${boleto.slip}.pdf">${words.slip}</a></p>`
}

/** `2030-01-31` as `31/01/2030`, as it stands on the slip. */
function brazilianDay(day: string): string {
  return day.split('-').toReversed().join('/')
}

function barcode(digits: string, label: string): Html {
  let x = QUIET_BARS
  let path = ''
  for (const [index, width] of interleavedWidths(digits).entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v${BAR_HEIGHT}h-${width}z`
    x += width
  }
  return html`<div class="bars-box">
    <svg
      class="bars-picture"
      role="img"
      aria-label="${label}"
      viewBox="0 0 ${x + QUIET_BARS} ${BAR_HEIGHT}"
      preserveAspectRatio="none"
    >
      <path d="${path}" />
    </svg>
  </div>`
}

/** In how many instalments a card pays, and the cents of the largest one in reais. */
export function instalmentsOf(
  words: Words,
  { installments }: NonNullable<Transaction['card']>,
  amount: number,
): string {
  return fill(words.payInstallments, installments, money(Math.ceil(amount / installments)))
}

function cardPart(paying: Paying): Html {
  const { words, transaction } = paying
  const { card, amount } = transaction
  return html`${
      card &&
      html`<p class="pay-plastic">
          <strong>${fill(words.cardEnding, card.brand, card.lastFour)}</strong>
          <span>${instalmentsOf(words, card, amount)}</span>
        </p>
        <p class="faint">${words.payCardHow}</p>`
    }
    <details id="card-details" ${card ? '' : html`open`}>
      <summary>${words.payCardForm}</summary>
      ${cardForm(paying)}
    </details>`
}

/** The form of a card. A browser neither fills it in nor keeps it. */
function cardForm({ words, base }: Paying): Html {
  const field = (name: string, label: string, size: number, more: string | Html = ''): Html =>
    html`<label class="field ${name}">
      <span>${label}</span>
      <input
        id="card-${name}"
        name="${name}"
        type="text"
        autocomplete="off"
        spellcheck="false"
        maxlength="${size}"
        required
        ${more}
      />
    </label>`
  const digits = html`inputmode="numeric"`
  const expiry = html`inputmode="numeric" placeholder="${words.payCardExpiryHint}"`
  return html`<form
    class="action pay-card"
    id="card-form"
    method="post"
    action="${base}/pay"
    autocomplete="off"
    data-send="{}"
  >
    ${field('cardNumber', words.payCardNumber, 30, digits)}
    ${field('cardHolderName', words.payCardHolder, 255)}
    ${field('cardExpiry', words.payCardExpiry, 7, expiry)} ${field('cardCvv', words.payCardCvv, 4, digits)}
    <button class="button main">${words.payWithCard}</button>
    <p class="faint">${words.payCardNothingKept}</p>
  </form>`
}
