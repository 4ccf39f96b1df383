// Owns what pages do in a browser: they follow the events of their world, send forms to the control API, and move the clock.

/** Host milliseconds that at least lie between two updates. */
const UPDATE_EVERY_MS = 250
/** Host milliseconds between two readings of a flowing clock. */
const TICK_MS = 200

const { Idiomorph: morpher } = /** @type {{ Idiomorph: typeof import('idiomorph').Idiomorph }} */ (
  /** @type {unknown} */ (globalThis)
)
const said = document.body.dataset

// ---- live updates: events only say that something changed; the page is then fetched again and morphed in

let isPlanned = false
let isUpdating = false
let isStale = false
let mayUpdateAt = 0

/** Plans an update. Many events make one, and none runs while the page is out of sight. */
function changed() {
  isStale = true
  if (isPlanned || isUpdating || document.hidden) return
  isPlanned = true
  setTimeout(update, Math.max(0, mayUpdateAt - performance.now()))
}

async function update() {
  isPlanned = false
  isUpdating = true
  isStale = false
  const begun = performance.now()
  try {
    const response = await fetch(location.href)
    if (response.status === 401) location.reload()
    show(await response.text())
  } catch {
    isStale = true
  }
  const end = performance.now()
  // A server that takes long is asked less often.
  mayUpdateAt = end + Math.max(UPDATE_EVERY_MS, 2 * (end - begun))
  isUpdating = false
  if (isStale) changed()
}

/**
 * Puts the live parts of a fetched page into this one.
 * @param {string} text
 */
function show(text) {
  const fetched = new DOMParser().parseFromString(text, 'text/html')
  document.title = fetched.title
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fetched.getElementById(part.id)
    if (!next) continue
    void morpher.morph(part, next, {
      callbacks: {
        beforeNodeMorphed: (old) => !isTypedIn(old) && !isKept(old),
        beforeAttributeUpdated: (name, element) => !(name === 'open' && element.localName === 'details'),
      },
    })
  }
  readClock()
}

/**
 * Whether somebody typed or chose something there that an update must not take away.
 * @param {Node} node
 */
function isTypedIn(node) {
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
    return node.value !== node.defaultValue
  }
  if (!(node instanceof HTMLSelectElement)) return false
  return (
    node === document.activeElement ||
    [...node.options].some((each) => each.selected !== each.defaultSelected)
  )
}

/**
 * Whether a script of the page has charge of what stands there now.
 * @param {Node} node
 */
function isKept(node) {
  return node instanceof HTMLElement && node.dataset.kept !== undefined
}

const KINDS = ['call', 'transition', 'delivery', 'attempt', 'clock']

function follow() {
  const address = said.events
  const state = document.getElementById('connection')
  if (address === undefined || !state) return
  const source = new EventSource(address)
  const mark = (/** @type {boolean} */ isConnected) => {
    state.textContent = (isConnected ? state.dataset.connected : state.dataset.disconnected) ?? ''
    state.className = isConnected ? 'connected' : 'disconnected'
  }
  source.addEventListener('open', () => {
    // What happened while nobody listened is caught up with.
    if (state.className === 'disconnected') changed()
    mark(true)
  })
  source.addEventListener('error', () => mark(false))
  for (const kind of KINDS) source.addEventListener(kind, changed)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && isStale) changed()
})

// ---- forms that call the control API

/**
 * What a field is sent as: reais as whole cents, numbers as numbers, and a value as what it reads as.
 * @param {string} text
 * @param {string | undefined} type
 */
function valueOf(text, type) {
  // What is no number goes as it was typed, and is refused with what would be right.
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'value' && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text)) {
    return /** @type {unknown} */ (JSON.parse(text))
  }
  if (type !== 'money') return text
  const isBrazilian = text.includes(',') || /^\d{1,3}(?:\.\d{3})+$/.test(text)
  const plain = isBrazilian ? text.replaceAll('.', '').replace(',', '.') : text
  return Math.round(Number(plain) * 100)
}

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
    const response = await fetch(form.action, {
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
  void navigator.clipboard.writeText(button.dataset.copy ?? '').then(() => tell(true, said.copied ?? ''))
})

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

follow()
readClock()
setInterval(tick, TICK_MS)
