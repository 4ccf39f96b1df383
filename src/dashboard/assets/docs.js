// Owns what an API page does in a browser: its filter, its examples, and the calls that it tries.

const said = document.body.dataset

// ---- the filter: sections and their entries in the contents, and the groups that are left empty

const filter = document.getElementById('filter')
const sections = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.operation'))
const listed = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-for]'))
const entries = new Map([...listed].map((entry) => [entry.dataset.for ?? '', entry]))

function narrow() {
  const words = filter instanceof HTMLInputElement ? filter.value.toLowerCase().split(/\s+/) : []
  let left = 0
  for (const section of sections) {
    const fits = words.every((word) => section.dataset.filter?.includes(word) === true)
    section.hidden = !fits
    const entry = entries.get(section.id)
    if (entry) entry.hidden = !fits
    if (fits) left += 1
  }
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-group]'))) {
    group.hidden = group.querySelector('.operation:not([hidden]), [data-for]:not([hidden])') === null
  }
  const nothing = document.getElementById('nothing')
  if (nothing) nothing.hidden = left > 0
}

filter?.addEventListener('input', narrow)

// ---- tokens: a gateway gives few, so that one is kept while the tab is open

/** @param {string} id */
const keyIn = (id) => {
  const field = document.getElementById(id)
  return field instanceof HTMLInputElement ? field.value : ''
}

/**
 * The token of the keys that stand in the panel.
 * @param {boolean} isFresh whether a kept one is not wanted
 */
async function tokenOf(isFresh) {
  const [publicKey, secretKey] = [keyIn('publicKey'), keyIn('secretKey')]
  const place = `token of ${publicKey} ${secretKey}`
  const kept = sessionStorage.getItem(place)
  if (kept !== null && !isFresh) return { token: kept, isKept: true, refusal: null }
  const response = await fetch('/v1/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ publicKey, secretKey, grantType: 'client_credentials' }),
  })
  if (!response.ok) return { token: null, isKept: false, refusal: response }
  const { data } = /** @type {{ data: { accessToken: string } }} */ (await response.json())
  sessionStorage.setItem(place, data.accessToken)
  return { token: data.accessToken, isKept: false, refusal: null }
}

// ---- calls

/** A PDF of one empty page, for an upload without a file. */
const SMALL_PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

/**
 * The fields of a form in one place of the request.
 * @param {HTMLFormElement} form
 * @param {string} place
 */
function fieldsIn(form, place) {
  const all = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[data-in="${place}"]`))
  return [...all]
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  let path = form.dataset.path ?? ''
  for (const { name, value } of fieldsIn(form, 'path')) {
    path = path.replace(`{${name}}`, encodeURIComponent(value))
  }
  const query = fieldsIn(form, 'query').filter(({ value }) => value !== '')
  const search = new URLSearchParams(query.map(({ name, value }) => [name, value])).toString()
  return search === '' ? path : `${path}?${search}`
}

/**
 * What a form sends.
 * @param {HTMLFormElement} form
 */
function requestOf(form) {
  const headers = new Headers()
  for (const { name, value } of fieldsIn(form, 'header')) if (value !== '') headers.set(name, value)
  /** @type {RequestInit & { headers: Headers }} */
  const request = { method: form.dataset.method ?? 'GET', headers }
  const [text] = fieldsIn(form, 'body')
  if (text && text.value.trim() !== '') {
    JSON.parse(text.value)
    headers.set('Content-Type', 'application/json')
    request.body = text.value
  }
  if (form.querySelector('[data-multipart]')) request.body = filesOf(form)
  return request
}

/** @param {HTMLFormElement} form */
function filesOf(form) {
  const body = new FormData()
  for (const { name, type, value, files } of fieldsIn(form, 'form')) {
    const small = new File([SMALL_PDF], 'comprovante.pdf', { type: 'application/pdf' })
    body.set(name, type === 'file' ? (files?.[0] ?? small) : value)
  }
  return body
}

/**
 * Sends a form as a plain call; with a fresh token once more when the kept one does no longer hold.
 * @param {HTMLFormElement} form
 */
async function call(form) {
  const request = requestOf(form)
  const address = addressOf(form)
  if (form.dataset.token !== 'true' || !document.getElementById('keys')) return fetch(address, request)
  for (const isFresh of [false, true]) {
    const { token, isKept, refusal } = await tokenOf(isFresh)
    if (token === null) return refusal
    request.headers.set('Authorization', `Bearer ${token}`)
    const response = await fetch(address, request)
    if (!isKept || !(await isOutworn(response))) return response
  }
  return null
}

/**
 * Whether an answer says that the token does not hold; other refusals would come with any token.
 * @param {Response} response
 */
async function isOutworn(response) {
  if (response.status !== 401) return false
  try {
    const { error } = /** @type {{ error?: { code?: string } }} */ (await response.clone().json())
    return error?.code === 'unauthorized'
  } catch {
    return false
  }
}

/**
 * An element with a text.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @param {string} text
 */
function element(name, className, text) {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

/**
 * A text as readable JSON, or as it came when it is none.
 * @param {string} text
 */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * Shows an answer as text.
 * @param {Element} result
 * @param {Response} response
 */
async function show(result, response) {
  const text = await response.text()
  const { status, statusText, headers, url } = response
  const first = element('p', 'status', '')
  const { pathname, search } = new URL(url)
  first.append(
    element('span', `chip ${response.ok ? 'good' : 'bad'}`, `${status} ${statusText}`),
    ' ',
    element('code', '', pathname + search),
  )
  const more = document.createElement('details')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  more.append(element('summary', '', said.headers ?? ''), element('pre', '', lines))
  const isJson = headers.get('content-type')?.includes('json') === true
  const shown = isJson ? readable(text) : text
  const body = element('pre', 'answer', shown === '' ? (said.empty ?? '') : shown)
  body.tabIndex = 0
  result.replaceChildren(first, more, body)
}

/** @param {HTMLFormElement} form */
async function run(form) {
  const result = form.querySelector('.result')
  if (!result) return
  form.setAttribute('aria-busy', 'true')
  result.replaceChildren(element('p', 'faint', said.sending ?? ''))
  try {
    const response = await call(form)
    if (response) await show(result, response)
  } catch (error) {
    const told = error instanceof SyntaxError ? said.badJson?.replace('{}', error.message) : said.unreachable
    result.replaceChildren(element('p', 'wrong', told ?? ''))
  }
  form.removeAttribute('aria-busy')
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  if (form.id === 'keys') event.preventDefault()
  if (!form.classList.contains('trial')) return
  event.preventDefault()
  if (form.getAttribute('aria-busy') !== 'true') void run(form)
})

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-example]') : null
  if (!(button instanceof HTMLElement)) return
  const body = button.closest('form')?.querySelector('textarea')
  if (body) body.value = button.dataset.example ?? ''
})
