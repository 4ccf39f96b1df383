// Owns the page that plays a scenario: its text, and how its steps went. A script fills the result in, as text only.
import { html } from 'hono/html'
import { UI_BASE } from './layout.ts'
import { card } from './parts.ts'
import { fill } from './words.ts'
import type { Html, PageRow, Shown, View } from './page.ts'

/** Where a scenario is played; each plays in a world of its own. */
const PLAY_ROUTE = '/_sandbox/scenarios'

/** Host milliseconds between two steps that can be chosen. */
const PACES = [0, 500, 2000]

/** A short scenario to begin with. */
export const EXAMPLE_SCENARIO = `name: a payment arrives at the third try
clock: 2030-01-01T12:00:00Z
steps:
  - inbox: { as: shop, answers: [503, 500] }
  - call: createTransaction
    with: { method: Pix, amount: 12990, callbackUrl: $shop.url }
    as: sale
  - trigger: { on: $sale.id, do: confirm }
  - advance: 10s
  - expect: { transaction: $sale.id, status: Completed }
  - expect: { delivery: { of: $sale.id, type: payment.completed, status: delivered, attempts: 3 } }
`

/** The row of the page. */
export const SCENARIO_PAGE: PageRow = { path: '/scenarios', word: 'scenarios', show }

function show(view: View): Shown {
  const { words } = view
  const main = html`<h1>${words.scenarios}</h1>
    <p class="faint">${words.scenariosWhy}</p>
    <div class="grid">
      ${card('scenario', words.scenarioText, editor(view), 'half')}
      ${card('result', words.result, outcome(view), 'half')}
    </div>
    <script src="${UI_BASE}/assets/scenario.js" type="module"></script>`
  return { title: words.scenarios, main }
}

function editor({ words }: View): Html {
  return html`<form id="play" class="play" method="dialog" data-play="${PLAY_ROUTE}">
    <textarea
      id="text"
      name="text"
      rows="18"
      spellcheck="false"
      autocomplete="off"
      aria-labelledby="scenario-title"
      required
    >
${EXAMPLE_SCENARIO}</textarea>
    <div class="row">
      <button class="button main">${words.run}</button>
      <label class="field"
        ><span>${words.pace}</span>
        <select name="pauseMs">
          ${PACES.map((pauseMs) => html`<option value="${pauseMs}">${pauseMs === 0 ? words.paceFull : fill(words.paceSeconds, pauseMs / 1000)}</option>`)}
        </select>
      </label>
      <label class="field"
        ><span>${words.scenarioFile}</span>
        <input id="file" type="file" accept=".yaml,.yml,.json" />
      </label>
    </div>
  </form>`
}

/** What the script fills in: `data-slot` takes a text, and a template one of several things. */
function outcome({ words }: View): Html {
  return html`<div
      id="outcome"
      data-kept
      aria-live="polite"
      data-passed="${words.passed}"
      data-failed="${words.failed}"
      data-unplayed="${words.notPlayed}"
      data-took="${words.stepsTook}"
      data-line="${words.lineOf}"
      data-failed-at="${words.failedAt}"
      data-running="${words.running}"
      data-broken-off="${words.brokenOff}"
    >
      <p class="empty">${words.notRun}</p>
    </div>
    <template id="outcome-template">
      <p class="row">
        <span class="chip" data-slot="verdict"></span> <strong class="break" data-slot="name"></strong>
        <span class="faint" data-slot="took"></span>
        <a data-slot="world" data-base="/_sandbox/worlds/" target="_blank" rel="noopener" hidden
          >${words.seeItsWorld}</a
        >
      </p>
      <ol class="steps" data-slot="steps"></ol>
      <section class="failure" data-slot="failure" hidden>
        <h3 data-slot="at"></h3>
        <pre class="payload source" data-slot="source" tabindex="0"></pre>
        <p class="wrong break" data-slot="message" lang="en"></p>
        <div data-slot="difference" hidden>
          <p class="faint">${words.diffLegend}</p>
          <pre class="payload diff" data-slot="diff" tabindex="0"></pre>
        </div>
        <div data-slot="told" hidden>
          <h3>${words.storySoFar}</h3>
          <pre class="payload" data-slot="story" tabindex="0"></pre>
        </div>
      </section>
      <ul class="problems" data-slot="problems" hidden></ul>
    </template>
    <template id="step-template">
      <li>
        <span class="mark" aria-hidden="true" data-slot="mark"></span>
        <span class="unseen" data-slot="verdict"></span> <span class="break" data-slot="says"></span>
        <span class="faint" data-slot="line"></span>
      </li>
    </template>`
}
