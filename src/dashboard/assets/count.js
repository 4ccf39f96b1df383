// Owns the lengths of time until an instant, which go on between updates while the clock of the world flows.

/** Host milliseconds between two readings. */
const COUNT_EVERY_MS = 250
/** Seconds of each unit, the largest first. */
const UNITS = /** @type {const} */ ([
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
])

/** What the clock showed when the page last told it. */
let told = { now: '', read: 0 }

/**
 * Whole seconds in all their units, as the server writes them.
 * @param {number} seconds
 */
function inWords(seconds) {
  const parts = []
  let rest = seconds
  for (const [unit, size] of UNITS) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

function count() {
  const { now = '', rate, mode } = document.getElementById('clock')?.dataset ?? {}
  if (now !== told.now) told = { now, read: performance.now() }
  if (mode !== 'flowing' || document.hidden) return
  const at = Number(now) + (performance.now() - told.read) * Number(rate)
  for (const left of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-until]'))) {
    const text = inWords(Math.max(0, Math.floor((Number(left.dataset.until) - at) / 1000)))
    if (left.textContent !== text) left.textContent = text
  }
}

count()
setInterval(count, COUNT_EVERY_MS)
