// Owns the pay page: what a payer sees of a transaction, and beside it the buttons that only a sandbox has.
import { html } from 'hono/html'
import { organizationOf } from '../domain/organizations.ts'
import { TRANSACTION_RULES } from '../domain/transactionRules.ts'
import { allowedNow } from '../domain/transition.ts'
import { worldPath } from '../http/links.ts'
import { fromTimestamp } from '../kernel/time.ts'
import { inWords } from '../world/waiting.ts'
import { withoutCounting } from '../world/choices.ts'
import { clockOf, documentOf, switches, UI_BASE } from './layout.ts'
import { action } from './parts.ts'
import { howToPay } from './payMethods.ts'
import { instantText, money, toneOf } from './show.ts'
import { fill } from './words.ts'
import type { TransactionStatus } from '../contract/enums.ts'
import type { Transaction } from '../domain/records.ts'
import type { TransactionTrigger } from '../domain/transactionMachine.ts'
import type { Millis, Timestamp } from '../kernel/brands.ts'
import type { Place, Settings } from './layout.ts'
import type { Html } from './page.ts'
import type { Paying } from './payMethods.ts'
import type { Word } from './words.ts'

const STATUS_WORDS: Readonly<Record<TransactionStatus, Word>> = {
  Pending: 'payPending',
  Completed: 'payCompleted',
  Expired: 'payExpired',
  Failed: 'payFailed',
  Cancelled: 'payCancelled',
  Refunded: 'payRefunded',
  PartiallyRefunded: 'payPartiallyRefunded',
  Processing: 'payProcessing',
}
const SIGNS: Readonly<Record<TransactionStatus, string>> = {
  Pending: '…',
  Completed: '✓',
  Expired: '×',
  Failed: '×',
  Cancelled: '×',
  Refunded: '↩',
  PartiallyRefunded: '↩',
  Processing: '↩',
}

/** How a status is called to a payer. */
export function statusWord({ words }: Pick<Settings, 'words'>, status: TransactionStatus): string {
  return words[STATUS_WORDS[status]]
}

/** The page of a transaction. */
export function payPage(paying: Paying & Place): Html {
  const { words, world, transaction, base } = paying
  const main = html`<main id="main" class="pay" tabindex="-1" data-live>
    <section class="card" aria-labelledby="pay-shop">
      <p class="faint">${words.payTo}</p>
      <p class="big" id="pay-shop">${organizationOf(world, transaction).name}</p>
      <h1>${money(transaction.amount)}</h1>
      ${transaction.description && html`<p class="pay-for">${transaction.description}</p>`}
      ${statusPart(paying)}
      ${transaction.status === 'Pending' && html`<div id="how">${howToPay(paying)}</div>`}
    </section>
    ${decidePart(paying)}
  </main>`
  const title = fill(words.payTitle, money(transaction.amount))
  return frame(paying, title, main, `${base}/events`)
}

/** A page that says that there is no such transaction. */
export function payMissing(place: Place): Html {
  const { words } = place
  const main = html`<main id="main" class="pay alone-card" tabindex="-1" data-live>
    <section class="card">
      <h1>${words.notFound}</h1>
      <p>${words.payUnknown} ${words.payUnknownWhy}</p>
    </section>
  </main>`
  return frame(place, words.notFound, main, null)
}

function frame(place: Place & Partial<Paying>, title: string, main: Html, events: string | null): Html {
  const { words, world } = place
  const connection = html`<p
    id="connection"
    role="status"
    data-connected="${words.connected}"
    data-disconnected="${words.disconnected}"
  >
    ${words.connecting}
  </p>`
  const body = html`<body
    data-done="${words.done}"
    data-unreachable="${words.unreachable}"
    data-copied="${words.copied}"
    data-not-copied="${words.notCopied}"
    ${events && html`data-events="${events}"`}
  >
    <a class="skip" href="#main">${words.skip}</a>
    <header class="top pay-top">
      <p class="brand">
        <img src="${UI_BASE}/assets/icon.svg" alt="" width="28" height="28" /><span>${words.payTest}</span>
      </p>
      ${world && clockOf({ world, words })} ${events && connection} ${switches(place)}
    </header>
    ${main}
    <div id="told" role="status" aria-live="polite"></div>
  </body>`
  const files = html`<link rel="stylesheet" href="${UI_BASE}/assets/pay.css" />
    <script src="${UI_BASE}/assets/idiomorph.js" defer></script>
    <script src="${UI_BASE}/assets/ui.js" type="module"></script>
    <script src="${UI_BASE}/assets/count.js" type="module"></script>`
  return documentOf(place, `${title} · ${words.product}`, files, body)
}

