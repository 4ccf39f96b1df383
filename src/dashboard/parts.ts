// Owns the parts that pages are put together from: cards, facts, tables, pagers, and forms that call the control API.
import { html } from 'hono/html'
import { withQuery } from './links.ts'
import { fill } from './words.ts'
import type { Html, View } from './page.ts'

/** A titled card. `id` names it in the page; `size` is how much of a wide screen it takes. */
export function card(
  id: string,
  title: string,
  body: unknown,
  size: 'third' | 'half' | 'full' = 'full',
): Html {
  return html`<section class="card ${size}" aria-labelledby="${id}-title" id="${id}">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`
}

/** Names with their values; those that are null or empty are left out. */
export function facts(pairs: readonly (readonly [name: string, value: unknown])[]): Html {
  const told = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return html`<dl class="facts">
    ${told.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

/** A table; on a phone each row becomes a block that names its cells, without those that are null. `money` marks columns of numbers. */
export function table(
  caption: string,
  heads: readonly { name: string; money?: boolean }[],
  rows: readonly { id: string; cells: readonly unknown[] }[],
): Html {
  const side = (index: number): string => (heads[index]?.money === true ? 'number' : 'text')
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">
    <table>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map(({ name }, index) => html`<th scope="col" class="${side(index)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ id, cells }) =>
            html`<tr id="row-${id}">
              ${cells.map((cell, index) => html`<td class="${side(index)}${cell === null ? ' blank' : ''}" data-label="${heads[index]?.name}">${cell ?? '–'}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** A sentence in place of something that is empty. */
export function empty(text: string): Html {
  return html`<p class="empty">${text}</p>`
}

/** Links to the newer and older pages of a list, from page 1. */
export function pager({ base, path, query, words }: View, page: number, hasOlder: boolean): Html {
  const to = (other: number): string =>
    withQuery(base + path, { ...query, page: other === 1 ? '' : String(other) })
  return html`<nav class="pager" aria-label="${fill(words.page, page)}">
    ${page > 1 ? html`<a class="button" rel="prev" href="${to(page - 1)}">← ${words.newer}</a>` : html`<span></span>`}
    <span>${fill(words.page, page)}</span>
    ${hasOlder ? html`<a class="button" rel="next" href="${to(page + 1)}">${words.older} →</a>` : html`<span></span>`}
  </nav>`
}

/** A field of an action. Money is typed in reais and sent in cents; what is left empty is not sent. */
export interface Field {
  /** In the body; `a.b` is field b of object a. */
  name: string
  label: string
  /** A `value` is a number, true or false where it reads as one, and a text otherwise. */
  type?: 'text' | 'money' | 'number' | 'value'
  required?: boolean
  placeholder?: string
  /** What it is chosen from; an empty value is not sent. */
  choices?: readonly Choice[]
}

/** One of the values that a field is chosen from. */
export interface Choice {
  value: string
  /** What it is called; its value unless named. */
  label?: string
  selected?: boolean
}

/** A form that calls a route of the control API and tells how it went. */
export interface Action {
  /** Unique in the page. */
  id: string
  method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below the control API of the world, such as `/clock/advance`. */
  route: string
  /** What the body holds besides the fields. */
  send?: Readonly<Record<string, unknown>>
  fields?: readonly Field[]
  /** Fields that are out of sight until somebody wants them. */
  options?: readonly Field[]
  label: string
  look?: 'plain' | 'main' | 'danger'
}

/** Where the routes of actions stand. */
interface Target extends Pick<View, 'control' | 'words'> {
  /** Whether they also take a form from a browser without scripts, as the control API does not. */
  takesForms?: boolean
}

/**
 * The form of an action. The script sends it as JSON, to the routes that tests use; without it the form does nothing,
 * unless the routes take forms too.
 */
export function action({ control, words, takesForms = false }: Target, row: Action): Html {
  const { id, method = 'POST', route, send = {}, fields = [], options = [], label, look = 'plain' } = row
  return html`<form
    class="action"
    method="${takesForms ? 'post' : 'dialog'}"
    ${takesForms && html`action="${control}${route}"`}
    id="${id}"
    data-action="${control}${route}"
    data-method="${method}"
    data-send="${JSON.stringify(send)}"
  >
    ${fields.map((field) => input(id, field))}
    <button class="button ${look}">${label}</button>
    ${
      options.length > 0 &&
      html`<details id="${id}-options">
        <summary>${words.options}</summary>
        <div class="options">${options.map((field) => input(id, field))}</div>
      </details>`
    }
  </form>`
}

function input(form: string, field: Field): Html {
  const { name, label, type = 'text', required = false, placeholder = '', choices } = field
  if (choices) {
    return html`<label class="field">
      <span>${label}</span>
      <select id="${form}-${name}" name="${name}" data-type="${type}" ${required ? html`required` : ''}>
        ${choices.map((each) => html`<option value="${each.value}" ${each.selected === true ? html`selected` : ''}>${each.label ?? each.value}</option>`)}
      </select>
    </label>`
  }
  return html`<label class="field">
    <span>${label}</span>
    <input
      id="${form}-${name}"
      name="${name}"
      data-type="${type}"
      type="text"
      ${type === 'text' || type === 'value' ? '' : html`inputmode="decimal"`}
      autocomplete="off"
      placeholder="${placeholder}"
      ${required ? html`required` : ''}
    />
  </label>`
}

/** A button that copies a text; the text stands beside it. */
export function copyButton({ words }: Pick<View, 'words'>, text: string, label: string = words.copy): Html {
  return html`<button type="button" class="button small" data-copy="${text}">${label}</button>`
}
