// Owns the page of silences: what this world answers where the contract is silent, how often that was asked, and the choice of something else.
import { html } from 'hono/html'
import { silence, SILENCE_IDS } from '../contract/silences.ts'
import { action, empty, table } from './parts.ts'
import { count } from './show.ts'
import { filters, ticked } from './toolParts.ts'
import { sentWith, waysOf } from './schemaFields.ts'
import { fill } from './words.ts'
import type { SilenceId } from '../contract/silences.ts'
import type { Html, PageRow, Shown, View } from './page.ts'
import type { Field } from './parts.ts'
import type { Way } from './schemaFields.ts'

/** The row of the page. */
export const SILENCE_PAGE: PageRow = { path: '/silences', word: 'silences', show }

function show(view: View): Shown {
  const { words } = view
  const shown = SILENCE_IDS.filter((id) => isWanted(view, id))
  const knobs = shown.filter((id) => silence(id).value !== null)
  const fixed = shown.filter((id) => silence(id).value === null)
  const main = html`<h1>${words.silences}</h1>
    <p class="faint">${words.silencesWhy}</p>
    ${filters(view, [
      { name: 'q', label: words.search, placeholder: words.silenceSearch },
      {
        name: 'only',
        label: words.narrow,
        choices: [
          { value: '', label: words.all },
          { value: 'changed', label: words.onlyChanged },
          { value: 'used', label: words.onlyUsed },
        ],
      },
    ])}
    ${shown.length === 0 && empty(words.nothingFound)} ${knobs.length > 0 && knobTable(view, knobs)}
    ${
      fixed.length > 0 &&
      html`<details id="fixed" class="fixed">
        <summary>${fill(words.fixedRows, fixed.length)}</summary>
        ${fixedTable(view, fixed)}
      </details>`
    }`
  return { title: words.silences, main }
}

function isWanted({ query, world: { choices } }: View, id: SilenceId): boolean {
  const { topic, section, alternatives, choice } = silence(id)
  const text = (query['q'] ?? '').trim().toLowerCase()
  const searched = [id, topic, section, alternatives ?? '', JSON.stringify(choice)]
  if (text !== '' && !searched.some((each) => each.toLowerCase().includes(text))) return false
  if (query['only'] === 'changed') return isChanged(choices.overrides(), id)
  return query['only'] !== 'used' || choices.timesUsed(id) > 0
}

function isChanged(overrides: Readonly<Record<string, unknown>>, id: SilenceId): boolean {
  return Object.hasOwn(overrides, id)
}

function knobTable(view: View, ids: readonly SilenceId[]): Html {
  const { words, world } = view
  const heads = [
    { name: 'id' },
    { name: words.topic },
    { name: words.choice },
    { name: words.alternatives },
    { name: words.timesUsed, money: true },
  ]
  const rows = ids.map((id) => ({
    id,
    cells: [
      html`<strong>${id}</strong>`,
      html`<span
        >${ticked(silence(id).topic)}
        <span class="faint section" lang="en">${silence(id).section}</span></span
      >`,
      choiceCell(view, id),
      ticked(silence(id).alternatives ?? ''),
      count(view, world.choices.timesUsed(id)),
    ],
  }))
  return table(words.silences, heads, rows)
}

/** What is chosen, with the forms that choose something else. */
function choiceCell(view: View, id: SilenceId): Html {
  const { words, world } = view
  const { choice: standard, value } = silence(id)
  const overrides = world.choices.overrides()
  const hasChanged = isChanged(overrides, id)
  const chosen = overrides[id] ?? standard
  const back = action(view, {
    id: `default-${id}`,
    method: 'PATCH',
    route: '/silences',
    send: { [id]: null },
    label: typeof standard === 'object' ? words.toDefault : fill(words.backTo, textOf(standard)),
  })
  return html`<div class="knob">
    <span
      ><code class="break">${textOf(chosen)}</code>
      ${hasChanged && html`<span class="chip waiting">${words.changed}</span>`}</span
    >
    <details id="change-${id}">
      <summary>${words.change}</summary>
      ${value && waysOf(value, id, { example: (name) => partOf(chosen, name), strict: false }).map((way, index) => chooseForm(view, id, { way, index, chosen }))}
    </details>
    ${hasChanged && back}
  </div>`
}

function chooseForm(
  view: View,
  id: SilenceId,
  { way, index, chosen }: { way: Way; index: number; chosen: unknown },
): Html {
  const { words } = view
  const { fixed, fields } = way
  const [only] = fixed
  return action(view, {
    id: `choose-${id}-${index}`,
    method: 'PATCH',
    route: '/silences',
    send: sentWith({}, fixed),
    fields: fields.map((field) => fieldFor(view, field, chosen)),
    label: only ? `${words.choose} ${textOf(only[1])}` : words.choose,
  })
}

/** The field of a value: its choices begin with what is chosen now. */
function fieldFor({ words }: View, field: Field, chosen: unknown): Field {
  const { name, choices } = field
  const isWhole = !name.includes('.')
  const label = isWhole ? words.choice : name.slice(name.indexOf('.') + 1)
  if (!choices) return { ...field, label }
  const now = String(isWhole ? chosen : partOf(chosen, name))
  const kept = choices.filter(({ value }) => value !== '')
  return { ...field, label, choices: kept.map(({ value }) => ({ value, selected: value === now })) }
}

/** The part of a choice that a field such as `CO-05.feeCents` names. */
function partOf(chosen: unknown, name: string): unknown {
  const [, ...path] = name.split('.')
  return path.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : undefined,
    chosen,
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function fixedTable(view: View, ids: readonly SilenceId[]): Html {
  const { words, world } = view
  const heads = [
    { name: 'id' },
    { name: words.topic },
    { name: words.choice },
    { name: words.timesUsed, money: true },
  ]
  const rows = ids.map((id) => ({
    id,
    cells: [
      html`<strong>${id}</strong>`,
      ticked(silence(id).topic),
      ticked(textOf(silence(id).choice)),
      count(view, world.choices.timesUsed(id)),
    ],
  }))
  return table(fill(words.fixedRows, ids.length), heads, rows)
}