/** The status in large, with the time that is left or with how it ended. */
function statusPart(paying: Paying): Html {
  const { words, transaction } = paying
  const { status } = transaction
  return html`<div id="status" class="pay-status ${toneOf(status)}" role="status" data-status="${status}">
    <span class="pay-sign" aria-hidden="true">${SIGNS[status]}</span>
    <div>
      <strong>${statusWord(paying, status)}</strong>
      ${status === 'Pending' ? timeLeft(paying) : html`<span>${endOf(paying)}</span>`}
    </div>
    ${status === 'Pending' || html`<span class="unseen">${words.payOver}</span>`}
  </div>`
}

/** Counted on the clock of the world; the script goes on counting while it flows. */
function timeLeft({ world, words, transaction: { expiresAt } }: Paying): Html {
  const end = fromTimestamp(expiresAt)
  const seconds = Math.max(0, Math.floor((end - world.clock.now()) / 1000))
  const text = seconds === 0 ? '0 s' : inWords((seconds * 1000) as Millis)
  return html`<span
    >${words.payLeft}: <b id="left" data-until="${end}">${text}</b>
    <span class="faint">${fill(words.payUntil, toTheSecond(expiresAt))}</span></span
  >`
}

/** An instant without its milliseconds: payers do not count in them. */
function toTheSecond(at: Timestamp): string {
  return instantText(at).slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
}

/** When or why a transaction came to its status. */
function endOf({ words, transaction }: Paying): string {
  const { status, completedAt, refundedAt, failureReason, refundedAmount, amount } = transaction
  const at = refundedAt ?? completedAt
  const day = at === null ? '' : fill(words.payWhen, toTheSecond(at))
  if (status === 'Refunded' || status === 'PartiallyRefunded') {
    return `${day}. ${fill(words.payBack, money(refundedAmount), money(amount))}`
  }
  return failureReason ?? day
}

/** Triggers of the page, in the order of their buttons. */
export const PAY_TRIGGERS = { pay: 'confirm', expire: 'expire', fail: 'fail' } as const satisfies Record<
  string,
  TransactionTrigger
>

function decidePart({ world, words, transaction, base }: Paying): Html {
  const quiet = withoutCounting(world)
  const allowed = allowedNow(quiet, TRANSACTION_RULES, transaction)
  const forms = allowed.includes('confirm') || allowed.includes('fail')
  return html`<aside class="card" id="decide" aria-labelledby="decide-title">
    <h2 id="decide-title">${words.payDecide}</h2>
    <p class="faint">${forms ? words.payDecideWhy : words.payOver}</p>
    ${decisions(words, base, transaction)
      .filter(({ trigger }) => allowed.includes(trigger))
      .map(({ form }) => form)}
    <p><a href="${worldPath(world.id)}/ui/transactions/${transaction.id}">${words.payRecord}</a></p>
  </aside>`
}

function decisions(
  words: Paying['words'],
  base: string,
  { card, status }: Transaction,
): { trigger: TransactionTrigger; form: Html }[] {
  const to = { words, control: base, takesForms: true }
  const pay = card ? words.payApprove : words.payDo
  return [
    {
      trigger: 'confirm',
      form: action(to, {
        id: 'pay',
        route: '/pay',
        label: status === 'Expired' ? words.payLate : pay,
        look: 'main',
      }),
    },
    { trigger: 'expire', form: action(to, { id: 'expire', route: '/expire', label: words.payExpire }) },
    {
      trigger: 'fail',
      form: action(to, {
        id: 'fail',
        route: '/fail',
        fields: [{ name: 'reason', label: `${words.reason} (${words.optional})` }],
        label: card ? words.payDecline : words.payFail,
        look: 'danger',
      }),
    },
  ]
}
