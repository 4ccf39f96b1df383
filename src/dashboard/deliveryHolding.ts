// Owns holding deliveries back and letting them go: what is held now, in an order that is chosen by drag or by keys.
import { html } from 'hono/html'
import { EVENT_TYPES } from '../contract/events.ts'
import { heldDeliveries, holds } from './deliveryReads.ts'
import { linkTo } from './links.ts'
import { action, card, empty } from './parts.ts'
import { count, shortId, when } from './show.ts'
import { deliveryLink } from './toolParts.ts'
import { fill } from './words.ts'
import type { Delivery } from '../domain/trail.ts'
import type { Fault } from '../world/faults.ts'
import type { Html, View } from './page.ts'

/** What is held, and the switches that hold and release. The chosen order is in the address of the page. */
export function holdingCard(view: View): Html {
  const { words, world, query } = view
  const { ordered, more } = heldDeliveries(world, (query['order'] ?? '').split(','))
  const armed = holds(world)
  const body = html`<p class="faint">${words.holdingWhy}</p>
    ${armed.map((fault) => holdOf(view, fault))}
    <div class="row">
      ${action(view, { id: 'hold-all', route: '/deliveries/hold', label: words.holdAll })}
      ${action(view, {
        id: 'hold-type',
        route: '/deliveries/hold',
        fields: [{ name: 'type', label: words.eventType, choices: EVENT_TYPES.map((value) => ({ value })) }],
        label: words.holdType,
      })}
    </div>
    ${ordered.length === 0 ? armed.length > 0 && empty(words.noneHeld) : heldList(view, ordered, more)}`
  return card('holding', words.holding, body)
}

function holdOf(view: View, { id, on, subject }: Fault): Html {
  const { words } = view
  const { type, subject: record = subject } = on.delivery ?? {}
  const narrowed = [type, record].filter((each) => typeof each === 'string').join(' · ')
  return html`<div class="armed" id="hold-${id}">
    <span class="chip waiting">${narrowed === '' ? words.holdsAll : fill(words.holdsType, narrowed)}</span>
    ${action(view, { id: `stop-${id}`, method: 'DELETE', route: `/faults?id=${id}`, label: words.stopHolding })}
  </div>`
}

function heldList(view: View, ordered: readonly Delivery[], more: number): Html {
  const { words } = view
  return html`<h3 id="held-title">${words.heldOrder}</h3>
    <p class="faint" id="held-help">${words.orderHelp}</p>
    <ol
      id="held"
      class="orderable"
      aria-labelledby="held-title"
      aria-describedby="held-help"
      data-orders="release-order"
      data-moved="${words.movedTo}"
    >
      ${ordered.map((delivery, index) => heldRow(view, delivery, { index, last: ordered.length - 1 }))}
    </ol>
    ${more > 0 && html`<p class="faint">${fill(words.heldMore, count(view, more))}</p>`}
    <div class="row">
      ${action(view, {
        id: 'release-order',
        route: '/deliveries/release',
        send: { order: ordered.map(({ id }) => id) },
        label: words.releaseOrder,
        look: 'main',
      })}
      ${action(view, { id: 'release-all', route: '/deliveries/release', label: words.releaseAll })}
    </div>`
}

function heldRow(view: View, delivery: Delivery, { index, last }: { index: number; last: number }): Html {
  const { words } = view
  const { id, type, subject, createdAt } = delivery
  const name = `${type} ${shortId(id)}`
  const isAt = (end: number): Html | string => (index === end ? html`disabled` : '')
  return html`<li id="held-${id}" data-id="${id}" data-name="${name}">
    <span class="handle" title="${words.drag}" aria-hidden="true">⠿</span>
    <span class="what"
      >${deliveryLink(view, id, html`<code>${type}</code>`)} ${linkTo(view, subject)}
      <span class="at">${when(createdAt)}</span></span
    >
    <span class="moves">
      <button
        type="button"
        class="button small"
        id="up-${id}"
        data-move="up"
        aria-label="${fill(words.moveUp, name)}"
        ${isAt(0)}
      >
        ↑
      </button>
      <button
        type="button"
        class="button small"
        id="down-${id}"
        data-move="down"
        aria-label="${fill(words.moveDown, name)}"
        ${isAt(last)}
      >
        ↓
      </button>
      ${action(view, {
        id: `release-${id}`,
        route: '/deliveries/release',
        send: { order: [id] },
        label: words.releaseOne,
      })}
    </span>
  </li>`
}
