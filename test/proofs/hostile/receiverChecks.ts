// Owns the check of a sandbox that sends to hostile receivers: every attempt counts as promised, is tried again in time, says
// why, reads no more than it must, and lets go of the connection.
import { createCall, openWorld, control, send } from '../../bench/gateway.ts'
import { bytesToText, comesToHold, PATIENCE_MS } from './bounds.ts'
import { openHostile } from './openReceiver.ts'
import { HOSTILE_RECEIVERS } from './receivers.ts'
import type { BenchWorld } from '../../bench/gateway.ts'
import type { Certificates } from './certificates.ts'
import type { OpenReceiver } from './openReceiver.ts'
import type { HostileReceiver } from './receivers.ts'

/** Bytes that a receiver may get rid of: what is read, and what the system takes before anybody reads it. */
const MAX_TAKEN_BYTES = 24 * 1_048_576
/** Seconds of the world after the first attempt at which the others are made. */
const ATTEMPT_SECONDS = [0, 2, 6]
/** Characters of a reason. */
const MAX_REASON_UNITS = 300

interface Attempt {
  number: number
  at: string
  status: number | null
  error: string | null
  answer: string | null
}

interface Delivery {
  status: string
  createdAt: string
  attempts: Attempt[]
}

/** What a check of receivers found. */
export interface ReceiverReport {
  receivers: number
  attempts: number
  findings: string[]
}

/**
 * Has a sandbox send to hostile receivers, all at once.
 * @param url of the sandbox, which trusts the root of the certificates
 * @param which the receivers; all when left out
 */
export async function checkReceivers(
  url: string,
  certificates: Certificates,
  {
    which = HOSTILE_RECEIVERS,
    patience = PATIENCE_MS,
  }: { which?: readonly HostileReceiver[]; patience?: number } = {},
): Promise<ReceiverReport> {
  const hanging = which.filter(({ hangs }) => hangs === true)
  const others = which.filter(({ hangs }) => hangs !== true)
  // Those that hang are given up soon; the others have all the time that a busy machine may take.
  const reports = [
    await checkSome(url, certificates, hanging, { timeout: 0.2, patience }),
    await checkSome(url, certificates, others, { timeout: 60, patience }),
  ]
  return {
    receivers: which.length,
    attempts: reports.reduce((sum, { attempts }) => sum + attempts, 0),
    findings: reports.flatMap(({ findings }) => findings),
  }
}

async function checkSome(
  url: string,
  certificates: Certificates,
  which: readonly HostileReceiver[],
  { timeout, patience }: { timeout: number; patience: number },
): Promise<Omit<ReceiverReport, 'receivers'>> {
  const world = await openWorld(url, { silences: { 'AU-13': 'off', 'WH-03': timeout } })
  const at = (path: string): string => `/worlds/${world.id}${path}`
  const opened: { receiver: HostileReceiver; open: OpenReceiver; delivery: string }[] = []
  try {
    for (const receiver of which) {
      const open = await openHostile(receiver, certificates)
      opened.push({ receiver, open, delivery: await deliverTo(url, world, open.url) })
    }
    await control(url, at('/clock/advance'), { by: '10s' })
    const findings: string[] = []
    let attempts = 0
    for (const { receiver, open, delivery } of opened) {
      const path = `/_sandbox${at(`/deliveries/${delivery}`)}`
      const found = await send<Delivery>(url, { method: 'GET', path, headers: {} })
      attempts += found.attempts.length
      // A time-out may end an attempt before the receiver, on a busy machine, has come to take its connection.
      await comesToHold(() => askedOf(receiver, open) >= found.attempts.length)
      const isFree = await comesToHold(() => open.open === 0, patience)
      for (const what of [
        ...recordFindings(receiver, found),
        ...socketFindings(receiver, found, open, isFree),
      ]) {
        findings.push(`${receiver.name}: ${what}`)
      }
    }
    return { attempts, findings }
  } finally {
    for (const { open } of opened) await open.close()
  }
}

/** Pays a charge whose webhook goes to an address; answers the delivery, of which nothing was sent yet or one attempt. */
async function deliverTo(url: string, world: BenchWorld, callbackUrl: string): Promise<string> {
  const call = createCall(world)
  const body = JSON.stringify({ ...(JSON.parse(call.body ?? '{}') as object), callbackUrl })
  const { data } = await send<{ data: { id: string } }>(url, { ...call, body })
  const trigger = { on: data.id, do: 'confirm' }
  const { deliveries } = await control<{ deliveries: string[] }>(url, `/worlds/${world.id}/trigger`, trigger)
  return deliveries[0] ?? ''
}

/** What is wrong with the record of a delivery. */
function recordFindings({ expect }: HostileReceiver, { status, createdAt, attempts }: Delivery): string[] {
  const isTaken = expect.status !== null && expect.status >= 200 && expect.status < 300
  const wanted = isTaken ? [0] : ATTEMPT_SECONDS
  const seconds = attempts.map(({ at }) => (Date.parse(at) - Date.parse(createdAt)) / 1_000)
  const outcome = isTaken ? 'delivered' : 'exhausted'
  return [
    ...(status === outcome ? [] : [`the delivery is ${status}, not ${outcome}`]),
    ...(seconds.join() === wanted.join()
      ? []
      : [`attempts came at ${seconds.join(', ')} s, not at ${wanted.join(', ')} s`]),
    ...attempts.flatMap((attempt) => attemptFindings(expect, attempt)),
  ]
}

function attemptFindings(
  expect: HostileReceiver['expect'],
  { number, status, error, answer }: Attempt,
): string[] {
  const said = `attempt ${number} says ${JSON.stringify({ status, error })}`
  const fits = expect.error === undefined ? error === null : error !== null && expect.error.test(error)
  const isReadable = error === null || (error.length <= MAX_REASON_UNITS && !/[\r\n]/.test(error))
  return [
    ...(status === expect.status && fits
      ? []
      : [`${said}, not ${expect.status} ${expect.error?.source ?? ''}`.trim()]),
    ...(isReadable ? [] : [`${said}, which is no line for people`]),
    ...(expect.answer?.test(answer ?? '') === false
      ? [`attempt ${number} keeps ${JSON.stringify(answer?.slice(0, 60))}`]
      : []),
  ]
}

/** How often a receiver was called. */
function askedOf({ onRequest }: HostileReceiver, { connections, requests }: OpenReceiver): number {
  return onRequest === undefined ? connections : Math.max(connections, requests)
}

/** What is wrong with how a receiver was called. */
function socketFindings(
  receiver: HostileReceiver,
  { attempts }: Delivery,
  at: OpenReceiver,
  isFree: boolean,
): string[] {
  const { taken, open } = at
  const asked = askedOf(receiver, at)
  return [
    ...(asked === attempts.length ? [] : [`it was called ${asked} times for ${attempts.length} attempts`]),
    ...(taken <= MAX_TAKEN_BYTES ? [] : [`${bytesToText(taken)} were taken of one answer`]),
    ...(isFree ? [] : [`${open} of its connections were never closed`]),
  ]
}
