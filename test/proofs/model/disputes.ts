// Owns what the model's gateway and control API do about disputes: one is opened, and answered with a text or a file.
import { befall } from './faults.ts'
import { accepted, refused } from './gateway.ts'
import { attach, createContest, fire, isDisputed, takesAnswer } from './machines.ts'
import type { Outcome } from './gateway.ts'
import type { Contest, Life, Sale } from './world.ts'

const DAY = 86_400_000

/** How a dispute is answered: rightly, from an earlier version, or with a form that is none. */
export type AnswerForm = 'good' | 'stale' | 'bad'

/** Responds to a dispute with a text. */
export function respond(life: Life, place: number, form: AnswerForm): Outcome {
  if (form === 'bad') return refused('validation_error')
  const why = answerRefused(life, place, form, 'respondToDispute')
  if (why) return why
  fire(life, 'disputes', place, 'respond')
  const { status, held } = life.disputes[place] as Contest
  return accepted({ status, hasResponse: true, heldAmount: held }, { kind: 'disputes', place })
}

/** Attaches a file to a dispute. */
export function addEvidence(life: Life, place: number, form: AnswerForm): Outcome {
  if (form === 'bad') return refused('validation_error')
  const why = answerRefused(life, place, form, 'addDisputeEvidence')
  if (why) return why
  attach(life, place)
  return accepted({ fileName: 'proof.pdf' }, { kind: 'disputes', place }, 201)
}

function answerRefused(life: Life, place: number, form: AnswerForm, operation: string): Outcome | null {
  const contest = life.disputes[place] as Contest
  const why = takesAnswer(life, contest)
  if (why) return refused(why === 'guard' ? 'dispute_expired' : 'dispute_closed')
  if (befall(life, 'dispute', { operation, subject: contest.id })) {
    contest.version += 1
    return { ...refused('conflict'), stirred: true }
  }
  return form === 'stale' ? refused('conflict') : null
}

/** Opens a dispute; answers the code of a refusal. */
export function openDispute(
  life: Life,
  place: number,
  sent: number | undefined,
  length: number | null,
): string | null {
  const sale = life.transactions[place] as Sale
  const left = sale.amount - sale.refunded
  const amount = sent ?? left
  if (sale.status !== 'Completed' && sale.status !== 'PartiallyRefunded') return 'sandbox_trigger_refused'
  if (isDisputed(life, place)) return 'sandbox_trigger_refused'
  if (amount < 1 || amount > left) return 'sandbox_bad_amount'
  const days = life.knobs['DI-03']
  const wait = length ?? (days === 'none' ? null : days * DAY)
  const next = life.disputes.length
  life.disputes.push({
    id: '',
    said: `$dispute${next}.id`,
    org: sale.org,
    env: sale.env,
    status: '',
    createdAt: life.now,
    sale: place,
    amount,
    taken: 0,
    held: 0,
    hold: 'None',
    deadline: wait === null ? null : life.now + wait,
    responded: false,
    files: 0,
    version: 0,
  })
  createContest(life, next)
  return null
}
