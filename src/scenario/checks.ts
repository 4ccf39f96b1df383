// Owns looking at a world for what a step expects: one function for each kind of check.
import { SandboxError } from '../client/errors.ts'
import { StepFailure, expectFit } from './failure.ts'
import { compare, fits } from './match.ts'
import type { CheckName, CheckOf } from './checkFormat.ts'
import type { GatewayAnswer, Session } from './session.ts'

type Fields = Record<string, unknown>

/** Entries of a list that are looked at. */
const MAX_ENTRIES = 1_000
/** Longest wait of a check while nothing moves of what is in flight, in host milliseconds. */
const SETTLE_MS = 5_000
/** Most waits of one check: what moves without end, such as a rule that sends on and on, is seen as it is then. */
const MAX_SETTLES = 12

/** A list that a check looks through, and how it reads in a failure. */
interface Search {
  /** What is looked for, such as `a delivery of payment.completed`. */
  what: string
  entries: Fields[]
  expected: Fields
  /** How many there must be; null when one that fits is enough. */
  count: number | undefined
  where: PropertyKey[]
  /** One entry in a few words. */
  brief: (entry: Fields) => string
}

/**
 * Checks what a step expects.
 * @param expected with all references replaced
 * @throws {StepFailure} when something else is there
 */
export async function check<Name extends CheckName>(
  session: Session,
  name: Name,
  expected: CheckOf<Name>,
): Promise<void> {
  await CHECKERS[name](session, expected as never)
}

type Checkers = { [Name in CheckName]: (session: Session, expected: CheckOf<Name>) => Promise<void> | void }

const CHECKERS: Checkers = {
  answer({ lastAnswer }, { answer }) {
    if (!lastAnswer) throw new StepFailure('no call was made before', { path: ['expect', 'answer'] })
    checkAnswer('the last answer', answer, lastAnswer, ['expect', 'answer'])
  },
  transaction: (session, { transaction: id, ...fields }) =>
    checkRecord(session, { kind: 'transaction', id, fields }),
  cashout: (session, { cashout: id, ...fields }) => checkRecord(session, { kind: 'cashout', id, fields }),
  dispute: (session, { dispute: id, ...fields }) => checkRecord(session, { kind: 'dispute', id, fields }),
  customer: (session, { customer: id, ...fields }) => checkRecord(session, { kind: 'customer', id, fields }),
  async delivery(session, { delivery }) {
    checkFound(await deliveriesFor(session, delivery, ['expect', 'delivery']))
  },
  async message(session, { message }) {
    checkFound(await messagesFor(session, message, ['expect', 'message']))
  },
  async journal(session, { journal }) {
    const { statuses, ...rest } = journal
    const where = ['expect', 'journal']
    const search = await journalFor(session, rest, where)
    if (statuses !== undefined) {
      const walked = search.entries.map(({ to }) => to)
      expectFit('the way of the record', statuses, walked, [...where, 'statuses'])
    }
    if (statuses === undefined || Object.keys(search.expected).length > 0 || search.count !== undefined) {
      checkFound(search)
    }
  },
  async balance({ world }, { balance: { organization, environment = 'Sandbox', ...fields } }) {
    const organizationId = organization ?? world.organization.id
    const [found] = await world.balances({ organizationId, environment })
    const where = ['expect', 'balance']
    if (!found) throw new StepFailure(`there is no organisation ${organizationId}`, { path: where })
    expectFit('the balance', fields, found, where)
  },
  async clock({ world }, { clock }) {
    const { now } = await world.clock.read()
    expectFit('the clock', clock, now, ['expect', 'clock'])
  },
  async no(session, { no }) {
    const { delivery, message, journal } = no
    if (delivery) checkAbsent(await deliveriesFor(session, delivery, ['expect', 'no', 'delivery']))
    if (message) checkAbsent(await messagesFor(session, message, ['expect', 'no', 'message']))
    if (journal) checkAbsent(await journalFor(session, journal, ['expect', 'no', 'journal']))
  },
}

/**
 * Lets what is due and in flight end, so that a check sees it. Waits on as long as something moves; what hangs stays, and is
 * seen as it is, as is what still moves after the last wait.
 */
export async function letEnd({ world }: Pick<Session, 'world'>): Promise<void> {
  let open: string | null = null
  for (let wait = 0; wait < MAX_SETTLES; wait += 1) {
    try {
      await world.settle({ timeoutMs: SETTLE_MS })
      return
    } catch (error) {
      if (!(error instanceof SandboxError) || error.code !== 'not_settled') throw error
      if (error.message === open) return
      open = error.message
    }
  }
}

/**
 * Checks the answer to a call. Without an expectation of its status or error, it must be a success.
 * @throws {StepFailure} when it is another one
 */
