// Owns the figures of moving time over due expiries, and how their cost grows with their number.
import { EMPTY_PROGRAM, emptyProgram, sandboxProgram } from '../bench.ts'
import { counted, figureOf } from '../figures.ts'
import { control, endWorld, openWorld } from '../gateway.ts'
import { startProgram } from '../program.ts'
import { takeTurns, timed } from '../rounds.ts'
import type { Bench } from '../bench.ts'
import type { Figure, Subject } from '../figures.ts'
import type { ReceiverOrders } from '../programs/receiver.ts'

/** Instants at which the expiries are due, a minute apart. */
const INSTANTS = 100

/** Measures advances. */
export async function advance(bench: Bench): Promise<Figure[]> {
  const { few, middle, many, longRounds } = bench.sizes
  await using sandbox = sandboxProgram(bench)
  await using receiver = startProgram<ReceiverOrders>('receiver')
  const url = await sandbox.ask('start', {})
  const callbackUrl = await receiver.ask('listen')

  const over = async (count: number, callback?: string): Promise<number> => {
    const world = await openWorld(url)
    const wish = { count, instants: INSTANTS, ...(callback === undefined ? {} : { callbackUrl: callback }) }
    await sandbox.ask('store', world.id, wish)
    let ran = 0
    const ms = await timed(async () => {
      const path = `/worlds/${world.id}/clock/advance`
      const { totals } = await control<{ totals: { ran: number } }>(url, path, { by: '25h' })
      ran = totals.ran
    })
    const expected = callback === undefined ? count : 2 * count
    if (ran !== expected) throw new Error(`an advance ran ${ran} jobs instead of ${expected}`)
    await endWorld(url, world)
    return ms
  }
  await over(few)
  await over(few, callbackUrl)
  const taken = await takeTurns(longRounds, {
    empty: () => emptyProgram(bench),
    few: () => over(few),
    middle: () => over(middle),
    many: () => over(many),
    callbacks: () => over(middle, callbackUrl),
  })

  const each = (name: 'few' | 'middle' | 'many', count: number): number[] =>
    taken[name].map((ms) => ms / count)
  const expiries = (count: number): string => `advance over ${counted(count)} expiries`
  const subject = (id: string, what: string, beside = EMPTY_PROGRAM): Subject => ({
    id: `advance.${id}`,
    what,
    unit: 'ms',
    beside,
  })
  const jobOf = (count: number): string => `one of ${counted(count)} expiries`
  return [
    figureOf(subject('few', expiries(few)), taken.few, taken.empty),
    figureOf(subject('middle', expiries(middle)), taken.middle, taken.empty),
    figureOf(subject('many', expiries(many)), taken.many, taken.empty),
    figureOf(
      subject('callbacks', `${expiries(middle)} with callbacks`, 'without callbacks'),
      taken.callbacks,
      taken.middle,
    ),
    figureOf(subject('growthMiddle', jobOf(middle), jobOf(few)), each('middle', middle), each('few', few)),
    figureOf(subject('growthMany', jobOf(many), jobOf(few)), each('many', many), each('few', few)),
  ]
}
