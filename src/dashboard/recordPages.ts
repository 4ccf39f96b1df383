// Owns the page of one record: its facts, its machine, what can happen to it now, its postings and its time line.
import { html } from 'hono/html'
import { CASHOUT_MACHINE } from '../domain/cashoutMachine.ts'
import { DISPUTE_MACHINE } from '../domain/disputeMachine.ts'
import { recordOf } from '../domain/state.ts'
import { TRANSACTION_MACHINE } from '../domain/transactionMachine.ts'
import { storyOf } from '../world/story.ts'
import { machineDiagram } from './machineDiagram.ts'
import { card, empty, table } from './parts.ts'
import { factsOf, payingOf, titleOf } from './recordFacts.ts'
import { chip, when } from './show.ts'
import { move, timeLine } from './timeLine.ts'
import { triggersCard } from './triggers.ts'
import { fill } from './words.ts'
import type { AnyMachine } from '../kernel/machine.ts'
import type { MachineName } from '../domain/trail.ts'
import type { Story } from '../world/story.ts'
import type { StepOf } from '../world/storySteps.ts'
import type { Html, PageRow, View } from './page.ts'
import type { RecordKind, RecordOf } from './reads.ts'

const MACHINES: Readonly<Record<MachineName, AnyMachine>> = {
  transaction: TRANSACTION_MACHINE,
  cashout: CASHOUT_MACHINE,
  dispute: DISPUTE_MACHINE,
}

/** The row of the page of one record of a kind. */
export function recordPage(kind: RecordKind): PageRow {
  return {
    path: `/${kind}/:id`,
    word: null,
    show(view, { id = '' }) {
      const records: Record<string, RecordOf[RecordKind]> = view.world.state[kind]
      const record = recordOf(records, id.toLowerCase())
      const story = record && storyOf(view.world, record.id)
      if (!record || !story) return null
      const title = titleOf(view, kind, record)
      const paying = payingOf(view, record)
      const main = html`<h1>${title} ${chip(record.status)}</h1>
        <p class="faint break"><code>${record.id}</code></p>
        <div class="grid">
          ${triggersCard(view, record)} ${paying && card('paying', view.words.payment, paying, 'half')}
          ${card('facts', view.words.facts, factsOf(view, kind, record), paying ? 'half' : 'full')}
          ${story.kind !== 'customer' && machineCard(view, story, story.kind)}
          ${story.kind !== 'customer' && postingsCard(view, story)}
          ${card('time-line', view.words.timeLine, timeLine(view, story))}
        </div>`
      return { title: `${title} ${record.status}`, main }
    },
  }
}

function machineCard({ words }: View, { id, status, steps }: Story, name: MachineName): Html {
  const been = steps.flatMap((step) => (step.kind === 'transition' && step.subject === id ? [step.to] : []))
  const picture = machineDiagram(MACHINES[name], {
    now: status,
    been: new Set(been),
    label: fill(words.machineOf, status),
  })
  return card('machine', words.machine, picture)
}

function postingsCard({ words }: View, { steps }: Story): Html {
  const postings = steps.filter((step): step is StepOf<'posting'> => step.kind === 'posting')
  const heads = [{ name: words.created }, { name: words.reason }, { name: words.amount }]
  const rows = postings.slice(-MAX_POSTINGS).map(({ n, at, reason, lines }) => ({
    id: `posting-${n}`,
    cells: [
      when(at),
      html`<code>${reason}</code>`,
      html`<span class="moves">${lines.map(({ account, amount }) => move(account, amount))}</span>`,
    ],
  }))
  return card(
    'postings',
    words.postings,
    rows.length === 0 ? empty(words.noPostings) : table(words.postings, heads, rows),
  )
}

/** Postings that a page lists, the latest ones. */
const MAX_POSTINGS = 100
