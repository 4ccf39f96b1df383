// Owns what makes a world go: running due jobs, sending attempts, waking up in time.
import { DISPUTE_RULES } from '../domain/disputeRules.ts'
import { TRANSACTION_RULES, settleSale } from '../domain/transactionRules.ts'
import { fire } from '../domain/transition.ts'
import { beginAttempt, beginExtraAttempt, endAttempt, recordOutcome } from '../domain/deliveries.ts'
import { shipmentOf } from '../webhooks/attempt.ts'
import { after, soon } from '../kernel/timers.ts'
import { invariant, present } from '../kernel/assert.ts'
import { landed, misshipped } from './deliveryFaults.ts'
import { actionOf, takeFault } from './faults.ts'
import { runPlanned } from './rules.ts'
import type { Shipment } from '../webhooks/send.ts'
import type { Outcome } from '../domain/deliveries.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Dispute, Transaction } from '../domain/records.ts'
import type { Fired, NotFired } from '../domain/transition.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { Fault } from './faults.ts'
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
    case 'ruleTrigger':
      runPlanned(world, subject)
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
    if (id === undefined) break
    startAttempt(world, id)
  }
  while (world.flights.size < MAX_FLIGHTS) {
    const id = world.extraQueue.shift()
    if (id === undefined) return
    const delivery = world.state.deliveries[id]
    if (delivery) flyExtra(world, delivery)
  }
}

function startAttempt(world: RunningWorld, id: string): void {
  const delivery = present(world.state.deliveries[id], `no delivery ${id}`)
  world.changes?.job('attemptDelivery', id)
  const fault = takeFault(world, 'sending', { delivery })
  fly(world, delivery, beginAttempt(world, delivery), { fault, extra: false })
  // Both at the same time, so beside the limit.
  if (actionOf(fault, 'twice')) flyExtra(world, delivery)
}

/** Sends a delivery once more beside its own attempts: its status and its retries do not change. */
export function startExtraAttempt(world: RunningWorld, delivery: Delivery): void {
  world.extraQueue.push(delivery.id)
  startQueued(world)
}

function flyExtra(world: RunningWorld, delivery: Delivery): void {
  fly(world, delivery, beginExtraAttempt(world, delivery), { fault: null, extra: true })
}

function fly(
  world: RunningWorld,
  delivery: Delivery,
  attempt: Attempt,
  { fault, extra }: { fault: Fault | null; extra: boolean },
): void {
  const flight: Flight = { delivery, attempt, extra, abort: new AbortController() }
  world.flights.add(flight)
  if (world.trace && world.trace.flights.length < MAX_TRACED) world.trace.flights.push(flight)
  wakeWatchers(world)
  const begun = world.host.time.stopwatch()
  const plain = shipmentOf(world, delivery, attempt.number, flight.abort.signal)
  const shipment = misshipped(world, delivery, plain, fault)
  delivery.sentHeaders = shipment.headers
  const body = shipment.body === plain.body ? null : new TextDecoder().decode(shipment.body)
  world.sent.set(attempt, { headers: shipment.headers, body })
  void ship(world, shipment).then((outcome) => {
    world.latencies.set(attempt, world.host.time.stopwatch() - begun)
    land(world, flight, outcome)
  })
}

/** Sends; a sender that breaks is reported, and the attempt ends all the same. */
async function ship(world: RunningWorld, shipment: Shipment): Promise<Outcome> {
  try {
    // What made the delivery outlives us before anybody hears of it.
    const writing = world.host.keeper?.written()
    if (writing) await writing
    return await world.host.sender.send(shipment)
  } catch (defect) {
    world.host.report(defect)
    return { error: 'the sandbox could not send; its console has the details' }
  }
}

/** An attempt ended; one that belongs to an earlier life of the world is forgotten. */
function land(world: RunningWorld, flight: Flight, outcome: Outcome): void {
  if (!world.flights.delete(flight)) return
  world.clock.pin(() => count(world, flight, outcome))
  startQueued(world)
  wakeWatchers(world)
  planWake(world)
}

