// Owns the load of a soak: shops, and loops side by side that do one piece of work after the other in them.
import { count, keepBad } from './answers.ts'
import { WORK } from './work.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { Answer, Call, Client } from './client.ts'
import type { Receivers } from './receivers.ts'
import type { Tally } from './answers.ts'
import type { Shop, Tools } from './work.ts'

/** Choices of every world: an attempt at a receiver that hangs is soon over, and tokens are not counted. */
export const SILENCES = { 'WH-03': 0.25, 'AU-13': 'off' }
/** Worlds of a cycle besides the default one. */
const WORLDS = 3
/** Listeners to events at one time; the oldest one goes when another comes. */
const STREAMS = 16

/** One stretch of load. */
export interface Stage {
  client: Client
  receivers: Receivers
  random: Random
  tally: Tally
  shops: Shop[]
  streams: (() => void)[]
  /** Whether the server was told to end: calls may then find nobody. */
  isEnding: boolean
}

/** The control API as it is about a world. */
const inWorld = (world: string, path: string): string => `/_sandbox/worlds/${world}${path}`

/** Calls, counts, and keeps what is wrong. A call without an answer counts as a failure. */
async function callCounted(stage: Stage, call: Call): Promise<Answer> {
  const { client, tally } = stage
  try {
    const answer = await client.call(call)
    count(tally, call, answer)
    return answer
  } catch (error) {
    if (!stage.isEnding) keepBad(tally, call, `no answer: ${(error as Error).message}`)
    return { status: 599, type: '', text: '' }
  }
}

/** Opens shops in the default world and in new ones. */
export async function openShops(stage: Stage): Promise<void> {
  stage.shops = [
    await openShop(stage, 'default'),
    ...(await Promise.all(Array.from({ length: WORLDS }, () => openShop(stage, null)))),
  ]
}

async function openShop(stage: Stage, id: string | null): Promise<Shop> {
  const clock = stage.random.below(2) === 0 ? 'frozen' : 'flowing'
  const body = { clock, silences: SILENCES }
  const made = await callCounted(
    stage,
    id === null
      ? { method: 'POST', path: '/_sandbox/worlds', body }
      : { method: 'GET', path: inWorld(id, '') },
  )
  const world = JSON.parse(made.text) as { id: string; publicKey: string; secretKey: string }
  const { publicKey, secretKey } = world
  const taken = await callCounted(stage, {
    method: 'POST',
    path: '/v1/auth/token',
    body: { publicKey, secretKey },
  })
  const { data } = JSON.parse(taken.text) as { data: { accessToken: string } }
  const own = { sales: [], cashouts: [], disputes: [], isFixed: id !== null }
  return { world: world.id, publicKey, secretKey, token: data.accessToken, ...own }
}

function toolsOf(stage: Stage, shop: Shop): Tools {
  const { client, random, receivers, streams } = stage
  const call = (made: Call): Promise<Answer> => callCounted(stage, made)
  const withBody = (body: unknown) => (body === undefined ? {} : { body })
  return {
    shop,
    random,
    call,
    ask: (method, path, body) => call({ method, path, token: shop.token, ...withBody(body) }),
    control: (method, path, body) => call({ method, path: inWorld(shop.world, path), ...withBody(body) }),
    leave: (made) => client.leave(made),
    async listen(reads) {
      streams.push(await client.listen(inWorld(shop.world, '/events'), reads))
      if (streams.length > STREAMS) streams.shift()?.()
    },
    hook: () => receivers.pick(random),
    async move() {
      if (shop.isFixed) return
      const next = await openShop(stage, null)
      const ended = shop.world
      Object.assign(shop, next)
      await call({ method: 'DELETE', path: inWorld(ended, '') })
    },
  }
}

/** What is done for how long. */
interface Drive {
  /** Loops side by side. */
  loops: number
  goesOn: () => boolean
  /** The only work that is done, in the default world; all kinds of it in all shops when left out. */
  only?: (tools: Tools) => Promise<void>
}

/** Has loops work side by side, each one piece of work after the other. */
export async function drive(stage: Stage, { loops, goesOn, only }: Drive): Promise<void> {
  const { random, tally, shops } = stage
  const work = Object.entries(WORK)
  const whole = work.reduce((sum, [, { often }]) => sum + often, 0)
  const pick = (): (typeof work)[number] | undefined => {
    let left = random.below(whole)
    return work.find(([, { often }]) => (left -= often) < 0)
  }
  const step = async (): Promise<void> => {
    const shop = shops[only ? 0 : random.below(shops.length)]
    const [name, { run }] = (only ? ['PIX sales', { run: only }] : pick()) ?? ['', { run: null }]
    if (!shop || !run) return
    tally.done[name] = (tally.done[name] ?? 0) + 1
    try {
      await run(toolsOf(stage, shop))
    } catch (error) {
      if (!stage.isEnding) keepBad(tally, { method: 'GET', path: name }, (error as Error).stack ?? '')
    }
  }
  const loop = async (): Promise<void> => {
    while (goesOn()) await step()
  }
  await Promise.all(Array.from({ length: loops }, loop))
}

/** Takes away all that the load has made: streams, worlds, snapshots, records, connections. */
export async function clearAway(stage: Stage): Promise<void> {
  const { client, streams } = stage
  for (const stop of streams.splice(0)) stop()
  const read = async (path: string): Promise<{ items: { id: string; name: string }[] }> =>
    JSON.parse((await callCounted(stage, { method: 'GET', path })).text) as never
  for (const { id } of (await read('/_sandbox/worlds?limit=1000')).items) {
    if (id !== 'default') await callCounted(stage, { method: 'DELETE', path: inWorld(id, '') })
  }
  for (const { name } of (await read('/_sandbox/snapshots?limit=100')).items) {
    await callCounted(stage, { method: 'DELETE', path: `/_sandbox/snapshots/${name}` })
  }
  await callCounted(stage, { method: 'POST', path: '/_sandbox/reset' })
  await openShop(stage, 'default')
  client.close()
}
