// Owns the control routes of knobs: what a world answers where the contract is silent.
import { z } from 'zod'
import { silence, SILENCE_IDS } from '../contract/silences.ts'
import { checkOverrides } from '../world/choices.ts'
import { listAnswer } from './lists.ts'
import { route } from './route.ts'
import type { SilenceId } from '../contract/silences.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Knobs'

const silenceOut = z
  .strictObject({
    id: z.string(),
    topic: z.string(),
    section: z.string(),
    choice: z.unknown().meta({ description: 'what this world answers' }),
    default: z.unknown(),
    alternatives: z.string().nullable().meta({ description: 'null when the row is fixed' }),
    authority: z.string(),
    timesUsed: z.int(),
  })
  .meta({ id: 'Silence' })

function silenceView({ choices }: RunningWorld, id: SilenceId): z.input<typeof silenceOut> {
  const { topic, section, choice, alternatives, authority } = silence(id)
  const chosen = choices.overrides()[id] ?? choice
  const timesUsed = choices.timesUsed(id)
  return { id, topic, section, choice: chosen, default: choice, alternatives, authority, timesUsed }
}

const listSilences = route({
  id: 'listSilences',
  method: 'GET',
  path: '/silences',
  tag,
  summary: 'Lists every point that the contract leaves open, with what this world answers',
  answer: listAnswer(silenceOut),
  handle: ({ world }) => ({
    items: SILENCE_IDS.map((id) => silenceView(world, id)),
    total: SILENCE_IDS.length,
    next: null,
  }),
})

const patchSilences = route({
  id: 'chooseSilences',
  method: 'PATCH',
  path: '/silences',
  tag,
  summary: 'Chooses what this world answers, by id; null goes back to the default',
  body: z.record(z.string(), z.unknown()),
  answer: listAnswer(silenceOut),
  handle({ world, body }) {
    world.choices.replace(checkOverrides(world.choices.overrides(), body))
    world.tell('setup', { changed: 'silences' })
    const ids = SILENCE_IDS.filter((id) => Object.hasOwn(body, id))
    return { items: ids.map((id) => silenceView(world, id)), total: ids.length, next: null }
  },
})

/** Control routes of knobs. */
export const SILENCE_ROUTES = [listSilences, patchSilences]
