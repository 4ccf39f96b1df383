// Owns what makes a world go: running due jobs, sending attempts, waking up in time.
import { DISPUTE_RULES } from '../domain/disputeRules.ts'
import { TRANSACTION_RULES, settleSale } from '../domain/transactionRules.ts'
import { fire } from '../domain/transition.ts'
import { beginAttempt, endAttempt } from '../domain/deliveries.ts'
import { shipmentOf } from '../webhooks/attempt.ts'
import { after, soon } from '../kernel/timers.ts'
import { invariant, present } from '../kernel/assert.ts'
import type { Shipment } from '../webhooks/send.ts'
import type { Outcome } from '../domain/deliveries.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Dispute, Transaction } from '../domain/records.ts'
import type { Fired, NotFired } from '../domain/transition.ts'
import type { Instant } from '../kernel/brands.ts'
import type { Job } from '../kernel/scheduler.ts'
import type { Flight, RunningWorld } from './runningWorld.ts'

/** Attempts of one world that run together. */
export const MAX_FLIGHTS = 32
/** What an advance lists of each kind of work. */
export const MAX_TRACED = 1_000

/** Runs everything that is due now or overdue, in order. Attempts are started, not awaited. */
export function runDue(world: RunningWorld): void {
  if (world.closed) return
  while (runNext(world));
  planWake(world)
}

/** Runs the next due job only; answers whether there was one. A job that breaks is reported, and the others go on. */
export function runNext(world: RunningWorld): boolean {
  const now = world.clock.now()
  const job = world.scheduler.take(now)
  if (!job) return false
  try {
    world.clock.pin(() => runJob(world, job, now))
  } catch (defect) {
    world.host.report(defect)
  }
  return true
}

function runJob(world: RunningWorld, { kind, subject }: Job<JobKind>, now: Instant): void {
  const { trace } = world
  if (trace) trace.count += 1
  if (trace && kind !== 'attemptDelivery' && trace.ran.length < MAX_TRACED) {
    trace.ran.push({ at: now, job: kind, subject })
  }
  switch (kind) {
    case 'expireTransaction':
      mustFire(fire(world, TRANSACTION_RULES, transactionOf(world, subject), 'expire'), kind, subject)
      break
    case 'confirmTransaction':
      mustFire(fire(world, TRANSACTION_RULES, transactionOf(world, subject), 'confirm'), kind, subject)
      break
    case 'settleSale':
      settleSale(world, transactionOf(world, subject))
      break
    case 'lapseDispute':
      mustFire(fire(world, DISPUTE_RULES, disputeOf(world, subject), 'lapse'), kind, subject)
      break
    case 'attemptDelivery':
      world.queue.push(subject)
      startQueued(world)
      break
    default:
      kind satisfies never
  }
}

function transactionOf(world: RunningWorld, id: string): Transaction {
  return present(world.state.transactions[id], `no transaction ${id}`)
}

function disputeOf(world: RunningWorld, id: string): Dispute {
  return present(world.state.disputes[id], `no dispute ${id}`)
}

/** A job is cancelled when its record leaves the status it was made in, so what it fires is never refused. */
function mustFire(fired: Fired | NotFired, job: JobKind, subject: string): void {
  invariant(!('refused' in fired), `${job} was due on ${subject}, which refuses it`)
}

/** Starts queued attempts while fewer than may are in flight. */
function startQueued(world: RunningWorld): void {
  while (world.flights.size < MAX_FLIGHTS) {
    const id = world.queue.shift()
    if (id === undefined) return
    startAttempt(world, id)
  }
}

function startAttempt(world: RunningWorld, id: string): void {
  const delivery = present(world.state.deliveries[id], `no delivery ${id}`)
  const attempt = beginAttempt(world, delivery)
  const flight: Flight = { delivery, attempt, abort: new AbortController() }
  world.flights.add(flight)
  if (world.trace && world.trace.flights.length < MAX_TRACED) world.trace.flights.push(flight)
  wakeWatchers(world)
  const begun = world.host.time.stopwatch()
  const shipment = shipmentOf(world, delivery, attempt.number, flight.abort.signal)
  delivery.sentHeaders = shipment.headers
  void ship(world, shipment).then((outcome) => {
    world.latencies.set(attempt, world.host.time.stopwatch() - begun)
    land(world, flight, outcome)
  })
}

/** Sends; a sender that breaks is reported, and the attempt ends all the same. */
async function ship(world: RunningWorld, shipment: Shipment): Promise<Outcome> {
  try {
    return await world.host.sender.send(shipment)
  } catch (defect) {
    world.host.report(defect)
    return { error: 'the sandbox could not send; its console has the details' }
  }
}

/** An attempt ended; one that belongs to an earlier life of the world is forgotten. */
function land(world: RunningWorld, flight: Flight, outcome: Outcome): void {
  if (!world.flights.delete(flight)) return
  world.clock.pin(() => endAttempt(world, flight.delivery, flight.attempt, outcome))
  startQueued(world)
  wakeWatchers(world)
  planWake(world)
}

/** Drops attempts in flight: their receivers see the connection end, their outcomes are forgotten. */
export function abortFlights(world: RunningWorld): void {
  const flights = [...world.flights]
  world.flights.clear()
  world.queue.length = 0
  for (const { abort } of flights) abort.abort()
}

/** To be called after anything that may have made work: runs what is due now once the current answer is out. */
export function planWake(world: RunningWorld): void {
  world.callOffWake?.()
  world.callOffWake = null
  const due = world.scheduler.nextDue()
  if (due === null || world.closed) return
  const wake = (): void => {
    world.callOffWake = null
    runDue(world)
    wakeWatchers(world)
  }
  if (due <= world.clock.now()) {
    world.callOffWake = soon(wake)
    return
  }
  const wait = world.clock.hostWait(due)
  if (wait !== null) world.callOffWake = after(wait, wake)
}

/** Whether something is due or in flight. */
export function isBusy(world: RunningWorld): boolean {
  const due = world.scheduler.nextDue()
  return world.flights.size > 0 || world.queue.length > 0 || (due !== null && due <= world.clock.now())
}

/** Resolves at the next change of what is due or in flight, or when the signal is aborted. */
export function nextChange(world: RunningWorld, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      world.watchers.delete(done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    if (signal?.aborted) return resolve()
    world.watchers.add(done)
    signal?.addEventListener('abort', done)
  })
}

/** Tells those who wait that something changed. */
export function wakeWatchers(world: RunningWorld): void {
  for (const watcher of [...world.watchers]) watcher()
}
