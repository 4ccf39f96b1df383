// Owns asking the sandbox and the model the same: every answer is compared, and afterwards the whole world is.
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { isBusy } from '../../../src/world/run.ts'
import { ADDRESSES } from './addresses.ts'
import { agree } from './agree.ts'
import { compareWorld, learnIds } from './compare.ts'
import { answer } from './gateway.ts'
import { URL_OF_SERVER } from './server.ts'
import { tell, tellCall } from './story.ts'
import { giveToken } from './tokens.ts'
import { drain } from './work.ts'
import type { EndpointRow } from '../../../src/contract/endpoint.ts'
import type { RunningWorld } from '../../../src/world/runningWorld.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Seat } from './addresses.ts'
import type { Answer, By, GatewayCall } from './gateway.ts'
import type { Server } from './server.ts'
import type { WrongToken } from './tokens.ts'
import type { Life, ModelWorld } from './world.ts'

const NO_TOKEN = 'a-token-that-is-none'
/** Time for which a token is used, in milliseconds; it lives a second longer at least. */
const TOKEN_LIFE = 3_598_000
/** Calls for a token that faults may spoil, one after the other. */
const MOST_TOKEN_CALLS = 20

/** What was asked how often, and how often it was refused; a refusal counts under its code as well, as `getCashout not_found`. */
export type Tally = Map<string, { accepted: number; refused: number }>

/** Asks both. */
export interface Asking {
  gateway(world: ModelWorld, call: GatewayCall): Promise<Answer>
  /** Calls the control API of a world; `code` is what the model says it is refused with. */
  control(
    world: ModelWorld,
    method: string,
    path: string,
    body: unknown,
    order: ControlOrder,
  ): Promise<unknown>
  /** Compares the world once everything that is due now is done. */
  check(world: ModelWorld): Promise<void>
  running(world: ModelWorld): RunningWorld
}

/** What an order does in the model; it answers the code that it is refused with. */
export interface ControlOrder {
  name: string
  model(life: Life): string | null
  /** The step of a scenario that says it. */
  step?: Record<string, unknown> | undefined
}

const CONTROL_STATUSES: Readonly<Record<string, number>> = {
  sandbox_not_found: 404,
  sandbox_trigger_refused: 409,
  sandbox_clock_backwards: 409,
  sandbox_world_exists: 409,
}

/** Asks a sandbox and the model; counts what was asked. */
export function createAsking(server: Server, tally: Tally): Asking {
  let received = server.received()

  const running = (world: ModelWorld): RunningWorld => {
    const found = server.worlds().get(world.id)
    if (!found) throw new Error(`the sandbox has no world ${world.id}`)
    return found
  }

  async function fetched(
    method: string,
    path: string,
    init: RequestInit,
    from: Seat = 'home',
  ): Promise<Fetched | null> {
    try {
      const request = new Request(URL_OF_SERVER + path, { method, ...init })
      const response = await server.fetch(request, from === 'home' ? undefined : ADDRESSES[from])
      const retryAfter = Number(response.headers.get('Retry-After') ?? NaN)
      return { status: response.status, text: await response.text(), retryAfter }
    } catch (error) {
      if (error instanceof Error && error.name === 'ConnectionReset') return null
      throw error
    }
  }

  async function tokenOf(world: ModelWorld, by: By): Promise<string | null> {
    if (by === 'nobody') return null
    if (by === 'nonsense') return NO_TOKEN
    for (let calls = 0; calls < MOST_TOKEN_CALLS; calls += 1) {
      const known = world.tokens[by]
      if (known && world.life.now < known.until) return known.text
      if (!world.life.keys[by].active) return NO_TOKEN
      const { code, befallen } = await gateway(world, {
        ...tokenCall(running(world), by, null),
        isOwn: true,
      })
      if (code !== null && !befallen) return NO_TOKEN
    }
    throw new Error('no token came')
  }

  async function gateway(world: ModelWorld, wanted: GatewayCall): Promise<Answer> {
    const { operation, raw } = wanted
    const row = rowOf(operation)
    const token = row.permission === null ? null : await tokenOf(world, wanted.by)
    const call: GatewayCall = token === NO_TOKEN ? { ...wanted, by: 'nonsense' } : wanted
    const { by, from } = call
    const query = new URLSearchParams(call.query).toString()
    const path = row.path.replace(/\{\w+\}/, call.id ?? '') + (query === '' ? '' : `?${query}`)
    const before = pictureOf(running(world))
    const expected = answer(world.life, call)
    const body = raw?.body ?? (call.body === undefined ? null : JSON.stringify(call.body))
    const got = await fetched(
      call.method ?? row.method,
      path,
      {
        body,
        headers: {
          ...(raw?.headers ?? (body === null ? {} : { 'Content-Type': 'application/json' })),
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...call.headers,
        },
      },
      from,
    )
    count(tally, operation, expected.code === null && expected.status < 300 && expected.status > 0)
    if (expected.code !== null && !expected.befallen) count(tally, `${operation} ${expected.code}`, false)
    tellCall(world.life, call, expected)
    agreeOnAnswer(operation, expected, got)
    for (const who of world.life.revoked.splice(0)) delete world.tokens[who]
    if (call.isOwn && expected.code === null && expected.seen === 'all' && got) {
      const { data } = JSON.parse(got.text) as { data: { accessToken: string } }
      world.tokens[by as Caller] = { text: data.accessToken, until: world.life.now + TOKEN_LIFE }
    }
    await check(world)
    const isRefused = expected.code !== null && !expected.befallen && expected.stirred !== true
    if (isRefused) agree(`the world after ${operation} was refused`, before, pictureOf(running(world)))
    return expected
  }

  async function check(world: ModelWorld): Promise<void> {
    const actual = running(world)
    learnIds(world, actual)
    if (isBusy(actual)) await server.worlds().host.keeper?.written()
    while (isBusy(actual)) await fetched('POST', `/_sandbox/worlds/${world.id}/settle`, json({}))
    drain(world.life)
    learnIds(world, actual)
    compareWorld(world, actual)
    agree('the webhooks that receivers got', world.life.sent, server.received() - received)
    received = server.received()
    world.life.sent = 0
    const [defect] = server.defects
    if (defect !== undefined) throw defect
  }

  return {
    gateway,
    check,
    running,
    async control(world, method, path, body, { name, model, step }) {
      const before = pictureOf(running(world))
      const code = model(world.life)
      count(tally, name, code === null)
      if (step) tell(world.life, { step: code === null ? step : withRefusal(step, code) })
      const got = await fetched(
        method,
        `/_sandbox/worlds/${world.id}${path}`,
        body === undefined ? {} : json(body),
      )
      const status = code === null ? null : (CONTROL_STATUSES[code] ?? 400)
      const said = got ? (JSON.parse(got.text) as { error?: { code: string } }) : null
      const wasRefused = (got?.status ?? 500) >= 400
      agree(
        `the answer to ${name}`,
        [status, code],
        [wasRefused ? got?.status : null, wasRefused ? said?.error?.code : null],
      )
      await check(world)
      if (code !== null) agree(`the world after ${name} was refused`, before, pictureOf(running(world)))
      return said
    },
  }
}

