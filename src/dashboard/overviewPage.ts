// Owns the overview: the clock and what moves it, what happens next, the balance over time, counts by status, the latest events.
import { html } from 'hono/html'
import { stamp } from '../domain/world.ts'
import { ENVIRONMENTS } from '../contract/enums.ts'
import { balanceChart } from './balanceChart.ts'
import { eventList } from './events.ts'
import { jobText } from './jobWords.ts'
import { linkTo, withQuery } from './links.ts'
import { action, card, empty, table } from './parts.ts'
import { ahead, chip, count, when } from './show.ts'
import { fill } from './words.ts'
import type { Scope } from '../domain/records.ts'
import type { Html, PageRow, View } from './page.ts'

/** Jobs and events that are listed, and organisations whose accounts can be chosen. */
const [MAX_JOBS, MAX_EVENTS, MAX_ORGANIZATIONS] = [20, 20, 50]

/** The row of the overview. */
export const OVERVIEW_PAGE: PageRow = {
  path: '',
  word: 'overview',
  show: (view) => ({
    title: view.words.overview,
    main: html`<h1>${view.words.overview}</h1>
      <div class="grid">
        ${clockCard(view)} ${countsCard(view)} ${balanceCard(view)} ${nextCard(view)} ${latestCard(view)}
      </div>`,
  }),
}

function clockCard(view: View): Html {
  const { world, words } = view
  const { clock } = world
  const isFrozen = clock.mode === 'frozen'
  const step = (id: string, label: string, send: Record<string, unknown>): Html =>
    action(view, { id, route: '/clock/advance', send, label })
  const body = html`<div class="row middle">
      ${isFrozen ? words.clockFrozen : flowOf(view)}
      ${
        isFrozen
          ? action(view, { id: 'flow', route: '/clock/flow', label: words.flow })
          : action(view, { id: 'freeze', route: '/clock/freeze', label: words.freeze })
      }
    </div>
    <div class="row steps">
      ${step('advance-minute', words.oneMinute, { by: '1m' })}
      ${step('advance-hour', words.oneHour, { by: '1h' })} ${step('advance-day', words.oneDay, { by: '1d' })}
      ${action(view, { id: 'advance-next', route: '/clock/advance', send: { toNext: true }, label: words.nextJob, look: 'main' })}
    </div>
    ${action(view, {
      id: 'advance-by',
      route: '/clock/advance',
      fields: [{ name: 'by', label: words.advanceBy, required: true, placeholder: words.durationHint }],
      label: words.advance,
    })}
    ${action(view, {
      id: 'advance-to',
      route: '/clock/advance',
      fields: [
        {
          name: 'to',
          label: words.advanceTo,
          required: true,
          placeholder: fill(words.instantHint, exampleOf(view)),
        },
      ],
      label: words.advance,
    })}`
  return card('clock-card', words.clock, body, 'half')
}

/** How a clock goes; a factor is named where there is one. */
function flowOf({ world: { clock }, words }: View): string {
  return clock.rate === 1 ? words.clockFlowsAlike : fill(words.clockFlows, clock.rate)
}

/** The next midnight of the world, as a person would type it. */
function exampleOf({ world }: View): string {
  const day = stamp(world).slice(0, 10)
  return `${day}T23:59:59Z`
}

function nextCard(view: View): Html {
  const { words, reads, world } = view
  const { jobs, total } = reads.jobs(world, MAX_JOBS)
  const rows = jobs.map(({ at, job, subject }) => ({
    id: `job-${job}-${subject}`,
    cells: [
      html`${when(at)}<br /><span class="faint">${ahead(view, at)}</span>`,
      jobText(view, { job, subject }),
      linkTo(view, subject),
    ],
  }))
  const heads = [{ name: words.due }, { name: words.job }, { name: 'id' }]
  const more =
    total > jobs.length &&
    html`<p class="faint">${fill(words.jobsMore, count(view, total - jobs.length))}</p>`
  const body = jobs.length === 0 ? empty(words.nothingNext) : html`${table(words.next, heads, rows)}${more}`
  return card('next', words.next, body, 'half')
}

function balanceCard(view: View): Html {
  const { words, world, reads, base } = view
  const scopes = scopesOf(view)
  const chosen = scopes.find((scope) => keyOf(scope) === view.query['account']) ?? scopes[0]
  if (!chosen) return html``
  const points = reads.balance(world, chosen)
  const names = world.state.organizations
  const body = html`<form class="action" method="get" action="${base}">
      <label class="field"
        ><span>${words.account}</span>
        <select id="account" name="account">
          ${scopes.map(
            (scope) =>
              html`<option value="${keyOf(scope)}" ${scope === chosen ? html`selected` : ''}>
                ${names[scope.organizationId]?.name} · ${scope.environment}
              </option>`,
          )}
        </select>
      </label>
      <button class="button">${words.show}</button>
    </form>
    ${points.length === 0 ? empty(words.noMoney) : balanceChart(view, points)}
    ${action(view, {
      id: 'fund',
      method: 'PATCH',
      route: '/balance',
      send: { organization: chosen.organizationId, environment: chosen.environment },
      fields: [{ name: 'fund', label: words.fund, type: 'money', required: true, placeholder: '100,00' }],
      label: words.fund,
    })}`
  return card('balance', words.balance, body, 'half')
}

function scopesOf({ world }: View): Scope[] {
  return Object.keys(world.state.organizations)
    .slice(0, MAX_ORGANIZATIONS)
    .flatMap((organizationId) => ENVIRONMENTS.map((environment) => ({ organizationId, environment })))
}

function keyOf({ organizationId, environment }: Scope): string {
  return `${organizationId}:${environment}`
}

function countsCard(view: View): Html {
  const { words, reads, world } = view
  const groups = [
    ['transactions', reads.statuses(world, 'transaction')],
    ['cashouts', reads.statuses(world, 'cashout')],
    ['disputes', reads.statuses(world, 'dispute')],
    ['deliveries', reads.deliveryStatuses(world)],
  ] as const
  const body = groups.map(([kind, statuses]) => {
    const some = [...statuses].filter(([, number]) => number > 0)
    const all = some.reduce((sum, [, number]) => sum + number, 0)
    return html`<h3>${words[kind]} <span class="faint">${count(view, all)}</span></h3>
      <ul class="counts">
        ${some.map(([status, number]) => html`<li>${counted(view, kind, status, number)}</li>`)}
        ${some.length === 0 && html`<li class="faint">${words.none}</li>`}
      </ul>`
  })
  return card('counts', words.counts, body, 'half')
}

function counted(view: View, kind: string, status: string, number: number): Html {
  const address = withQuery(`${view.base}/${kind}`, { status })
  return html`<a href="${address}">${chip(status)} <strong>${count(view, number)}</strong></a>`
}

function latestCard(view: View): Html {
  const { words, reads, world } = view
  const items = reads.latest(world, MAX_EVENTS)
  return card('latest', words.latest, items.length === 0 ? empty(words.nothingYet) : eventList(view, items))
}
