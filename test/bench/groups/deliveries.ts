// Owns the figure of deliveries: how many a second reach a local receiver, beside a bare `fetch` loop of the same concurrency.
import { sandboxProgram } from '../bench.ts'
import { figureOf } from '../figures.ts'
import { control, endWorld, openWorld } from '../gateway.ts'
import { startProgram } from '../program.ts'
import { takeTurns, timed } from '../rounds.ts'
import type { Bench } from '../bench.ts'
import type { Figure } from '../figures.ts'
import type { FetchLoopOrders } from '../programs/fetchLoop.ts'
import type { ReceiverOrders } from '../programs/receiver.ts'

/** Attempts of one world that run together, and loops that send beside them. */
const CONCURRENCY = 32

/** Measures deliveries. */
export async function deliveries(bench: Bench): Promise<Figure[]> {
  await using sandbox = sandboxProgram(bench)
  await using receiver = startProgram<ReceiverOrders>('receiver')
  await using loops = startProgram<FetchLoopOrders>('fetchLoop')
  const url = await sandbox.ask('start', {})
  const callbackUrl = await receiver.ask('listen')
  const count = bench.sizes.deliveries

  const received = async (): Promise<number> => (await receiver.ask('received')).count
  const aSecond = async (send: () => Promise<number>): Promise<number> => {
    const before = await received()
    const ms = await send()
    const arrived = (await received()) - before
    if (arrived !== count) throw new Error(`${arrived} of ${count} requests reached the receiver`)
    return (count / ms) * 1_000
  }
  const deliver = async (): Promise<number> => {
    const world = await openWorld(url)
    await sandbox.ask('store', world.id, { count, callbackUrl, instants: 1 })
    const ms = await timed(() => control(url, `/worlds/${world.id}/clock/advance`, { by: '31m' }))
    await endWorld(url, world)
    return ms
  }
  const loop = async (): Promise<number> => {
    const { body, headers } = await receiver.ask('received')
    const own = Object.entries(headers).filter(([name]) => /^(?:content-type|user-agent|x-)/.test(name))
    const request = { body, headers: Object.fromEntries(own) }
    return loops.ask('send', callbackUrl, request, { amount: count, loops: CONCURRENCY })
  }
  // The first ones warm both up, and the loop sends what the sandbox sent.
  await aSecond(deliver)
  await aSecond(loop)
  const taken = await takeTurns(bench.sizes.rounds, {
    deliver: () => aSecond(deliver),
    loop: () => aSecond(loop),
  })
  const what = `deliveries to a local receiver, ${CONCURRENCY} at a time`
  const subject = { id: 'deliveries', what, unit: 'deliveries/s', beside: 'a bare `fetch` loop' } as const
  return [figureOf(subject, taken.deliver, taken.loop)]
}
