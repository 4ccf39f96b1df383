// Owns the model's plans: jobs, webhooks that are made, and what rules set off by calls and events.
import { befall } from './faults.ts'
import type { Hook, Kind, Life, Post, Ruled } from './world.ts'

/** World time by which the fault `late` puts an attempt off, in milliseconds. */
const LATE = 600_000
/** Actions of rules that are due at once go before all other work. */
const FIRST = 1e-12

/** Plans work, behind what is planned already for the same instant. */
export function addJob(life: Life, kind: string, subject: string, due: number, order?: number): void {
  if (order === undefined) life.order += 1
  life.jobs.push({ kind, subject, due, order: order ?? life.order })
}

/** Calls work off. */
export function cancelJob(life: Life, kind: string, subject: string): void {
  life.jobs = life.jobs.filter((job) => job.kind !== kind || job.subject !== subject)
}

/** An event of a record: rules react, and its receiver is to hear of it. */
export function emit(life: Life, type: string, kind: Kind, place: number): void {
  if (life.quiet) return
  for (const rule of life.rules) if (rule.when.event === type) planAction(life, rule, kind, place)
  const hook = kind === 'disputes' ? null : (life[kind][place]?.hook ?? null)
  if (hook !== null) post(life, type, kind, place, hook)
}

/** Rules react to a call that succeeded. */
export function react(life: Life, operation: string, kind: Kind, place: number): void {
  for (const rule of life.rules) if (rule.when.call === operation) planAction(life, rule, kind, place)
}

function planAction(life: Life, rule: Ruled, kind: Kind, place: number): void {
  if (rule.times !== null && rule.fired >= rule.times) return
  rule.fired += 1
  life.made += 1
  const name = `planned-${life.made}`
  life.planned[name] = { rule: rule.id, kind, place }
  addJob(life, 'ruleTrigger', name, life.now + rule.after, rule.after === 0 ? life.made * FIRST : undefined)
}

function post(life: Life, type: string, kind: Kind, place: number, hook: Hook): void {
  life.order += 1
  const numbers: number[] = []
  const made: Post = {
    id: '',
    type,
    kind,
    place,
    hook,
    status: 'scheduled',
    order: life.order,
    next: 1,
    numbers,
  }
  life.posts.push(made)
  const happening = happeningOf(life, made)
  befall(life, 'making', happening)
  const how = befall(life, 'dispatch', happening) as { send?: string; late?: string } | null
  if (how?.send === 'held' || how?.send === 'dropped') made.status = how.send
  else attemptAt(life, made, life.now + (how?.late === undefined ? 0 : LATE))
}

/** A webhook as faults see it. */
export function happeningOf(life: Life, { type, kind, place }: Post): { type: string; subject?: string } {
  const id = life[kind][place]?.id ?? ''
  // A record whose id nobody learned yet is none that a fault names.
  return id === '' ? { type } : { type, subject: id }
}

/** Plans the next attempt of a webhook. */
export function attemptAt(life: Life, made: Post, due: number): void {
  const subject = `deliveries/${life.posts.indexOf(made)}`
  cancelJob(life, 'attemptDelivery', subject)
  made.status = 'scheduled'
  addJob(life, 'attemptDelivery', subject, due, made.order)
}
