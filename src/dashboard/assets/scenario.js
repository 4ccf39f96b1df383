// Owns playing a scenario from its page: sends the text, and shows each step as it ends. All of it is put in as text.

/**
 * @typedef {{ step: string, line: number, says: string, passed: boolean }} Step
 * @typedef {{ step: string | null, says: string, line: number, column: number, message: string, diff: string }} Failure
 * @typedef {{ name: string, passed: boolean, steps: Step[], failure: Failure | null, story: string[], tookMs: number }} Result
 * @typedef {{ code?: string, message: string, problems?: { line: number, column: number, message: string }[] }} Refusal
 * @typedef {{ event: string, data: unknown }} PlayEvent
 */

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
 * Shows that a play goes on, and where its world can be seen meanwhile.
 * @param {HTMLElement} outcome
 * @param {{ name: string, world: string }} play
 */
function showBegun(outcome, { name, world }) {
  outcome.replaceChildren(copyOf('outcome-template'))
  slot(outcome, 'name').textContent = name
  slot(outcome, 'verdict').textContent = outcome.dataset.running ?? ''
  const link = slot(outcome, 'world')
  link.setAttribute('href', `${link.dataset.base}${encodeURIComponent(world)}/ui`)
  link.hidden = false
}

/**
 * Shows how a play went, whose steps are shown already.
 * @param {HTMLElement} outcome
 * @param {Result} result
 * @param {string} text what was played
 */
function showResult(outcome, { passed, steps, failure, story, tookMs }, text) {
  slot(outcome, 'took').textContent = filled(outcome.dataset.took, steps.length, Math.round(tookMs))
  slot(outcome, 'world').hidden = true
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
 */
function showRefusal(outcome, { message, problems = [] }) {
  outcome.replaceChildren(copyOf('outcome-template'))
  const verdict = slot(outcome, 'verdict')
  verdict.textContent = outcome.dataset.unplayed ?? ''
  verdict.classList.add('bad')
  slot(outcome, 'failure').hidden = false
  slot(outcome, 'source').hidden = true
  slot(outcome, 'message').textContent = message
  const list = slot(outcome, 'problems')
  list.hidden = problems.length === 0
  list.replaceChildren(
    ...problems.map(({ line, column, message: problem }) => {
      const item = document.createElement('li')
      item.textContent = `${line}:${column}  ${problem}`
      return item
    }),
  )
}

/**
 * The events of an answer, as they come.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {AsyncGenerator<PlayEvent>}
 */
async function* eventsIn(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [event = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2))
      yield { event, data: JSON.parse(data) }
    }
  }
}

/**
 * Shows a play as its events come.
 * @param {HTMLElement} outcome
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {string} text what is played
 */
async function follow(outcome, body, text) {
  let isOver = false
  for await (const { event, data } of eventsIn(body)) {
    if (event === 'begun') showBegun(outcome, /** @type {{ name: string, world: string }} */ (data))
    if (event === 'step') slot(outcome, 'steps').append(stepItem(/** @type {Step} */ (data), outcome))
    if (event === 'ended') {
      const result = /** @type {Result} */ (data)
      // One that could have no world never begins.
      if (!outcome.querySelector('[data-slot]')) showBegun(outcome, { name: result.name, world: '' })
      showResult(outcome, result, text)
    }
    isOver ||= event === 'ended'
  }
  if (!isOver) showRefusal(outcome, { message: outcome.dataset.brokenOff ?? '' })
}

/**
 * Plays what stands in the form.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} outcome
 * @param {string} text
 * @param {string} pauseMs host milliseconds between two steps
 */
async function play(form, outcome, text, pauseMs) {
  const waiting = document.createElement('p')
  waiting.className = 'empty'
  waiting.textContent = outcome.dataset.running ?? ''
  outcome.replaceChildren(waiting)
  form.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(`${form.dataset.play}?pauseMs=${pauseMs}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/yaml', Accept: 'text/event-stream' },
      body: text,
    })
    if (response.ok && response.body) await follow(outcome, response.body, text)
    else showRefusal(outcome, /** @type {{ error: Refusal }} */ (await response.json()).error)
  } catch {
    showRefusal(outcome, { message: document.body.dataset.unreachable ?? '' })
  }
  form.removeAttribute('aria-busy')
}

document.addEventListener('submit', (event) => {
  const form = event.target
  const outcome = document.getElementById('outcome')
  if (!(form instanceof HTMLFormElement) || form.dataset.play === undefined || !outcome) return
  event.preventDefault()
  const area = form.elements.namedItem('text')
  const pace = form.elements.namedItem('pauseMs')
  if (!(area instanceof HTMLTextAreaElement) || !(pace instanceof HTMLSelectElement)) return
  if (form.getAttribute('aria-busy') !== 'true') void play(form, outcome, area.value, pace.value)
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
