// Owns playing a scenario from its page: sends the text, and shows the steps one after the other, as they went. All of it is put in as text.

/** Host milliseconds between two steps as they are shown, and for all of them together at most. */
const [STEP_MS, ALL_STEPS_MS] = [70, 2000]

/**
 * @typedef {{ step: string, line: number, says: string, passed: boolean }} Step
 * @typedef {{ step: string | null, says: string, line: number, column: number, message: string, diff: string }} Failure
 * @typedef {{ name: string, passed: boolean, steps: Step[], failure: Failure | null, story: string[], tookMs: number }} Result
 * @typedef {{ error?: { code?: string, message: string, problems?: { line: number, column: number, message: string }[] } }} Refusal
 */

/** Grows with every play, so that an earlier one stops showing its steps. */
let plays = 0

/**
 * A fresh copy of a template.
 * @param {string} id
 */
function copyOf(id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id))
  return /** @type {DocumentFragment} */ (template.content.cloneNode(true))
}

/**
 * @param {ParentNode} part
 * @param {string} name
 */
function slot(part, name) {
  return /** @type {HTMLElement} */ (part.querySelector(`[data-slot="${name}"]`))
}

/**
 * @param {string | undefined} text
 * @param {...(string | number)} values
 */
function filled(text, ...values) {
  return (text ?? '').replaceAll('{}', () => String(values.shift() ?? ''))
}

/**
 * One step as it went.
 * @param {Step} step
 * @param {HTMLElement} outcome
 */
function stepItem({ step, line, says, passed }, outcome) {
  const item = copyOf('step-template')
  const { passed: passedWord, failed, line: lineWord } = outcome.dataset
  slot(item, 'mark').textContent = passed ? '✓' : '✗'
  slot(item, 'mark').classList.add(passed ? 'good' : 'bad')
  slot(item, 'verdict').textContent = (passed ? passedWord : failed) ?? ''
  slot(item, 'says').textContent = `${step}  ${says}`
  slot(item, 'line').textContent = filled(lineWord, line)
  return item
}

/**
 * Shows how a play went: its steps one after the other, then why it failed.
 * @param {HTMLElement} outcome
 * @param {Result} result
 * @param {string} text what was played
 */
async function showResult(outcome, result, text) {
  const number = plays
  const { name, passed, steps, failure, story, tookMs } = result
  outcome.replaceChildren(copyOf('outcome-template'))
  slot(outcome, 'name').textContent = name
  slot(outcome, 'took').textContent = filled(outcome.dataset.took, steps.length, Math.round(tookMs))
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const wait = isStill ? 0 : Math.min(STEP_MS, ALL_STEPS_MS / Math.max(1, steps.length))
  for (const step of steps) {
    if (number !== plays) return
    slot(outcome, 'steps').append(stepItem(step, outcome))
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  }
  if (number !== plays) return
  const verdict = slot(outcome, 'verdict')
  verdict.textContent = (passed ? outcome.dataset.passed : outcome.dataset.failed) ?? ''
  verdict.classList.add(passed ? 'good' : 'bad')
  if (failure) showFailure(outcome, failure, story, text)
}

/**
 * Shows the line that failed, the difference, and the story so far.
 * @param {HTMLElement} outcome
 * @param {Failure} failure
 * @param {string[]} story
 * @param {string} text
 */
function showFailure(outcome, { line, column, message, diff }, story, text) {
  slot(outcome, 'failure').hidden = false
  slot(outcome, 'at').textContent = filled(outcome.dataset.failedAt, `${line}:${column}`)
  slot(outcome, 'source').textContent = text.split('\n')[line - 1] ?? ''
  slot(outcome, 'message').textContent = message
  slot(outcome, 'difference').hidden = diff === ''
  slot(outcome, 'diff').replaceChildren(...diff.split('\n').map(diffLine))
  slot(outcome, 'told').hidden = story.length === 0
  slot(outcome, 'story').textContent = story.join('\n')
}

/** @param {string} text */
function diffLine(text) {
  const line = document.createElement('span')
  line.textContent = `${text}\n`
  if (text.startsWith('-')) line.className = 'expected'
  if (text.startsWith('+')) line.className = 'found'
  return line
}

/**
 * Shows why nothing was played.
 * @param {HTMLElement} outcome
 * @param {Refusal} refusal
 * @param {number} status
 */
function showRefusal(outcome, { error }, status) {
  outcome.replaceChildren(copyOf('outcome-template'))
  const verdict = slot(outcome, 'verdict')
  verdict.textContent = outcome.dataset.unplayed ?? ''
  verdict.classList.add('bad')
  slot(outcome, 'failure').hidden = false
  slot(outcome, 'source').hidden = true
  slot(outcome, 'message').textContent = error?.message ?? String(status)
  const problems = slot(outcome, 'problems')
  problems.hidden = !error?.problems
  problems.replaceChildren(
    ...(error?.problems ?? []).map(({ line, column, message }) => {
      const item = document.createElement('li')
      item.textContent = `${line}:${column}  ${message}`
      return item
    }),
  )
}

/**
 * Plays what stands in the form.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} outcome
 * @param {string} text
 */
async function play(form, outcome, text) {
  plays += 1
  const waiting = document.createElement('p')
  waiting.className = 'empty'
  waiting.textContent = form.dataset.running ?? ''
  outcome.replaceChildren(waiting)
  form.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(form.dataset.play ?? '', {
      method: 'POST',
      headers: { 'Content-Type': 'application/yaml' },
      body: text,
    })
    /** @type {unknown} */
    const answer = await response.json()
    if (response.ok) void showResult(outcome, /** @type {Result} */ (answer), text)
    else showRefusal(outcome, /** @type {Refusal} */ (answer), response.status)
  } catch {
    showRefusal(outcome, { error: { message: document.body.dataset.unreachable ?? '' } }, 0)
  }
  form.removeAttribute('aria-busy')
}

document.addEventListener('submit', (event) => {
  const form = event.target
  const outcome = document.getElementById('outcome')
  if (!(form instanceof HTMLFormElement) || form.dataset.play === undefined || !outcome) return
  event.preventDefault()
  const area = form.elements.namedItem('text')
  if (form.getAttribute('aria-busy') === 'true' || !(area instanceof HTMLTextAreaElement)) return
  void play(form, outcome, area.value)
})

document.addEventListener('change', (event) => {
  const field = event.target
  const area = document.getElementById('text')
  if (!(field instanceof HTMLInputElement) || !(area instanceof HTMLTextAreaElement)) return
  if (field.type !== 'file') return
  void field.files?.[0]?.text().then((text) => {
    area.value = text
  })
})
