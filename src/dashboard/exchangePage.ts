// Owns the page of one exchange: why it was refused and what would pass, its request and answer, its silences and faults.
import { html } from 'hono/html'
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { isSilenceId, silence } from '../contract/silences.ts'
import { acceptedForm } from '../http/acceptedForm.ts'
import { hasPlaceholder } from '../http/nearest.ts'
import { FAULTS } from '../world/faultKinds.ts'
import { statusChip } from './exchangeListPage.ts'
import { card, facts } from './parts.ts'
import { when } from './show.ts'
import { headerText, jsonPayload, payload, recordCell, ticked } from './toolParts.ts'
import type { ErrorRow } from '../contract/errors.ts'
import type { FaultName } from '../world/faultKinds.ts'
import type { Exchange } from '../world/exchanges.ts'
import type { Html, PageRow, Shown, View } from './page.ts'

/** The row of the page. */
export const EXCHANGE_PAGE: PageRow = {
  path: '/exchanges/:id',
  word: null,
  show(view, { id = '' }) {
    const exchange = view.world.exchanges.get(id)
    return exchange && shownOf(view, exchange)
  },
}

function shownOf(view: View, exchange: Exchange): Shown {
  const { method, path, status } = exchange
  const main = html`<h1><code class="break">${method} ${path}</code> ${statusChip(view, status)}</h1>
    <div class="grid">
      ${factsCard(view, exchange)} ${exchange.code !== null && whyCard(view, exchange, exchange.code)}
      ${requestCard(view, exchange)} ${answerCard(view, exchange)} ${silencesCard(view, exchange)}
      ${faultsCard(view, exchange)}
    </div>`
  return { title: `${method} ${path}`, main }
}

function factsCard(view: View, { at, operation, publicKey, subject, id }: Exchange): Html {
  const { words } = view
  const pairs: [string, unknown][] = [
    ['id', html`<code>${id}</code>`],
    [words.at, when(at)],
    [words.operation, operation && html`<code>${operation}</code>`],
    [words.caller, publicKey && html`<code class="break">${publicKey}</code>`],
    [words.record, subject && recordCell(view, subject)],
  ]
  return card('facts', words.facts, facts(pairs))
}

/** Why a call was refused, and the nearest form that would pass. */
function whyCard(view: View, exchange: Exchange, code: string): Html {
  const { words, world } = view
  const { hint } = exchange
  const rows: Readonly<Record<string, ErrorRow>> = GATEWAY_ERRORS
  const rule = Object.hasOwn(rows, code) ? rows[code] : undefined
  const accepted = acceptedForm(world, exchange)
  const pairs: [string, unknown][] = [
    [words.whyCode, html`<code class="wrong">${code}</code>`],
    [words.whyMessage, messageOf(exchange)],
    [words.whyRule, rule && ticked(rule.when)],
    [words.authority, rule && ticked(rule.authority)],
  ]
  return card(
    'why',
    words.why,
    html`${hint !== null && html`<p class="hint" lang="en"><strong>${words.whyHint}</strong> ${hint}</p>`}
    ${facts(pairs)}
    ${
      accepted &&
      html`<h3>${words.accepted}</h3>
        <p class="faint">
          ${words.acceptedWhy}
          ${hasPlaceholder({ ...accepted.query, ...accepted.body }) && words.placeholders}
        </p>
        ${accepted.query && payload(view, requestLine(exchange, accepted.query), words.query)}
        ${accepted.body && jsonPayload(view, accepted.body, words.body)}`
    }`,
  )
}

/** What the envelope of a refusal says. */
function messageOf({ response: { body } }: Exchange): string | null {
  const { error } = (body ?? {}) as { error?: { message?: unknown } | null }
  return typeof error?.message === 'string' ? error.message : null
}

function requestCard(view: View, exchange: Exchange): Html {
  const { words } = view
  const { request, query } = exchange
  const hasBody = request.body !== null && request.body !== undefined
  return card(
    'request',
    words.request,
    html`${payload(view, `${requestLine(exchange, query)}\n${headerText(request.headers)}`, words.headers)}
      ${hasBody ? jsonPayload(view, request.body, words.body) : html`<p class="faint">${words.noBody}</p>`}
      <p class="faint">${words.hidden}</p>`,
    'half',
  )
}

/** The first line of a request with a query. */
function requestLine({ method, path }: Exchange, query: Readonly<Record<string, string>>): string {
  const asked = new URLSearchParams(query).toString()
  return `${method} ${path}${asked === '' ? '' : `?${asked}`}`
}

function answerCard(view: View, { response, status }: Exchange): Html {
  const { words } = view
  return card(
    'answer',
    words.answer,
    html`<p>${statusChip(view, status)}</p>
      ${payload(view, headerText(response.headers), words.headers)}
      ${jsonPayload(view, response.body, words.body)}`,
    'half',
  )
}

function silencesCard(view: View, { silences }: Exchange): Html | null {
  const { words, base } = view
  const known = silences.filter((id) => isSilenceId(id))
  if (known.length === 0) return null
  return card(
    'silences',
    words.silencesUsed,
    html`<ul class="bare">
      ${known.map((id) => html`<li><a href="${base}/silences#row-${id}">${id}</a> ${ticked(silence(id).topic)}</li>`)}
    </ul>`,
    'half',
  )
}

function faultsCard(view: View, { faults }: Exchange): Html | null {
  const { words } = view
  if (faults.length === 0) return null
  const known = faults.filter((name): name is FaultName => Object.hasOwn(FAULTS, name))
  return card(
    'faults',
    words.faultsMet,
    html`<ul class="bare">
      ${known.map((name) => html`<li><span class="chip waiting">${name}</span> ${ticked(FAULTS[name].summary)}</li>`)}
    </ul>`,
    'half',
  )
}
