// Owns worlds that are taken out and put in again: into the same world or another one, rightly or spoilt on the way.
import { agree } from './agree.ts'
import { tell } from './story.ts'
import { noTokens } from './world.ts'
import type { Asking } from './asking.ts'
import type { Life, ModelWorld } from './world.ts'

/** A world as it was taken out, and what the model remembers of it. */
export interface Carried {
  world: Exported
  life: Life
}

/** What of an exported world is looked at here; the rest is carried as it is. */
interface Exported extends Record<string, unknown> {
  scheduler: { jobs: object[] }
  state: { credentials: Record<string, object>; postings: object[]; journal: object[] }
}

/** How a world is spoilt on the way, so that it cannot be put in. */
const SPOILERS = {
  nothing: () => ({}),
  format: (world: Exported) => ({ ...world, format: 2 }),
  clock: (world: Exported) => ({ ...world, clock: 'noon' }),
  rules: (world: Exported) => ({ ...world, rules: undefined }),
  keys: ({ state, ...world }: Exported) => ({ ...world, state: { ...state, credentials: {} } }),
  money: ({ state, ...world }: Exported) => {
    const lines = [{ account: 'funding:Sandbox', amount: 1 }]
    const n = state.postings.length + 1
    const odd = { n, at: '2030-01-01T12:00:00.000Z', reason: 'funding', subject: 'nobody', lines }
    return { ...world, state: { ...state, postings: [...state.postings, odd] } }
  },
  job: ({ scheduler, ...world }: Exported) => {
    const job = { kind: 'settleSale', subject: 'nobody', dueAt: 4_000_000_000_000, order: 1 }
    return { ...world, scheduler: { ...scheduler, jobs: [...scheduler.jobs, job] } }
  },
} satisfies Record<string, (world: Exported) => object>

/** How a world is spoilt on the way. */
export type Spoilt = keyof typeof SPOILERS

/** Every way to spoil a world. */
export const ALL_SPOILT = Object.keys(SPOILERS) as Spoilt[]

/** Takes a world out. */
export async function takeOut(asking: Asking, world: ModelWorld): Promise<Carried> {
  const order = { name: 'GET /export', model: () => null }
  const exported = (await asking.control(world, 'GET', '/export', undefined, order)) as Exported
  return { world: exported, life: structuredClone(world.life) }
}

/** Puts a world in that was taken out, if one was, in place of what another remembers. */
export async function putIn(
  asking: Asking,
  world: ModelWorld,
  carried: Carried | null,
  spoilt: Spoilt | null,
): Promise<void> {
  const body = carried && spoilt ? SPOILERS[spoilt](carried.world) : (carried?.world ?? {})
  const isGood = carried !== null && spoilt === null
  await asking.control(world, 'POST', '/import', body, {
    name: isGood ? 'POST /import' : `POST /import (${carried ? spoilt : 'nothing'})`,
    model() {
      if (!isGood) return 'sandbox_bad_request'
      world.life = structuredClone(carried.life)
      world.tokens = {}
      world.life.counted = noTokens()
      tell(world.life, { comment: 'the world was taken out here, and goes on where it was put in' })
      return null
    },
  })
  if (!isGood) return
  const again = await takeOut(asking, world)
  agree('a world that is taken out once more', withoutKeys(carried.world), withoutKeys(again.world))
}

/** An exported world as text, but for what stays behind: its keys, and the tokens that were counted. */
function withoutKeys({ state, ...world }: Exported): string {
  const credentials = Object.values(state.credentials).map((one) => ({
    ...one,
    publicKey: null,
    secretDigest: null,
  }))
  return JSON.stringify({ ...world, state: { ...state, credentials, rateWindows: null } }, inOrder)
}

/** Fields by their names: a form that was read has them in an order of its own. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
