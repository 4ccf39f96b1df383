// Owns the calls of the gateway that are open, from the moment they reach the server until they are answered.
import { redactText } from './redaction.ts'
import { wakeWatchers } from './run.ts'
import type { Arrival, ArrivalStage, RunningWorld } from './runningWorld.ts'
import type { Worlds } from './worlds.ts'

/** An open call, for who answers it. */
export interface OpenCall {
  /** Says which world it belongs to; all others need not wait for it any more. */
  assign(world: RunningWorld): void
  /** Does something at a stage; afterwards it is worked on. */
  at<T>(stage: ArrivalStage, run: () => Promise<T>): Promise<T>
  /** It is answered, or its connection is gone. */
  leave(): void
}

/**
 * A call has reached the server. Until it leaves, its world is not settled; while its world is unknown, none is.
 * @param world that the call says it is of; null when it does not say so yet
 */
export function arrive(
  worlds: Worlds,
  world: RunningWorld | null,
  facts: Pick<Arrival, 'operation' | 'method' | 'path'>,
): OpenCall {
  let keep = (): void => undefined
  const assigned = new Promise<void>((resolve) => {
    keep = resolve
  })
  const path = redactText(facts.path)
  const arrival: Arrival = { ...facts, path, stage: 'work', world, assigned }
  let among = world ? [world] : worlds.list()
  for (const each of among) each.answering.add(arrival)

  function move(to: RunningWorld[]): void {
    for (const each of among) each.answering.delete(arrival)
    for (const each of to) each.answering.add(arrival)
    among = to
    keep()
  }

  return {
    assign(known) {
      if (arrival.world === known) return
      const { world: former } = arrival
      arrival.world = known
      move([known])
      if (former) wakeWatchers(former)
    },
    async at(stage, run) {
      arrival.stage = stage
      try {
        return await run()
      } finally {
        arrival.stage = 'work'
      }
    },
    leave() {
      move([])
      if (arrival.world) wakeWatchers(arrival.world)
    },
  }
}
