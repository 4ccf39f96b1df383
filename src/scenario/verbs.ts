// Owns doing one step: a table with a function for each verb.
import { SandboxError } from '../client/errors.ts'
import { check, checkAnswer, letEnd } from './checks.ts'
import { CHECK_NAMES } from './checkFormat.ts'
import { expectFit, StepFailure } from './failure.ts'
import { callGateway, keysOf, resolveIn } from './session.ts'
import type { SandboxWorld, TriggerName } from '../client/world.ts'
import type { Session } from './session.ts'
import type { StepOf, Verb } from './stepFormat.ts'

/** Verbs that do something by themselves; `repeat` only has steps. */
type ActingVerb = Exclude<Verb, 'repeat'>
type Acts = { [Name in ActingVerb]: (session: Session, step: StepOf<Name>) => Promise<void> | void }

/**
 * Does a step that is no `repeat`.
 * @throws {StepFailure} when it does not do, or does not find, what the scenario says
 * @throws {SandboxError} when the control API refuses it
 */
export async function act(
  session: Session,
  verb: ActingVerb,
  step: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ACTS[verb](session, step as never)
}

const ACTS: Acts = {
  async call(session, { as, expect = {}, ...step }) {
    const answer = await callGateway(session, resolveIn(session, step))
    session.lastAnswer = answer
    if (as !== undefined) session.names[as] = answer.data ?? {}
    const expected = resolveIn(session, expect, ['expect'])
    checkAnswer(`the answer to ${step.call}`, expected, answer, ['expect'])
  },
  async trigger(session, { trigger, as, expect }) {
    const { on, do: name, ...parameters } = resolveIn(session, trigger, ['trigger'])
    const fired = await orRefusal(() => fire(session.world, on, name, parameters))
    if ('error' in fired) {
      if (expect?.error === undefined) throw new StepFailure(fired.message, { path: ['trigger', 'do'] })
      expectFit('the refusal', { error: expect.error }, fired, ['expect'])
      return
    }
    if (as !== undefined) session.names[as] = fired.record
    if (expect === undefined) return
    const actual = { ...fired, error: 'none: it fired' }
    expectFit('what fired', resolveIn(session, expect, ['expect']), actual, ['expect'])
  },
  async advance(session, { advance }) {
    const { to } = await session.world.clock.advance(resolveIn(session, advance, ['advance']))
    session.now = Date.parse(to)
  },
  async inbox(session, { inbox: { as, answers, delayMs } }) {
    const inbox = session.world.inbox(as)
    session.names[as] = { name: inbox.name, url: inbox.url }
    if (answers === undefined && delayMs === undefined) return
    await inbox.script(answers ?? [], delayMs === undefined ? {} : { delayMs })
  },
  async fault(session, { fault, as }) {
    const order = resolveIn(session, fault, ['fault'])
    const armed = await session.world.faults.arm(order)
    if (as !== undefined) session.names[as] = armed
  },
  async settle({ world }, { settle }) {
    const { timeoutMs, quietMs } = typeof settle === 'object' && settle !== null ? settle : {}
    await world.settle({
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(quietMs === undefined ? {} : { quietMs }),
    })
  },
  async hold(session, { hold }) {
    const { of: subject, type } =
      typeof hold === 'object' && hold !== null ? resolveIn(session, hold, ['hold']) : {}
    await session.world.deliveries.hold({ type, subject })
  },
  async release(session, { release }) {
    const wanted = Array.isArray(release) ? release : []
    const order = await Promise.all(
      wanted.map(async (which, index) => idOfDelivery(session, which, ['release', index])),
    )
    await session.world.deliveries.release(order.length > 0 ? order : undefined)
  },
  async resend(session, { resend }) {
    await session.world.deliveries.resend(await idOfDelivery(session, resend, ['resend']))
  },
  async duplicate(session, { duplicate }) {
    await session.world.deliveries.duplicate(await idOfDelivery(session, duplicate, ['duplicate']))
  },
  async balance(session, { balance }) {
    await session.world.changeBalance(resolveIn(session, balance, ['balance']))
  },
  async credential(session, { credential: { of, ...change } }) {
    const { publicKey } = keysOf(session, of, ['credential', 'of'])
    await session.world.credentials.update(publicKey, change)
  },
  async silences(session, { silences }) {
    await session.world.silences.choose(resolveIn(session, silences, ['silences']))
  },
  note: () => undefined,
  async expect(session, { expect }) {
    const name = CHECK_NAMES.find((each) => each in expect)
    if (name === undefined) return
    if (name !== 'answer' && name !== 'clock') await letEnd(session)
    await check(session, name, resolveIn(session, expect, ['expect']) as never)
  },
}

/**
 * The id of the one delivery that a step means.
 * @throws {StepFailure} when none is it, or several are
 */
async function idOfDelivery(
  session: Session,
  which: StepOf<'resend'>['resend'],
  path: PropertyKey[],
): Promise<string> {
  const { of: subject, type } = resolveIn(session, which, path)
  const found = await session.world.deliveries.list({ subject, type })
  const [only] = found
  if (only && found.length === 1) return only.id
  const what = [type ?? 'any type', ...(subject === undefined ? [] : [`for ${subject}`])].join(' ')
  const told = found.map((each) => `${each.type} of ${each.subject}`).join(', ')
  const message = only
    ? `${found.length} deliveries are of ${what}: ${told}; name the record and the type of one`
    : `there is no delivery of ${what}`
  throw new StepFailure(message, { path })
}

/** What a trigger did. */
interface FiredStep {
  from: string | null
  to: string
  record: object
}

async function fire(
  world: SandboxWorld,
  on: string,
  trigger: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<FiredStep> {
  if (trigger !== 'open') return world.trigger(on, trigger as TriggerName, parameters)
  const record = await world.disputes.open({ ...parameters, paymentId: on })
  return { from: null, to: record.status, record }
}

async function orRefusal(
  run: () => Promise<FiredStep>,
): Promise<FiredStep | { error: string; message: string }> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof SandboxError && error.status !== null) {
      return { error: error.code, message: error.message }
    }
    throw error
  }
}
