// Owns following a world: its events only say that something changed; the page is then fetched again and morphed in.

/** Host milliseconds that at least lie between two updates, and between two tries where the server is gone at most. */
const [UPDATE_EVERY_MS, RETRY_EVERY_MS] = [250, 10_000]

const { Idiomorph: morpher } = /** @type {{ Idiomorph: typeof import('idiomorph').Idiomorph }} */ (
  /** @type {unknown} */ (globalThis)
)

let isPlanned = false
let isUpdating = false
let isStale = false
let mayUpdateAt = 0
let failures = 0
/** Called once what an update brought is shown. */
let whenShown = () => {}

/** Plans an update. Many events make one, and none runs while the page is out of sight. */
export function changed() {
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
    failures = 0
  } catch {
    isStale = true
    failures += 1
  }
  const end = performance.now()
  // A server that takes long is asked less often, and one that is gone ever less often.
  const wait = Math.min(RETRY_EVERY_MS, UPDATE_EVERY_MS * 2 ** failures)
  mayUpdateAt = end + Math.max(wait, 2 * (end - begun))
  isUpdating = false
  if (isStale) changed()
}

/**
 * Puts the live parts of a fetched page into this one.
 * @param {string} text
 */
function show(text) {
  const focused = document.activeElement
  const card = focused?.closest('section[id]')?.id ?? ''
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
  if (document.activeElement === document.body && focused !== document.body) focusNear(card)
  whenShown()
}

/**
 * Puts the focus where the part stood that had it and is gone: on the first button of its card, or on the page's main part.
 * @param {string} card
 */
function focusNear(card) {
  const near = document.getElementById(card)?.querySelector('button, a')
  const next = near instanceof HTMLElement ? near : document.getElementById('main')
  next?.focus()
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

const KINDS = ['call', 'transition', 'delivery', 'attempt', 'clock', 'setup']

/** @type {EventSource | null} */
let source = null

function listen() {
  const address = document.body.dataset.events
  const state = document.getElementById('connection')
  if (source || document.hidden || address === undefined || !state) return
  const opened = new EventSource(address)
  source = opened
  const mark = (/** @type {boolean} */ isConnected) => {
    state.textContent = (isConnected ? state.dataset.connected : state.dataset.disconnected) ?? ''
    state.className = isConnected ? 'connected' : 'disconnected'
  }
  opened.addEventListener('open', () => {
    // What happened while nobody listened is caught up with.
    if (state.className !== '') changed()
    mark(true)
  })
  opened.addEventListener('error', () => {
    mark(false)
    // Refused for good: the world is gone, or the page is not signed in any more. The page itself says which.
    if (opened.readyState === EventSource.CLOSED) changed()
  })
  for (const kind of KINDS) opened.addEventListener(kind, changed)
}

/**
 * Keeps the page up to date from now on. Out of sight it listens to nothing: a browser has few connections for all tabs.
 * @param {() => void} shown called after each update
 */
export function follow(shown) {
  whenShown = shown
  listen()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      source?.close()
      source = null
    } else {
      listen()
    }
  })
}
