// Owns the model's work: what is due runs, webhooks go to their receivers, and time steps from one due job to the next.
import { befall } from './faults.ts'
import { attemptAt, happeningOf } from './jobs.ts'
import { fire } from './machines.ts'
import { settle } from './money.ts'
import type { Job, Life, Post, Sale } from './world.ts'

const SECOND = 1_000
/** Waits after the first and the second attempt, in milliseconds. */
const RETRIES = [2 * SECOND, 4 * SECOND] as const
/** Attempts of one round. */
const ATTEMPTS = 3
/** Sends a webhook again: a new round of attempts. */
export function sendAgain(life: Life, made: Post): void {
  made.next = 1
  attemptAt(life, made, life.now)
}

/** Lets held webhooks go, one after the other. */
export function letGo(life: Life): void {
  for (const made of life.posts.filter(({ status }) => status === 'held')) {
    attemptAt(life, made, life.now)
    drain(life)
  }
}

/** An attempt that is on its way. */
interface Flight {
  made: Post
  number: number
  extra: boolean
}

/** Sends a webhook once more, beside its own attempts. */
export function sendBeside(life: Life, made: Post): void {
  drain(life, [fly(life, made, made.numbers.at(-1) ?? 1, true)])
}

function fly(life: Life, made: Post, number: number, extra: boolean): Flight {
  life.sent += 1
  made.numbers.push(number)
  return { made, number, extra }
}

function nextJob({ jobs }: Life): Job | null {
  const [first = null] = jobs.toSorted((one, other) => one.due - other.due || one.order - other.order)
  return first
}

/** When the next job is due; null when nothing waits. */
export function nextDue(life: Life): number | null {
  return nextJob(life)?.due ?? null
}

/** Does everything that is due now, until receivers have answered. */
export function drain(life: Life, flights: Flight[] = []): void {
  for (;;) {
    const job = nextJob(life)
    if (job && job.due <= life.now) {
      life.jobs = life.jobs.filter((each) => each !== job)
      flights.push(...run(life, job))
      continue
    }
    const landing = flights.shift()
    if (!landing) return
    flights.push(...land(life, landing))
  }
}

/** Moves time, job by job. */
export function advance(life: Life, target: (life: Life) => number): void {
  drain(life)
  const to = target(life)
  for (let due = nextDue(life); due !== null && due <= to; due = nextDue(life)) {
    life.now = due
    drain(life)
  }
  life.now = to
}

function run(life: Life, { kind, subject }: Job): Flight[] {
  const place = Number(subject.split('/')[1])
  switch (kind) {
    case 'expireTransaction':
      fire(life, 'transactions', place, 'expire')
      return []
    case 'settleSale':
      settle(life, life.transactions[place] as Sale, subject)
      return []
    case 'lapseDispute':
      fire(life, 'disputes', place, 'lapse')
      return []
    case 'ruleTrigger':
      runPlanned(life, subject)
      return []
    case 'attemptDelivery':
      return attempt(life, life.posts[place] as Post)
    default:
      throw new Error(`the model has no job ${kind}`)
  }
}

function runPlanned(life: Life, name: string): void {
  const planned = life.planned[name]
  const rule = life.rules.find(({ id }) => id === planned?.rule)
  delete life.planned[name]
  if (planned && rule && fire(life, planned.kind, planned.place, rule.trigger)) rule.refused += 1
}

function attempt(life: Life, made: Post): Flight[] {
  const fault = befall(life, 'sending', happeningOf(life, made)) as { send?: string } | null
  made.status = 'sending'
  const own = fly(life, made, made.next, false)
  return fault?.send === 'twice' ? [own, fly(life, made, own.number, true)] : [own]
}

function land(life: Life, { made, number, extra }: Flight): Flight[] {
  if (extra) return []
  const isTaken = made.hook === 'good'
  const fault = isTaken
    ? (befall(life, 'landing', happeningOf(life, made)) as { answer?: string; duplicates?: number } | null)
    : null
  if (isTaken && fault?.answer !== 'lost') made.status = 'delivered'
  else if (number >= ATTEMPTS) made.status = 'exhausted'
  else {
    made.next = number + 1
    attemptAt(life, made, life.now + (RETRIES[number - 1] ?? 0))
  }
  return Array.from({ length: fault?.duplicates ?? 0 }, () => fly(life, made, number, true))
}
