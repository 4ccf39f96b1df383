// Owns what the jobs of a world do, in English and in Portuguese.
import { html } from 'hono/html'
import { recordOf } from '../domain/state.ts'
import { deliveryLink } from './toolParts.ts'
import { fill } from './words.ts'
import type { WaitingJob } from '../world/advance.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Html, View } from './page.ts'
import type { Word } from './words.ts'

const JOB_WORDS: Readonly<Record<JobKind, Word>> = {
  expireTransaction: 'jobExpire',
  confirmTransaction: 'jobConfirm',
  settleSale: 'jobSettle',
  lapseDispute: 'jobLapse',
  ruleTrigger: 'jobRule',
  attemptDelivery: 'jobAttempt',
}

/** What a job does when it is due: its name, and the same in words. An attempt leads to its delivery. */
export function jobText(view: View, { job, subject }: Pick<WaitingJob, 'job' | 'subject'>): Html {
  const delivery = recordOf(view.world.state.deliveries, subject)
  const text = fill(view.words[JOB_WORDS[job]], delivery?.nextNumber ?? '', delivery?.type ?? '')
  return html`<code>${job}</code>
    <span class="faint">${delivery ? deliveryLink(view, subject, text) : text}</span>`
}
