// Owns lists whose order is chosen by drag or by keys. The order goes into the form that is sent and into the address, so that updates keep it.

/** @param {Element} list */
function rowsOf(list) {
  return /** @type {HTMLElement[]} */ ([...list.children])
}

/**
 * Takes the order of a list as the chosen one.
 * @param {HTMLElement} list
 */
function keep(list) {
  const rows = rowsOf(list)
  const order = rows.map((row) => row.dataset.id ?? '')
  const form = document.getElementById(list.dataset.orders ?? '')
  if (form) form.dataset.send = JSON.stringify({ order })
  for (const [index, row] of rows.entries()) {
    row.querySelector('[data-move="up"]')?.toggleAttribute('disabled', index === 0)
    row.querySelector('[data-move="down"]')?.toggleAttribute('disabled', index === rows.length - 1)
  }
  const address = new URL(location.href)
  address.searchParams.set('order', order.join(','))
  history.replaceState(null, '', address)
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll('.switches a, .pager a')
  )) {
    const to = new URL(link.href)
    to.searchParams.set('order', order.join(','))
    link.href = to.href
  }
}

/** Host milliseconds that it is told where a row is now. */
const TOLD_MS = 3000

/**
 * Says where a row is now, and takes that away again unless something else was told meanwhile.
 * @param {HTMLElement} list
 * @param {HTMLElement} row
 */
function say(list, row) {
  const rows = rowsOf(list)
  const values = [row.dataset.name ?? '', String(rows.indexOf(row) + 1), String(rows.length)]
  const region = document.getElementById('told')
  if (!region) return
  const text = (list.dataset.moved ?? '').replaceAll('{}', () => values.shift() ?? '')
  region.textContent = text
  region.className = 'good'
  clearTimeout(hiding)
  hiding = setTimeout(() => {
    if (region.textContent !== text) return
    region.textContent = ''
    region.className = ''
  }, TOLD_MS)
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-move]') : null
  const row = button?.closest('li')
  const list = row?.parentElement
  if (!(button instanceof HTMLElement) || !row || !list) return
  const isUp = button.dataset.move === 'up'
  const other = isUp ? row.previousElementSibling : row.nextElementSibling
  if (!other) return
  if (isUp) list.insertBefore(row, other)
  else list.insertBefore(other, row)
  keep(list)
  say(list, row)
  // Moving takes the focus away, and at an end of the list the button is off.
  const next =
    row.querySelector(`[data-move="${button.dataset.move}"]:not([disabled])`) ??
    row.querySelector('[data-move]:not([disabled])')
  if (next instanceof HTMLElement) next.focus()
})

/** @type {{ row: HTMLElement, list: HTMLElement } | null} */
let dragged = null

document.addEventListener('pointerdown', (event) => {
  const handle = event.target instanceof Element ? event.target.closest('.handle') : null
  const row = handle?.closest('li')
  const list = row?.parentElement
  if (!(handle instanceof HTMLElement) || !row || !list || event.button !== 0) return
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  dragged = { row, list }
  row.classList.add('dragged')
  // Updates leave the list alone while it is held.
  list.dataset.kept = ''
})

document.addEventListener('pointermove', (event) => {
  if (!dragged) return
  const { row, list } = dragged
  const below = rowsOf(list).find((each) => {
    const { top, height } = each.getBoundingClientRect()
    return each !== row && event.clientY < top + height / 2
  })
  if ((below ?? null) !== row.nextElementSibling) list.insertBefore(row, below ?? null)
})

function drop() {
  if (!dragged) return
  const { row, list } = dragged
  dragged = null
  row.classList.remove('dragged')
  delete list.dataset.kept
  keep(list)
  say(list, row)
}
document.addEventListener('pointerup', drop)
document.addEventListener('pointercancel', drop)
