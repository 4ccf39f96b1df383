// Owns the story of a world as a failed scenario tells it: time, calls, transitions and webhooks, in their order.
import { worldLine } from './storyLine.ts'
import type { SandboxWorld } from '../client/world.ts'

/** Lines that are told: the latest ones. */
const MAX_LINES = 100

/** Listens to a world. */
export interface StoryLog {
  /**
   * What happened in the world until its end, one line for each thing, under the instant at which it happened.
   * Resolves once the world has ended.
   */
  lines(): Promise<string[]>
}

/** Begins to listen to a world. */
export function listenTo(world: SandboxWorld): StoryLog {
  const told: { at: string; text: string }[] = []
  let count = 0
  const listen = async (): Promise<void> => {
    for await (const event of world.events()) {
      told.push({ at: event.at, text: worldLine(event) })
      count += 1
      if (told.length > MAX_LINES) told.shift()
    }
  }
  // A server that went away ends the story; why the scenario failed is told elsewhere.
  const heard = listen().catch(() => undefined)
  return {
    async lines() {
      await heard
      const left = count - told.length
      const lines = told.flatMap(({ at, text }, index) =>
        index > 0 && told[index - 1]?.at === at ? [`  ${text}`] : [at, `  ${text}`],
      )
      return [...(left > 0 ? [`... ${left} earlier lines`] : []), ...lines]
    },
  }
}
