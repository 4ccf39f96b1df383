// Owns playing a program on a sandbox and on the model, step by step, until they do not agree or it is over.
import { agree } from './agree.ts'
import { putIn, takeOut } from './carrying.ts'
import { checkDerived } from './compare.ts'
import { createAsking } from './asking.ts'
import { BY_THEMSELVES } from './machines.ts'
import { playAsk } from './playAsk.ts'
import { playCall } from './playCall.ts'
import { NO_ID } from './picking.ts'
import { giveAndTell, givenBody } from './playGiven.ts'
import { playOrder } from './playOrder.ts'
import { URL_OF_SERVER } from './server.ts'
import { tell } from './story.ts'
import { freshLife, noTokens, START } from './world.ts'
import type { Asking, Tally } from './asking.ts'
import type { Carried } from './carrying.ts'
import type { Entry } from './given.ts'
import type { Server } from './server.ts'
import type { Step } from './program.ts'
import type { Life, ModelWorld } from './world.ts'

/** A program at work. */
export interface Playing {
  asking: Asking
  /** Worlds that are there, in the order in which they were made. */
  worlds: ModelWorld[]
  /** The world that the last step was about. */
  last: ModelWorld | null
  play(step: Step): Promise<void>
  /** Lets a year pass everywhere, and compares everything once more. */
  finish(): Promise<void>
}

/** A year and a bit, in milliseconds: after it nothing waits any more. */
const LONG = 400 * 86_400_000

/**
 * Begins a program.
 * @param prefix of the ids of its worlds, which nobody else uses on this server
 */
