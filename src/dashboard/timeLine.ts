// Owns the time line of a record: calls, transitions, postings, deliveries and attempts in order, then what waits for time.
import { html } from 'hono/html'
import { ahead, chip, httpChip, kindLabel, money, when } from './show.ts'
import { jobText } from './jobWords.ts'
import { linkTo } from './links.ts'
import { empty } from './parts.ts'
import { deliveryLink } from './toolParts.ts'
import { fill } from './words.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { Story } from '../world/story.ts'
import type { StoryStep } from '../world/storySteps.ts'
import type { Html, View } from './page.ts'

/** Steps that a time line shows, the latest ones. */
const MAX_STEPS = 200

/** The time line of a record. */
export function timeLine(view: View, { id, steps, waiting, order }: Story): Html {
  const { words } = view
  const shown = steps.slice(-MAX_STEPS)
  const hidden = steps.length - shown.length
  if (shown.length + waiting.length === 0) return empty(words.nothingYet)
  return html`${hidden > 0 && html`<p class="faint">${fill(words.earlier, hidden)}</p>`}
    ${order === 'byTime' && html`<p class="faint">${words.byTime}</p>`}
    <ol class="time-line">
      ${shown.map((step, index) => entry(step.at, step.kind, stepOf(view, id, step), index + hidden))}
      ${waiting.map((job, index) =>
        entry(
          job.at,
          'wait',
          html`${kindLabel(view, 'waits')} ${jobText(view, job)}
            <span class="faint">(${ahead(view, job.at)})</span>`,
          `w${index}`,
        ),
      )}
    </ol>`
}

function entry(at: Timestamp, kind: string, body: Html, key: number | string): Html {
  return html`<li class="${kind}" id="step-${key}">
    <span class="at">${when(at)}</span>
    <div>${body}</div>
  </li>`
}

/** What a step says. Records other than the one of the time line are linked. */
function stepOf(view: View, id: string, step: StoryStep): Html {
  const of = (subject: string): Html | string => (subject === id ? '' : linkTo(view, subject))
  switch (step.kind) {
    case 'call':
      return html`${kindLabel(view, 'call')}
        <a href="${view.base}/exchanges/${step.exchange}"><code>${step.method} ${step.path}</code></a>
        ${httpChip(step.status)} ${step.code && html`<code class="wrong">${step.code}</code>`}`
    case 'transition':
      return html`${kindLabel(view, step.machine)} ${step.from !== null && html`${chip(step.from)} →`}
        ${chip(step.to)} <code>${step.on}</code> ${of(step.subject)}
        ${step.reason && html`<span class="faint">${step.reason}</span>`}`
    case 'posting':
      return html`${kindLabel(view, 'posting')} <code>${step.reason}</code>
        <span class="moves">${step.lines.map(({ account, amount }) => move(account, amount))}</span>
        ${of(step.subject)}`
    case 'delivery':
      return html`${kindLabel(view, 'delivery')}
        ${deliveryLink(view, step.delivery, html`<code>${step.type}</code>`)} ${chip(step.status)}
        <code class="faint break">${step.url}</code>`
    case 'attempt':
      return html`${kindLabel(view, 'attempt', step.number)}
      ${deliveryLink(view, step.delivery, html`<code>${step.type}</code>`)}
      ${step.endedAt !== null || step.status !== null ? httpChip(step.status) : chip('sending')}
      ${step.error && html`<span class="wrong">${step.error}</span>`}`
    case 'clock':
      return html`${kindLabel(view, 'clock')} → ${when(step.to)}`
    default:
      return step satisfies never
  }
}

/** One leg of a posting: the name of its account, and what came in or went out. */
export function move(account: string, amount: number): Html {
  return html`<span class="move ${amount < 0 ? 'out' : 'in'}"
    >${account.split(':')[0]} ${amount > 0 ? '+' : ''}${money(amount)}</span
  > `
}
