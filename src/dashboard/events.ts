// Owns how an event of the live feed reads on one line of a page.
import { html } from 'hono/html'
import { MACHINE_NAMES } from '../domain/trail.ts'
import { chip, httpChip, kindLabel, when } from './show.ts'
import { linkTo } from './links.ts'
import { deliveryLink } from './toolParts.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { FeedItem } from '../world/feed.ts'
import type { Html, View } from './page.ts'

/** The latest events, one a line. */
export function eventList(view: View, items: readonly (FeedItem & { n: number })[]): Html {
  return html`<ol class="time-line">
    ${items.map(
      (item) =>
        html`<li class="${item.kind}" id="event-${item.n}">
          <span class="at">${when(item.at)}</span>
          <div>${eventOf(view, item)}</div>
        </li>`,
    )}
  </ol>`
}

function eventOf(view: View, { kind, facts }: FeedItem): Html {
  const fact = (name: string): string => {
    const value = facts[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const status = typeof facts['status'] === 'number' ? facts['status'] : null
  const machine = MACHINE_NAMES.find((name) => name === facts['machine'])
  switch (kind) {
    case 'call':
      return html`${kindLabel(view, 'call')}
        <code>${fact('method')} ${fact('path')}</code> ${httpChip(status)}
        ${fact('code') && html`<code class="wrong">${fact('code')}</code>`}`
    case 'transition':
      return html`${machine && kindLabel(view, machine)} ${fact('from') && html`${chip(fact('from'))} →`}
        ${chip(fact('to'))} <code>${fact('on')}</code> ${linkTo(view, fact('subject'))}`
    case 'delivery':
      return html`${kindLabel(view, 'delivery')}
        ${deliveryLink(view, fact('id'), html`<code>${fact('type')}</code>`)} ${linkTo(view, fact('subject'))}
        <code class="faint break">${fact('url')}</code>`
    case 'attempt':
      return html`${kindLabel(view, 'attempt', fact('number'))}
      ${deliveryLink(view, fact('delivery'), html`<code>${fact('type')}</code>`)} ${httpChip(status)}
      ${linkTo(view, fact('subject'))} ${fact('error') && html`<span class="wrong">${fact('error')}</span>`}`
    case 'clock':
      return html`${kindLabel(view, 'clock')} ${fact('from') && html`${when(fact('from') as Timestamp)} →`}
        <code>${fact('mode')}</code>`
    case 'setup':
      return html`${kindLabel(view, 'setup')} <code>${fact('changed')}</code>`
    default:
      return kind satisfies never
  }
}