export function createPlaying(server: Server, prefix: string, tally: Tally): Playing {
  const asking = createAsking(server, tally)
  let made = 0
  let carried: Carried | null = null

  async function serverCall(method: string, path: string, body?: unknown): Promise<number> {
    const init =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const response = await server.fetch(new Request(`${URL_OF_SERVER}/_sandbox${path}`, { method, ...init }))
    await response.text()
    return response.status
  }

  function countOf(name: string): void {
    const counts = tally.get(name) ?? { accepted: 0, refused: 0 }
    tally.set(name, { ...counts, accepted: counts.accepted + 1 })
  }

  async function enter(id: string, life: Life): Promise<ModelWorld> {
    const world: ModelWorld = { id, life, snapshots: {}, tokens: {} }
    playing.worlds.push(world)
    playing.last = world
    const { state } = asking.running(world)
    const [merchant, receiver] = Object.values(state.organizations)
    if (merchant && receiver) {
      life.saidIds[merchant.splitCode] = '$world.organization.splitCode'
      life.saidIds[receiver.splitCode] = '$world.receiver.splitCode'
    }
    await asking.check(world)
    return world
  }

  /** Makes a world, with what it is given; without, where that cannot be. */
  async function make(entries: readonly Entry[]): Promise<ModelWorld> {
    made += 1
    const id = `${prefix}-${made}`
    const life = freshLife()
    const given = givenBody(life, entries, NO_ID)
    const body = { id, seed: 'model', clock: new Date(START).toISOString(), silences: { 'AU-13': 'off' } }
    if (entries.length > 0) {
      const status = giveAndTell(life, entries, given) ? 201 : 400
      const answered = await serverCall('POST', '/worlds', { ...body, given })
      agree('the answer to making a world with records', status, answered)
      countOf(`make a world with records (${status})`)
      if (status === 201) return enter(id, life)
    }
    agree('the answer to making a world', 201, await serverCall('POST', '/worlds', body))
    countOf('make a world')
    return enter(id, life)
  }

  /** A world whose id is taken cannot be made. */
  async function makeTwice(given: readonly Entry[]): Promise<void> {
    const { id } = await make(given)
    agree('the answer to making a world twice', 409, await serverCall('POST', '/worlds', { id }))
    agree(
      'the answer to forking into a world that is there',
      409,
      await serverCall('POST', `/worlds/${id}/fork`, { id }),
    )
  }

  async function fork({ id: from, life }: ModelWorld): Promise<void> {
    made += 1
    const id = `${prefix}-${made}`
    agree('the answer to a fork', 201, await serverCall('POST', `/worlds/${from}/fork`, { id }))
    countOf('fork a world')
    const copy = { ...structuredClone(life), counted: noTokens() }
    tell(copy, { comment: 'the world was forked here; the copy goes on' })
    await enter(id, copy)
  }

  async function end(world: ModelWorld): Promise<void> {
    agree('the answer to deleting a world', 200, await serverCall('DELETE', `/worlds/${world.id}`))
    countOf('delete a world')
    for (const { kind, on } of world.life.journal) if (BY_THEMSELVES.has(on)) countOf(`${kind} ${on}`)
    playing.worlds = playing.worlds.filter((each) => each !== world)
  }

  /** A world that has ended is not there any more, and the default one always is. */
  async function endTwice(world: ModelWorld): Promise<void> {
    await end(world)
    agree('the answer to deleting it again', 404, await serverCall('DELETE', `/worlds/${world.id}`))
    agree('the answer to deleting the default world', 409, await serverCall('DELETE', '/worlds/default'))
  }

  async function restart(how: 'ended' | 'killed' | 'lost'): Promise<void> {
    await server.restart(how)
    countOf(`restart (${how})`)
    if (how === 'lost') {
      agree(
        'the worlds after a restart without a file',
        ['default'],
        server
          .worlds()
          .list()
          .map(({ id }) => id),
      )
      playing.worlds = []
      return
    }
    const known = ['default', ...playing.worlds.map(({ id }) => id)]
    agree(
      'the worlds after a restart',
      known,
      server
        .worlds()
        .list()
        .map(({ id }) => id),
    )
    for (const world of playing.worlds) {
      tell(world.life, { comment: `the server was ${how} here, and went on from its file` })
      playing.last = world
      await asking.check(world)
    }
  }

  /** Every organisation in both environments, as the control API lists them. */
  async function checkBalances({ id, life }: ModelWorld): Promise<void> {
    const { balances } = life
    const response = await server.fetch(new Request(`${URL_OF_SERVER}/_sandbox/worlds/${id}/balances`))
    const { items } = (await response.json()) as { items: Record<string, unknown>[] }
    const expected = (['receiver', 'merchant'] as const).flatMap((org) =>
      (['Production', 'Sandbox'] as const).map((environment) => {
        const of = (name: string): number => balances[`${name}:${org}:${environment}`] ?? 0
        const [available, pending, reserved] = [of('available'), of('pending'), of('reserved')]
        return {
          organizationId: null,
          environment,
          available,
          pending,
          reserved,
          total: available + pending + reserved,
        }
      }),
    )
    agree(
      'the balances that are listed',
      expected,
      items.map((one) => ({ ...one, organizationId: null })),
    )
  }

  const playing: Playing = {
    asking,
    worlds: [],
    last: null,
    async play(step) {
      if (step.do === 'restart') return restart(step.how)
      if (step.do === 'make') return makeTwice(step.given)
      const known = playing.worlds
      const world = known[step.in % Math.max(known.length, 1)] ?? (await make([]))
      playing.last = world
      switch (step.do) {
        case 'call':
          return playCall(asking, world, step.call)
        case 'ask':
          return playAsk(asking, world, step.ask)
        case 'order':
          return playOrder(asking, world, step.order)
        case 'fork':
          return fork(world)
        case 'end':
          return endTwice(world)
        case 'takeOut':
          carried = await takeOut(asking, world)
          return
        case 'putIn':
          return putIn(asking, world, carried, step.spoilt)
        default:
          return step satisfies never
      }
    },
    async finish() {
      for (const world of playing.worlds) {
        playing.last = world
        await playOrder(asking, world, { order: 'advance', by: LONG })
        agree('the work that waits after a year', [], world.life.jobs)
        await checkBalances(world)
        checkDerived(asking.running(world))
      }
      for (const world of [...playing.worlds]) await end(world)
    },
  }
  return playing
}
