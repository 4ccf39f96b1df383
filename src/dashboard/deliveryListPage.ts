// Owns the page of deliveries: what is held and in which order it goes, then every delivery, 20 a page, newest first.
import { html } from 'hono/html'
import { EVENT_TYPES } from '../contract/events.ts'
import { DELIVERY_STATUSES } from '../domain/trail.ts'
import { listDeliveries } from './deliveryReads.ts'
import { holdingCard } from './deliveryHolding.ts'
import { UI_BASE } from './layout.ts'
import { linkTo } from './links.ts'
import { empty, pager, table } from './parts.ts'
import { ahead, chip, count, httpChip, shortId, when } from './show.ts'
import { deliveryLink, filters, pageNumber } from './toolParts.ts'
import type { Delivery } from '../domain/trail.ts'
import type { Html, PageRow, Shown, View } from './page.ts'

/** The row of the page. */
export const DELIVERY_LIST_PAGE: PageRow = { path: '/deliveries', word: 'deliveries', show }

function show(view: View): Shown {
  const { words, world, query } = view
  const page = pageNumber(view)
  const filter = {
    status: query['status'] ?? '',
    type: query['type'] ?? '',
    text: (query['q'] ?? '').trim(),
  }
  const { items, hasOlder } = listDeliveries(world, filter, page)
  const isNarrowed = page > 1 || Object.values(filter).some((value) => value !== '')
  const main = html`<h1>${words.deliveries}</h1>
    <div class="grid spaced">${holdingCard(view)}</div>
    ${searchForm(view)}
    ${items.length === 0 ? empty(isNarrowed ? words.nothingFound : words.nothingHere) : deliveryTable(view, items)}
    ${(page > 1 || hasOlder) && pager(view, page, hasOlder)}
    <script src="${UI_BASE}/assets/order.js" type="module"></script>`
  return { title: words.deliveries, main }
}

function searchForm(view: View): Html {
  const { words, world, reads } = view
  const counts = reads.deliveryStatuses(world)
  const statuses = DELIVERY_STATUSES.map((status) => {
    const number = counts.get(status) ?? 0
    return { value: status, label: number === 0 ? status : `${status} (${count(view, number)})` }
  })
  return filters(view, [
    { name: 'q', label: words.search, placeholder: words.deliverySearch },
    { name: 'status', label: words.status, choices: [{ value: '', label: words.allStatuses }, ...statuses] },
    {
      name: 'type',
      label: words.eventType,
      choices: [{ value: '', label: words.allTypes }, ...EVENT_TYPES.map((value) => ({ value }))],
    },
  ])
}

function deliveryTable(view: View, deliveries: readonly Delivery[]): Html {
  const { words } = view
  const heads = [
    words.delivery,
    words.eventType,
    words.status,
    words.record,
    words.attempts,
    words.nextAttempt,
    words.receiver,
    words.created,
  ].map((name) => ({ name }))
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    cells: [
      deliveryLink(view, delivery.id, html`<code>${shortId(delivery.id)}</code>`),
      html`<code class="whole">${delivery.type}</code>`,
      chip(delivery.status),
      linkTo(view, delivery.subject),
      attemptsCell(view, delivery),
      nextCell(view, delivery),
      html`<span class="clip" title="${delivery.url}">${delivery.url}</span>`,
      when(delivery.createdAt),
    ],
  }))
  return table(words.deliveries, heads, rows)
}

/** How often it was sent, and the latest answer. */
function attemptsCell(view: View, { attempts }: Delivery): Html {
  const latest = attempts.at(-1)
  if (!latest) return html`<span class="faint">0</span>`
  const isOpen = latest.endedAt === null
  return html`<span>${count(view, attempts.length)} ${isOpen ? '' : httpChip(latest.status)}</span>`
}

function nextCell(view: View, { nextAttemptAt }: Delivery): Html {
  if (nextAttemptAt === null) return html`<span class="faint">–</span>`
  return html`<span>${when(nextAttemptAt)} <span class="faint">(${ahead(view, nextAttemptAt)})</span></span>`
}
