// Owns where things stand in the dashboard: addresses of records, and links to whatever an id names.
import { html } from 'hono/html'
import { recordOf } from '../domain/state.ts'
import { RECORD_KINDS } from './reads.ts'
import { shortId } from './show.ts'
import type { Html, View } from './page.ts'

/** The address of a page with another query; what is empty is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const kept = Object.entries(query).filter(([, value]) => value !== '')
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`
}

/** A link to the record that an id names, or whose webhook it names; plain text where there is none. */
export function linkTo(view: View, id: string): Html {
  const address = addressOf(view, id)
  if (address === null) return html`<code>${shortId(id)}</code>`
  return html`<a href="${address}"><code>${shortId(id)}</code></a>`
}

function addressOf({ world, base }: View, id: string): string | null {
  const { state } = world
  const subject = recordOf(state.deliveries, id)?.subject ?? id
  const kind = RECORD_KINDS.find((each) => recordOf<{ id: string }>(state[each], subject) !== null)
  return kind === undefined ? null : `${base}/${kind}/${subject}`
}
