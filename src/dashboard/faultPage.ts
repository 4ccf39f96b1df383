// Owns the page of faults: those that are armed with how often they fired, the forms that arm them, and the rules of the world.
import { html } from 'hono/html'
import { armCard } from './faultForms.ts'
import { action, card, empty, table } from './parts.ts'
import { count, when } from './show.ts'
import { fill } from './words.ts'
import type { Fault } from '../world/faults.ts'
import type { Rule } from '../world/ruleShapes.ts'
import type { Html, PageRow, Shown, View } from './page.ts'

/** Faults and rules that the page lists, the latest ones. */
const MAX_LISTED = 100

/** The row of the page. */
export const FAULT_PAGE: PageRow = { path: '/faults', word: 'faults', show }

function show(view: View): Shown {
  const { words } = view
  const main = html`<h1>${words.faults}</h1>
    <div class="grid">
      ${armedCard(view)} ${armCard(view, 'call')} ${armCard(view, 'delivery')} ${rulesCard(view)}
    </div>`
  return { title: words.faults, main }
}

function armedCard(view: View): Html {
  const { words, world } = view
  const faults = world.faults.slice(-MAX_LISTED).toReversed()
  if (faults.length === 0) return card('armed', words.armed, empty(words.noFaults))
  const heads = [words.fault, words.befalls, words.does, words.fired, words.actions].map((name) => ({ name }))
  const rows = faults.map((fault) => ({
    id: fault.id,
    cells: [
      html`<strong>${fault.name}</strong>`,
      targetOf(view, fault),
      html`<code class="break">${JSON.stringify(fault.do)}</code>`,
      firedCell(view, fault),
      html`<span class="row"
        >${letGo(view, fault)}
        ${action(view, { id: `clear-${fault.id}`, method: 'DELETE', route: `/faults?id=${fault.id}`, label: words.clear })}</span
      >`,
    ],
  }))
  const all = action(view, {
    id: 'clear-all',
    method: 'DELETE',
    route: '/faults',
    label: words.clearAll,
    look: 'danger',
  })
  return card('armed', words.armed, html`${table(words.armed, heads, rows)} ${all}`)
}

/** What a fault befalls, with everything that narrows it. */
function targetOf(view: View, { on, subject, nth, probability, after, until }: Fault): Html {
  const { words } = view
  const target = on.delivery ? (on.delivery.type ?? words.anyDelivery) : (on.operation ?? words.anyCall)
  const record = subject ?? on.delivery?.subject ?? null
  return html`<span
    ><code>${target}</code>
    ${record !== null && html`<span class="faint break">${fill(words.ofRecord, record)}</span>`}
    ${nth !== null && html`<span class="faint">${fill(words.fromNth, nth)}</span>`}
    ${probability !== null && html`<span class="faint">${fill(words.chance, probability)}</span>`}
    ${after !== null && html`<span class="faint">${words.from} ${when(after)}</span>`}
    ${until !== null && html`<span class="faint">${words.until} ${when(until)}</span>`}</span
  >`
}

function firedCell(view: View, { fired, times, seen }: Fault): Html {
  const { words } = view
  const isLeft = fired < times
  return html`<span
    ><span class="chip ${isLeft ? 'waiting' : 'quiet'}">${isLeft ? words.ready : words.usedUp}</span>
    ${fill(words.firedOf, count(view, fired), count(view, times))}
    <span class="faint">(${fill(words.seenOf, count(view, seen))})</span></span
  >`
}

/** The button that answers the calls that a fault holds back. */
function letGo(view: View, { id }: Fault): Html | null {
  const { words, world } = view
  const waiting = [...world.heldCalls].filter(({ fault }) => fault === id).length
  if (waiting === 0) return null
  return action(view, {
    id: `let-go-${id}`,
    route: `/faults/${id}/release`,
    label: fill(words.letGo, waiting),
    look: 'main',
  })
}

function rulesCard(view: View): Html {
  const { words, world } = view
  const rules = world.rules.list.slice(-MAX_LISTED).toReversed()
  const why = html`<p class="faint">${words.rulesWhy}</p>`
  if (rules.length === 0) return card('rules', words.rules, html`${why} ${empty(words.noRules)}`)
  const heads = [words.ruleWhen, words.does, words.fired, words.actions].map((name) => ({ name }))
  const rows = rules.map((rule) => ({
    id: `rule-${rule.id}`,
    cells: [
      html`<code class="break">${JSON.stringify(rule.when)}</code>`,
      html`<code class="break">${JSON.stringify(rule.do)}</code>`,
      ruleFired(view, rule),
      action(view, {
        id: `clear-rule-${rule.id}`,
        method: 'DELETE',
        route: `/rules?id=${encodeURIComponent(rule.id)}`,
        label: words.clear,
      }),
    ],
  }))
  return card('rules', words.rules, html`${why} ${table(words.rules, heads, rows)}`)
}

function ruleFired(view: View, { fired, times, refused, note }: Rule): Html {
  const { words } = view
  const often =
    times === null ? count(view, fired) : fill(words.firedOf, count(view, fired), count(view, times))
  return html`<span
    >${often}
    ${refused > 0 && html`<span class="wrong break">${fill(words.ruleNote, refused, note ?? '')}</span>`}</span
  >`
}
