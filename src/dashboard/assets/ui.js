// Owns what pages do in a browser besides following their world: they send forms to the control API, copy, and move the clock.
import { valueOf } from './fields.js'
import { changed, follow } from './live.js'

/** Host milliseconds between two readings of a flowing clock. */
const TICK_MS = 200

const said = document.body.dataset

// ---- forms that call the control API

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
function isField(element) {
  return ['input', 'select', 'textarea'].includes(element.localName)
}

/**
 * The body of a form: what it always sends, and its fields that are filled in. Names such as `a.b` make objects.
 * @param {HTMLFormElement} form
 */
function bodyOf(form) {
  const body = /** @type {Record<string, unknown>} */ (JSON.parse(form.dataset.send ?? '{}'))
  for (const field of form.elements) {
    if (!isField(field) || field.name === '' || field.value === '') continue
    const path = field.name.split('.')
    const last = path.pop() ?? ''
    let target = body
    for (const name of path) {
      target[name] ??= {}
      target = /** @type {Record<string, unknown>} */ (target[name])
    }
    target[last] = valueOf(field.value, field.dataset.type)
  }
  return body
}

/**
 * Sends a form and tells how it went.
 * @param {HTMLFormElement} form
 */
async function send(form) {
  const button = form.querySelector('button')
  form.setAttribute('aria-busy', 'true')
  button?.setAttribute('aria-disabled', 'true')
  try {
    const response = await fetch(form.dataset.action ?? form.action, {
      method: form.dataset.method ?? 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(bodyOf(form)),
    })
    const answer = /** @type {{ error?: { message: string } } | null} */ (
      response.status === 204 ? null : await response.json()
    )
    if (response.ok) form.reset()
    tell(response.ok, response.ok ? (said.done ?? '') : (answer?.error?.message ?? String(response.status)))
    changed()
  } catch {
    tell(false, said.unreachable ?? '')
  }
  form.removeAttribute('aria-busy')
  button?.removeAttribute('aria-disabled')
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.send === undefined) return
  event.preventDefault()
  if (form.getAttribute('aria-busy') !== 'true') void send(form)
})

// ---- what is told, and copying

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding

/**
 * Tells something in the live region; it goes away by itself.
 * @param {boolean} isGood
 * @param {string} text
 */
function tell(isGood, text) {
  const region = document.getElementById('told')
  if (!region) return
  region.textContent = text
  region.className = isGood ? 'good' : 'bad'
  clearTimeout(hiding)
  hiding = setTimeout(
    () => {
      region.textContent = ''
      region.className = ''
    },
    isGood ? 3000 : 12_000,
  )
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (!(button instanceof HTMLElement)) return
  void copy(button.dataset.copy ?? '').then((isCopied) =>
    tell(isCopied, (isCopied ? said.copied : said.notCopied) ?? ''),
  )
})

/**
 * Copies a text; answers whether that worked. Browsers keep the clipboard itself from pages that came over plain HTTP
 * from another machine, but let those copy what is selected.
 * @param {string} text
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/**
 * Copies a text by selecting it in a field that is there for that long.
 * @param {string} text
 */
function copySelected(text) {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies without the clipboard
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}

// ---- the clock, which flows between updates

/** What the clock showed when it was last read from the page. */
let clock = { at: 0, rate: 0, read: 0 }

function readClock() {
  const { now, rate, mode } = document.getElementById('clock')?.dataset ?? {}
  clock = { at: Number(now), rate: mode === 'flowing' ? Number(rate) : 0, read: performance.now() }
}

function tick() {
  if (clock.rate === 0 || document.hidden) return
  const shown = new Date(clock.at + (performance.now() - clock.read) * clock.rate)
  if (Number.isNaN(shown.getTime())) return
  const [date = '', time = ''] = shown.toISOString().slice(0, 19).split('T')
  const parts = { '#clock .date': date, '#clock .time': time }
  for (const [where, text] of Object.entries(parts)) {
    const part = document.querySelector(where)
    if (part && part.textContent !== text) part.textContent = text
  }
}

follow(readClock)
readClock()
setInterval(tick, TICK_MS)
document.querySelector('nav.pages [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