/** Everything that a refused call leaves as it was. Faults that only delay it count it all the same; they are compared apart. */
function pictureOf({ state, scheduler, rules }: RunningWorld): string {
  return JSON.stringify([{ ...state, rateWindows: null }, scheduler.save(), rules])
}

interface Fetched {
  status: number
  text: string
  /** Seconds; NaN where the answer names none. */
  retryAfter: number
}

function json(body: unknown): RequestInit {
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function withRefusal(step: Record<string, unknown>, error: string): Record<string, unknown> {
  return 'trigger' in step ? { trigger: step['trigger'], expect: { error } } : step
}

function rowOf(operation: string): EndpointRow {
  const row = (ENDPOINTS as readonly EndpointRow[]).find(({ id }) => id === operation)
  if (!row) throw new Error(`there is no operation ${operation}`)
  return row
}

/** The call that gets a token, or one that is refused. */
export function tokenCall(
  world: RunningWorld,
  by: Caller,
  wrong: WrongToken,
  from: Seat = 'home',
): GatewayCall {
  const { publicKey, secretKey } = world.origin.keys[by]
  const known = { sandbox: '$world', production: '$world.production', receiver: '$world.receiver' }[by]
  const said = { publicKey: `${known}.publicKey`, secretKey: `${known}.secretKey` }
  const wrongly = { secret: { secretKey: 'not-the-secret' }, field: { secretKey: undefined } }
  const changed = wrong === null ? {} : wrongly[wrong]
  return {
    operation: 'createToken',
    by,
    from,
    body: { publicKey, secretKey, ...changed },
    raw: {
      body: JSON.stringify({ publicKey, secretKey, ...changed }),
      headers: { 'Content-Type': 'application/json' },
      said: { ...said, ...changed },
    },
    work: (life) => giveToken(life, by, wrong, from),
  }
}

function count(tally: Tally, name: string, wasAccepted: boolean): void {
  const counts = tally.get(name) ?? { accepted: 0, refused: 0 }
  tally.set(name, counts)
  if (wasAccepted) counts.accepted += 1
  else counts.refused += 1
}

function agreeOnAnswer(operation: string, expected: Answer, got: Fetched | null): void {
  const what = `the answer to ${operation}`
  const { seen, status, code, data } = expected
  const none = seen === 'nothing' ? null : { status, code }
  if (none === null || got === null) return agree(what, none, got)
  if (seen === 'noBody') return agree(what, status, got.status)
  const body = JSON.parse(got.text) as {
    data: Record<string, unknown> | null
    error: { code: string } | null
  }
  agree(what, [status, code], [got.status, body.error?.code ?? null])
  if (expected.retryAfter !== undefined) {
    agree(`Retry-After of ${what}`, expected.retryAfter, got.retryAfter)
  }
  for (const [field, wanted] of Object.entries(data ?? {})) {
    agree(`${field} in ${what}`, wanted, likeWanted(wanted, body.data?.[field]))
  }
}

/** What of an answer is compared: the fields that the model knows. */
function likeWanted(wanted: unknown, actual: unknown): unknown {
  if (Array.isArray(wanted) && Array.isArray(actual)) {
    return actual.map((each, place) => likeWanted(wanted[place] ?? wanted[0], each))
  }
  const isFields = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isFields(wanted) || !isFields(actual)) return actual
  return Object.fromEntries(Object.keys(wanted).map((field) => [field, actual[field]]))
}