/** Lets the outcome of an attempt count, as far as a fault lets it be seen. */
function count(world: RunningWorld, { delivery, attempt, extra }: Flight, outcome: Outcome): void {
  if (extra) return recordOutcome(world, delivery, attempt, outcome)
  const seen = landed(world, delivery, outcome)
  endAttempt(world, delivery, attempt, seen.outcome)
  for (let number = 0; number < seen.duplicates; number += 1) startExtraAttempt(world, delivery)
}

/** Drops attempts in flight: their receivers see the connection end, their outcomes are forgotten. */
export function abortFlights(world: RunningWorld): void {
  world.queue.clear()
  world.extraQueue.length = 0
  callBackFlights(world)
}

/** Breaks off what is in flight. What waits to be sent goes on waiting: a world that is kept sends it when it goes on. */
export function callBackFlights(world: RunningWorld): void {
  const flights = [...world.flights]
  world.flights.clear()
  for (const { abort } of flights) abort.abort()
}

/** To be called after anything that may have made work: runs what is due now once the current answer is out. */
export function planWake(world: RunningWorld): void {
  const due = world.scheduler.nextDue()
  const isNow = due !== null && due <= world.clock.now()
  const { wakePlan } = world
  const { moves } = world.clock
  const isPlanned = wakePlan?.due === due && wakePlan.isNow === isNow && wakePlan.moves === moves
  if (world.callOffWake && isPlanned && !world.closed) return
  world.callOffWake?.()
  world.callOffWake = null
  if (due === null || world.closed) return
  world.wakePlan = { due, isNow, moves }
  const wake = (): void => {
    world.callOffWake = null
    runDue(world)
    wakeWatchers(world)
  }
  if (isNow) {
    world.callOffWake = soon(wake)
    return
  }
  const wait = world.clock.hostWait(due)
  if (wait !== null) world.callOffWake = after(wait, wake)
}

/** Whether something is due or in flight. */
export function isBusy(world: RunningWorld): boolean {
  const due = world.scheduler.nextDue()
  const queued = world.queue.length + world.extraQueue.length
  return world.flights.size > 0 || queued > 0 || (due !== null && due <= world.clock.now())
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

/**
 * Waits until the deliveries that a call made, and whose receivers shall hear first, were sent once.
 * @param call its signal is aborted when nobody waits for the answer any more; it is looked at only then, as it is dear
 */
export async function sendFirst(world: RunningWorld, call?: { signal: AbortSignal }): Promise<void> {
  const armed = world.faults.some(({ name, fired, times }) => name === 'beforeResponse' && fired < times)
  if (!armed && world.beforeResponse.size === 0) return
  // What the call caused may be a job that is due now, as when a card is confirmed at once.
  runDue(world)
  const ids = [...world.beforeResponse]
  world.beforeResponse.clear()
  // Beside the limit: those in flight may wait for the very call that waits here.
  for (const id of ids) {
    if (world.queue.delete(id)) startAttempt(world, id)
  }
  await attemptEnds(world, ids, call?.signal)
}

/** Runs what is due and waits until no attempt of some deliveries is in flight or about to be. */
export async function attemptEnds(
  world: RunningWorld,
  ids: readonly string[],
  gone?: AbortSignal,
): Promise<void> {
  const { life } = world
  runDue(world)
  const isOpen = (id: string): boolean =>
    world.queue.has(id) || [...world.flights].some(({ delivery }) => delivery.id === id)
  const isWaitedFor = (): boolean => world.life === life && !world.closed && gone?.aborted !== true
  while (isWaitedFor() && ids.some(isOpen)) await nextChange(world, gone)
}

/** Tells those who wait that something changed. */
export function wakeWatchers(world: RunningWorld): void {
  for (const watcher of [...world.watchers]) watcher()
}
