// Owns what a record's page says of it: its title, its facts, how a transaction is paid, and the record as stored.
import { html } from 'hono/html'
import { digitableLine } from '../domain/boletoNumbers.ts'
import { payPath } from '../http/links.ts'
import { pictureOf } from '../http/transactionViews.ts'
import { linkTo } from './links.ts'
import { copyButton, facts } from './parts.ts'
import { instalmentsOf } from './payMethods.ts'
import { money, when } from './show.ts'
import { fill } from './words.ts'
import type { Cashout, Customer, Dispute, Transaction } from '../domain/records.ts'
import type { Html, View } from './page.ts'
import type { RecordKind, RecordOf } from './reads.ts'
import type { Word } from './words.ts'

const TITLES: Readonly<Record<RecordKind, Word>> = {
  transactions: 'transaction',
  cashouts: 'cashout',
  disputes: 'dispute',
  customers: 'customer',
}

/** The heading of a record: what it is, and how much or who. */
export function titleOf({ words }: View, kind: RecordKind, record: RecordOf[RecordKind]): string {
  return `${words[TITLES[kind]]} ${'amount' in record ? money(record.amount) : record.name}`
}

/** The facts of a record, and the whole of it as stored. */
export function factsOf(view: View, kind: RecordKind, record: RecordOf[RecordKind]): Html {
  const pairs = [...PAIRS[kind](view, record as never), ...commonPairs(view, record)]
  return html`${facts(pairs)}
    <details id="stored">
      <summary>${view.words.stored}</summary>
      <pre tabindex="0">${JSON.stringify(record, null, 2)}</pre>
    </details>`
}

type Pair = readonly [name: string, value: unknown]

const PAIRS: { readonly [K in RecordKind]: (view: View, record: RecordOf[K]) => Pair[] } = {
  transactions: transactionPairs,
  cashouts: cashoutPairs,
  disputes: disputePairs,
  customers: customerPairs,
}

function commonPairs(view: View, record: RecordOf[RecordKind]): Pair[] {
  const { words } = view
  const { environment, organizationId, createdAt } = record
  const name = view.world.state.organizations[organizationId]?.name ?? ''
  return [
    [words.environment, `${environment} · ${name}`],
    [words.created, when(createdAt)],
    [words.expires, 'expiresAt' in record ? when(record.expiresAt) : null],
    [words.completed, 'completedAt' in record && record.completedAt ? when(record.completedAt) : null],
  ]
}

function transactionPairs(view: View, record: Transaction): Pair[] {
  const { words } = view
  const { method, fee, netAmount, refundedAmount, externalId, description, customerId } = record
  return [
    [words.method, method],
    [words.payPage, html`<a href="${payPath(view.world, record.id)}">${words.payPageOpen}</a>`],
    [words.fee, money(fee)],
    [words.net, money(netAmount)],
    [words.refunded, refundedAmount > 0 ? money(refundedAmount) : null],
    [words.reference, externalId],
    [words.description, description],
    [words.customer, customerId && linkTo(view, customerId)],
    [words.reason, record.failureReason],
    [words.receiver, record.callbackUrl],
  ]
}

function cashoutPairs({ words }: View, record: Cashout): Pair[] {
  return [
    [words.pixKey, `${record.pixKey} (${record.pixKeyType})`],
    [words.fee, money(record.fee)],
    [words.net, money(record.netAmount)],
    [words.reference, record.externalId],
    [words.reason, record.failureReason],
    [words.receiver, record.callbackUrl],
  ]
}

function disputePairs(view: View, record: Dispute): Pair[] {
  const { words } = view
  const files = record.evidences.map(({ fileName, size }) => `${fileName} (${size} B)`).join(', ')
  return [
    [words.transaction, linkTo(view, record.transactionId)],
    [words.customer, record.customerId && linkTo(view, record.customerId)],
    [
      words.reason,
      record.reasonDescription ? `${record.reason}: ${record.reasonDescription}` : record.reason,
    ],
    [words.held, `${money(record.heldAmount)} · ${record.holdState}`],
    [words.deadline, record.responseDeadline && when(record.responseDeadline)],
    [words.response, record.responseText],
    [words.evidence, files],
  ]
}

function customerPairs({ words }: View, record: Customer): Pair[] {
  return [
    [words.name, record.name],
    [words.email, record.email],
    [words.document, record.document && `${record.document} (${record.documentType ?? ''})`],
    [words.phone, record.phone],
    [words.reference, record.externalId],
  ]
}

/** How a transaction is paid: the QR picture, the slip, or what may be shown of a card. Null for other records. */
export function payingOf(view: View, record: RecordOf[RecordKind]): Html | null {
  if (!('method' in record)) return null
  const { words, world } = view
  const { pix, boleto, card } = record
  if (pix) {
    return html`<div class="pix">
      <img class="qr" src="${pictureOf(world, record)}" alt="${words.qrPicture}" width="180" height="180" />
      <div>
        <p>${words.copyPaste}</p>
        <code class="break">${pix.copyAndPaste}</code>
        <p>${copyButton(view, pix.copyAndPaste)}</p>
      </div>
    </div>`
  }
  if (boleto) {
    const address = `/files/${world.id}/slips/${boleto.slip}.pdf`
    const line = digitableLine(boleto.barcode, 'formatted')
    return html`${facts([[words.due, boleto.dueDay]])}
      <p><code class="break">${line}</code> ${copyButton(view, line)}</p>
      <p><a class="button main" href="${address}">${words.slip}</a></p>`
  }
  if (!card) return null
  return html`<p class="big">${fill(words.cardEnding, card.brand, card.lastFour)}</p>
    <p>${instalmentsOf(words, card, record.amount)}</p>`
}