export function checkAnswer(
  what: string,
  expected: CheckOf<'answer'>['answer'],
  answer: GatewayAnswer,
  where: PropertyKey[],
): void {
  const { error, headers, none, ...rest } = expected
  const actual = { ...answer, error: answer.error as unknown }
  if (answer.none !== (none ?? false)) {
    const came = answer.none ? 'no answer came' : `the gateway answered ${answer.status ?? ''}`
    throw new StepFailure(`${what}: ${came}`, { path: where })
  }
  if (none === true) return
  if (error === undefined && rest.status === undefined && answer.error !== null) {
    throw new StepFailure(`${what} is ${refusalIn(answer)}`, { path: where })
  }
  if (typeof error === 'string') actual.error = answer.error?.code ?? null
  const lowered = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]): [string, unknown] => [
      name.toLowerCase(),
      String(value),
    ]),
  )
  const whole: Fields = { ...rest, ...(error === undefined ? {} : { error }) }
  const looked = headers === undefined ? whole : { ...whole, headers: lowered }
  expectFit(what, looked, actual, where, answer.error === null ? '' : `: it is ${refusalIn(answer)}`)
}

/** The refusal that an answer is: status, code, message and, on a line of its own, the hint at what to do. */
function refusalIn({ status, error, headers }: GatewayAnswer): string {
  const { code = '', message = '' } = error ?? {}
  const hint = headers['x-sandbox-hint']
  return `${status ?? ''} ${code}: ${message}${hint === undefined ? '' : `\nhint: ${hint}`}`
}

async function checkRecord(
  { world }: Session,
  {
    kind,
    id,
    fields,
  }: { kind: 'transaction' | 'cashout' | 'dispute' | 'customer'; id: string; fields: Fields },
): Promise<void> {
  try {
    const record = await world[`${kind}s`].get(id)
    expectFit(`${kind} ${id}`, fields, record, ['expect'])
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'sandbox_not_found') throw error
    throw new StepFailure(`there is no ${kind} ${id}`, { path: ['expect', kind] })
  }
}

async function deliveriesFor(
  { world }: Session,
  { of, type, count, ...expected }: CheckOf<'delivery'>['delivery'],
  where: PropertyKey[],
): Promise<Search> {
  const found = await world.deliveries.list({
    limit: MAX_ENTRIES,
    ...(of === undefined ? {} : { subject: of }),
    ...(type === undefined ? {} : { type }),
  })
  const isCounted = typeof expected.attempts === 'number'
  const entries: Fields[] = found.map((each) =>
    isCounted ? { ...each, attempts: each.attempts.length } : { ...each },
  )
  const what = `a delivery${type === undefined ? '' : ` of ${type}`}${of === undefined ? '' : ` for ${of}`}`
  const brief = (entry: Fields): string => `${String(entry['type'])} (${String(entry['status'])})`
  return { what, entries, expected, count, where, brief }
}

async function messagesFor(
  { world }: Session,
  { inbox, type, count, ...expected }: CheckOf<'message'>['message'],
  where: PropertyKey[],
): Promise<Search> {
  const entries: Fields[] = (await world.inbox(inbox).messages(type)).toReversed()
  const what = `a message${type === undefined ? '' : ` of ${type}`} in inbox '${inbox}'`
  return { what, entries, expected, count, where, brief: (entry) => String(entry['type']) }
}

async function journalFor(
  { world }: Session,
  { of, count, ...expected }: Omit<CheckOf<'journal'>['journal'], 'statuses'>,
  where: PropertyKey[],
): Promise<Search> {
  const found = await world.journal({ limit: MAX_ENTRIES, ...(of === undefined ? {} : { subject: of }) })
  const brief = ({ on, from, to }: Fields): string => `${String(on)} ${String(from)} -> ${String(to)}`
  const what = `a journal entry${of === undefined ? '' : ` of ${of}`}`
  return { what, entries: found.toReversed(), expected, count, where, brief }
}

/** One that fits must be there, and as many as are counted. */
function checkFound({ what, entries, expected, count, where, brief }: Search): void {
  const compared = entries.map((entry) => compare(expected, entry))
  const matching = compared.filter((each) => fits(each)).length
  if (count !== undefined) {
    expectFit(`the number of those that are ${what}`, { count }, { count: matching }, where)
    return
  }
  if (matching > 0) return
  const misses = compared.map((each) => each.filter(({ equal }) => !equal).length)
  const nearest = entries[misses.indexOf(Math.min(...misses))]
  if (nearest) {
    const others = entries.length > 1 ? ` (the nearest of ${entries.map(brief).join(', ')})` : ''
    expectFit(what + others, expected, nearest, where)
  }
  throw new StepFailure(`there is no such thing as ${what}`, { path: where, expected })
}

function checkAbsent({ what, entries, expected, where, brief }: Search): void {
  const found = entries.find((entry) => fits(compare(expected, entry)))
  if (!found) return
  throw new StepFailure(`there is ${what}: ${brief(found)}`, {
    path: where,
    actual: found,
    diff: `- (nothing)\n+ ${brief(found)}`,
  })
}
