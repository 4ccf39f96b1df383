// Owns how an event of the live feed reads on one line of a page.
import { html } from 'hono/html'
import { chip, httpChip, when } from './show.ts'
import { linkTo } from './links.ts'
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
  switch (kind) {
    case 'call':
      return html`<span class="kind">call</span>
        <code>${fact('method')} ${fact('path')}</code> ${httpChip(status)}
        ${fact('code') && html`<code class="wrong">${fact('code')}</code>`}`
    case 'transition':
      return html`<span class="kind">${fact('machine')}</span>
        ${fact('from') && html`${chip(fact('from'))} →`} ${chip(fact('to'))}
        <code>${fact('on')}</code> ${linkTo(view, fact('subject'))}`
    case 'delivery':
      return html`<span class="kind">delivery</span>
        <code>${fact('type')}</code> ${linkTo(view, fact('subject'))}
        <code class="faint break">${fact('url')}</code>`
    case 'attempt':
      return html`<span class="kind">attempt ${fact('number')}</span>
        <code>${fact('type')}</code> ${httpChip(status)} ${linkTo(view, fact('subject'))}
        ${fact('error') && html`<span class="wrong">${fact('error')}</span>`}`
    case 'clock':
      return html`<span class="kind">clock</span>
        ${fact('from') && html`${when(fact('from') as Timestamp)} →`} <code>${fact('mode')}</code>`
    default:
      return kind satisfies never
  }
}
