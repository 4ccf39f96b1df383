// Owns parts that only the pages of deliveries, exchanges, faults, silences and scenarios need: payloads, headers, terms and filters.
import { html } from 'hono/html'
import { linkTo } from './links.ts'
import type { Html, View } from './page.ts'
import type { Choice } from './parts.ts'

/** Longest payload that a page shows, in UTF-16 units. */
const MAX_SHOWN_UNITS = 20_000
/** Furthest page that a list has. */
const MAX_PAGE = 1_000_000

/** A text of somebody else's, with its line breaks; of a long one only the start. */
export function payload({ words }: View, text: string, label: string): Html {
  const start = text.slice(0, MAX_SHOWN_UNITS)
  return html`<pre class="payload" tabindex="0" role="group" aria-label="${label}">${start}</pre>
    ${start.length < text.length && html`<p class="faint">${words.cut}</p>`}`
}

/** Any value as readable JSON. */
export function jsonPayload(view: View, value: unknown, label: string): Html {
  return payload(view, JSON.stringify(value, null, 2), label)
}

/** A text as readable JSON; null when it is none, or when it is readable already. */
export function readable(text: string): string | null {
  if (text.length > MAX_SHOWN_UNITS) return null
  try {
    const pretty = JSON.stringify(JSON.parse(text), null, 2)
    return pretty === text ? null : pretty
  } catch {
    return null
  }
}

/** Headers, one a line, as they stand in a message. */
export function headerText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** A text of the tables, whose words between backticks are code. They are in English. */
export function ticked(text: string): Html {
  const parts = text.split('`')
  return html`<span lang="en"
    >${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</span
  >`
}

/** A link to the page of a delivery. */
export function deliveryLink({ base }: View, id: string, text: unknown): Html {
  return html`<a href="${base}/deliveries/${id}">${text}</a>`
}

/** Links to whatever an id names, or a dash. */
export function recordCell(view: View, id: string | null): Html {
  return id === null ? html`<span class="faint">–</span>` : linkTo(view, id)
}

/** The page of a list that an address asks for, from 1. */
export function pageNumber({ query }: View): number {
  return Math.max(1, Math.min(MAX_PAGE, Math.trunc(Number(query['page'])) || 1))
}

/** One filter of a list: a select with `choices`, or a field for text. */
export interface Filter {
  name: string
  label: string
  placeholder?: string
  choices?: readonly Choice[]
}

/** The filters of a list, kept in its address. */
export function filters(view: View, rows: readonly Filter[]): Html {
  const { words, query, base, path } = view
  return html`<form class="action search" method="get" action="${base}${path}" role="search">
    ${rows.map((row) => filterField(row, query[row.name] ?? ''))}
    <button class="button main">${words.search}</button>
  </form>`
}

function filterField({ name, label, placeholder = '', choices }: Filter, chosen: string): Html {
  if (!choices) {
    return html`<label class="field"
      ><span>${label}</span>
      <input
        id="${name}"
        name="${name}"
        type="search"
        value="${chosen}"
        placeholder="${placeholder}"
        autocomplete="off"
      />
    </label>`
  }
  return html`<label class="field"
    ><span>${label}</span>
    <select id="${name}" name="${name}">
      ${choices.map(({ value, label: text = value }) => html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`)}
    </select>
  </label>`
}
