// Owns saying in a sentence what work waits for time.
import { DAY, fromTimestamp, HOUR, MINUTE, SECOND } from '../kernel/time.ts'
import { recordOf } from '../domain/state.ts'
import type { Millis } from '../kernel/brands.ts'
import type { WaitingJob } from './advance.ts'
import type { RunningWorld } from './runningWorld.ts'

/** Work that waits for time, with a sentence about it. */
export interface DescribedJob extends WaitingJob {
  /** Such as `attempt 2 of payment.completed (delivery D) in 2 s of world time`. */
  what: string
}

/** Work that waits, with a sentence of what it is and in how much world time it is due. */
export function describeJob(world: RunningWorld, job: WaitingJob): DescribedJob {
  const left = fromTimestamp(job.at) - world.clock.now()
  const when = left > 0 ? `in ${inWords(left as Millis)} of world time` : 'due now'
  return { ...job, what: `${nameOf(world, job)} ${when}` }
}

function nameOf(world: RunningWorld, { job, subject }: WaitingJob): string {
  const delivery = job === 'attemptDelivery' ? recordOf(world.state.deliveries, subject) : undefined
  if (!delivery) return `${job} of ${subject}`
  return `attempt ${delivery.nextNumber} of ${delivery.type} (delivery ${subject})`
}

/** A length of time in all its units, such as `1 d 2 h 30 min` or `1.5 s`. */
export function inWords(length: Millis): string {
  const parts: string[] = []
  let rest: number = length
  for (const [unit, size] of [
    ['d', DAY],
    ['h', HOUR],
    ['min', MINUTE],
  ] as const) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  if (rest > 0) parts.push(`${rest / SECOND} s`)
  return parts.join(' ')
}
