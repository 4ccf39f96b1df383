// Owns the page of one delivery: its facts, what can be done with it, each attempt, its bytes, and itself as a command.
import { html } from 'hono/html'
import { recordOf } from '../domain/state.ts'
import { curlOf } from './deliveryCurl.ts'
import { headersOf, sentBy } from './deliveryReads.ts'
import { linkTo } from './links.ts'
import { action, card, copyButton, empty, facts } from './parts.ts'
import { ahead, chip, httpChip, shortId, when } from './show.ts'
import { headerText, payload, readable } from './toolParts.ts'
import { fill } from './words.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { SignatureCheck } from '../world/inboxes.ts'
import type { SentAttempt } from './deliveryReads.ts'
import type { Html, PageRow, Shown, View } from './page.ts'
import type { Word } from './words.ts'

/** Attempts that the page shows, the latest ones. */
const MAX_SHOWN_ATTEMPTS = 20

const SIGNATURES: Readonly<Record<SignatureCheck, readonly [tone: string, word: Word]>> = {
  valid: ['good', 'signatureValid'],
  invalid: ['bad', 'signatureInvalid'],
  absent: ['bad', 'signatureAbsent'],
}

/** The row of the page. */
export const DELIVERY_PAGE: PageRow = {
  path: '/deliveries/:id',
  word: null,
  show(view, { id = '' }) {
    const delivery = recordOf(view.world.state.deliveries, id.toLowerCase())
    return delivery && shownOf(view, delivery)
  },
}

function shownOf(view: View, delivery: Delivery): Shown {
  const { words } = view
  const { id, type, status } = delivery
  const main = html`<h1>${words.delivery} <code>${shortId(id)}</code> ${chip(status)}</h1>
    <div class="grid">
      ${factsCard(view, delivery)} ${attemptsCard(view, delivery)} ${bytesCard(view, delivery)}
      ${curlCard(view, delivery)}
    </div>`
  return { title: `${type} ${shortId(id)}`, main }
}

function factsCard(view: View, delivery: Delivery): Html {
  const { words } = view
  const { id, type, sentType, subject, url, createdAt, nextAttemptAt, status } = delivery
  const pairs: [string, unknown][] = [
    ['id', html`<code>${id}</code>`],
    [words.eventType, html`<code>${type}</code> ${sentType !== type && html`→ <code>${sentType}</code>`}`],
    [words.record, linkTo(view, subject)],
    [words.receiver, html`<span class="break">${url}</span>`],
    [words.created, when(createdAt)],
    [
      words.nextAttempt,
      nextAttemptAt &&
        html`${when(nextAttemptAt)} <span class="faint">(${ahead(view, nextAttemptAt)})</span>`,
    ],
  ]
  const forms = html`<div class="row">
      ${
        status === 'held' &&
        action(view, {
          id: 'release',
          route: '/deliveries/release',
          send: { order: [id] },
          label: words.release,
          look: 'main',
        })
      }
      ${action(view, { id: 'resend', route: `/deliveries/${id}/resend`, label: words.resend })}
      ${action(view, { id: 'duplicate', route: `/deliveries/${id}/duplicate`, label: words.duplicate })}
    </div>
    <p class="faint">${words.resendWhy}</p>`
  return card('facts', words.facts, html`${facts(pairs)} ${forms}`)
}

function attemptsCard(view: View, delivery: Delivery): Html {
  const { words } = view
  const { attempts } = delivery
  const shown = attempts.slice(-MAX_SHOWN_ATTEMPTS)
  const hidden = attempts.length - shown.length
  const body =
    shown.length === 0
      ? empty(words.noAttempt)
      : html`${hidden > 0 && html`<p class="faint">${fill(words.earlierAttempts, hidden)}</p>`}
          <ol class="attempts">
            ${shown.map((attempt, index) => attemptItem(view, delivery, attempt, index + hidden))}
          </ol>`
  return card('attempts', words.attempts, body)
}

function attemptItem(view: View, delivery: Delivery, attempt: Attempt, index: number): Html {
  const { words, world } = view
  const { number, at, endedAt, status, error } = attempt
  const sent = sentBy(world, delivery, attempt)
  const latency = world.latencies.get(attempt)
  const isAgain = (delivery.attempts[index - 1]?.number ?? 0) >= number
  return html`<li id="attempt-${index}">
    <p class="row">
      <strong>${fill(words.attempt, number)}</strong>
      ${endedAt === null ? html`<span class="chip busy">${words.onItsWay}</span>` : httpChip(status)}
      ${sent && signatureChip(view, sent)} ${isAgain && html`<span class="chip quiet">${words.again}</span>`}
      <span class="faint">${when(at)}</span>
      ${latency !== undefined && html`<span class="faint">${words.latency}: ${Math.round(latency)} ms</span>`}
    </p>
    ${error !== null && html`<p class="wrong break">${error}</p>`}
    ${sent?.why && html`<p class="wrong break" lang="en">${sent.why}</p>`}
    <div class="halves">${requestOf(view, index, sent)} ${answerOf(view, index, attempt)}</div>
  </li>`
}

function signatureChip({ words }: View, { signature }: SentAttempt): Html {
  const [tone, word] = SIGNATURES[signature]
  return html`<span class="chip ${tone}">${words[word]}</span>`
}

function requestOf(view: View, index: number, sent: SentAttempt | null): Html {
  const { words } = view
  return html`<details id="request-${index}">
    <summary>${words.request}</summary>
    ${
      sent
        ? html`${payload(view, headerText(sent.request.headers), words.headers)}
          ${
            sent.request.body !== null &&
            html`<p class="faint">${words.bytesSent}</p>
              ${payload(view, sent.request.body, words.bytes)}`
          }`
        : html`<p class="faint">${words.sentUnknown}</p>`
    }
  </details>`
}

function answerOf(view: View, index: number, { answer, endedAt, error }: Attempt): Html {
  const { words } = view
  const isThere = answer !== null && answer !== ''
  const nothing = endedAt === null || error !== null ? words.noAnswer : words.emptyAnswer
  return html`<details id="answer-${index}">
    <summary>${words.answer}</summary>
    ${isThere ? payload(view, answer, words.answer) : html`<p class="faint">${nothing}</p>`}
  </details>`
}

function bytesCard(view: View, delivery: Delivery): Html {
  const { words, world } = view
  const { body, sentHeaders } = delivery
  const pretty = readable(body)
  return card(
    'bytes',
    words.bytes,
    html`<p class="faint">${fill(words.bytesOf, Buffer.byteLength(body))}</p>
      ${payload(view, body, words.bytes)}
      ${
        pretty !== null &&
        html`<details id="readable">
          <summary>${words.readable}</summary>
          ${payload(view, pretty, words.readable)}
        </details>`
      }
      ${
        sentHeaders === null &&
        html`<h3>${words.headersNext}</h3>
          ${payload(view, headerText(headersOf(world, delivery)), words.headers)}`
      }`,
  )
}

function curlCard(view: View, delivery: Delivery): Html | null {
  const { words, world } = view
  const { url, body } = delivery
  const command = curlOf({ url, headers: headersOf(world, delivery), body })
  if (command === null) return null
  return card(
    'curl',
    words.asCurl,
    html`<p class="row">
        ${copyButton(view, command, words.copyCurl)} <span class="faint">${words.curlWhy}</span>
      </p>
      ${payload(view, command, words.asCurl)}`,
  )
}
