// Owns random programs over the whole public surface: several worlds, every operation, rightly and wrongly asked, and restarts.
import fc from 'fast-check'
import { anyCall, hardCalls } from '../../properties/calls.ts'
import { ALL_SPOILT } from './carrying.ts'
import { ask } from './drawAsks.ts'
import { GUARDED, is } from './drawn.ts'
import { given } from './drawGiven.ts'
import { order } from './drawOrders.ts'
import { scenes } from './scenes.ts'
import type { Step } from './program.ts'

/** Which world: mostly the first one. */
const place = fc.oneof({ weight: 3, arbitrary: is(0) }, { weight: 1, arbitrary: fc.nat(2) })

const inOne = fc.tuple(
  place,
  fc.oneof(
    { weight: 10, arbitrary: anyCall.map((call) => [{ do: 'call' as const, call }]) },
    { weight: 2, arbitrary: hardCalls.map((calls) => calls.map((call) => ({ do: 'call' as const, call }))) },
    { weight: 10, arbitrary: scenes(ask, order, GUARDED) },
    { weight: 6, arbitrary: ask.map((one) => [{ do: 'ask' as const, ask: one }]) },
    { weight: 6, arbitrary: order.map((one) => [{ do: 'order' as const, order: one }]) },
  ),
)
/** A world that is taken out and put in, with something in between. */
const carried = fc
  .tuple(place, inOne, place, fc.option(fc.constantFrom(...ALL_SPOILT), { freq: 4 }), inOne)
  .map(([from, [, before], to, spoilt, [at, between]]): Step[] => [
    ...before.map((one): Step => ({ in: from, ...one })),
    { do: 'takeOut', in: from },
    ...between.map((one): Step => ({ in: at, ...one })),
    { do: 'putIn', in: to, spoilt },
    { in: to, do: 'order', order: { order: 'toNext' } },
  ])
const steps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 30, arbitrary: inOne.map(([at, some]) => some.map((one): Step => ({ in: at, ...one }))) },
  { weight: 1, arbitrary: given('make').map((some): Step[] => [{ do: 'make', given: some }]) },
  { weight: 1, arbitrary: place.map((at): Step[] => [{ do: 'fork', in: at }]) },
  { weight: 1, arbitrary: place.map((at): Step[] => [{ do: 'end', in: at }]) },
  { weight: 2, arbitrary: carried },
)

const restart = fc.record({
  do: is('restart' as const),
  how: fc.constantFrom(
    'ended' as const,
    'killed' as const,
    'ended' as const,
    'killed' as const,
    'lost' as const,
  ),
})

/** Steps, or chains of steps, that a program is made of at most. */
const MOST_PARTS = 8
/** Of so many programs one is restarted in between. */
const RESTARTED = 14

/** Random programs. */
export const programs: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(steps, { minLength: 2, maxLength: MOST_PARTS }),
    fc.oneof(
      { weight: RESTARTED, arbitrary: is<Step[]>([]) },
      { weight: 1, arbitrary: fc.tuple(restart).map(([one]): Step[] => [one]) },
    ),
    fc.nat(MOST_PARTS),
  )
  .map(([some, pause, at]) => {
    const all = some.flat()
    all.splice(Math.min(at, all.length), 0, ...pause)
    return all
  })
