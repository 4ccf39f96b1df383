// Owns the control route that explains a record: its story as JSON, as text or as a Mermaid diagram.
import { z } from 'zod'
import { JOB_KINDS } from '../domain/jobs.ts'
import { timestamp } from '../domain/records.ts'
import { Misuse } from '../world/misuse.ts'
import { STORY_KINDS, storyOf } from '../world/story.ts'
import { storyStep } from '../world/storySteps.ts'
import { storyMermaid } from './explainMermaid.ts'
import { storyText } from './explainText.ts'
import { route } from './route.ts'
import type { JobKind } from '../domain/jobs.ts'

/** Forms in which a story is told. */
const STORY_FORMATS = ['json', 'text', 'mermaid'] as const

const story = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(STORY_KINDS),
    status: z.string(),
    about: z.array(z.uuid()).meta({ description: 'the record, and the disputes of a transaction' }),
    order: z.enum(['exact', 'byTime']).meta({
      description:
        '`byTime` after a restore or past the bounds of the history: steps of one instant may stand in another order than they happened in',
    }),
    steps: z.array(storyStep),
    waiting: z.array(
      z.strictObject({
        at: timestamp,
        job: z.enum(Object.keys(JOB_KINDS) as JobKind[]),
        subject: z.string(),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: 'Story' })

const explain = route({
  id: 'explain',
  method: 'GET',
  path: '/explain/{id}',
  tag: 'Watching',
  summary:
    'Tells what happened to a transaction, cashout, dispute or customer, or to what a delivery is about, in order, and what waits for time; `format` answers it as plain text or as a Mermaid sequence diagram',
  params: z.object({ id: z.string() }),
  query: z.object({ format: z.enum(STORY_FORMATS).default('json') }),
  answer: story,
  answerTexts: ['text/plain'],
  handle({ world, params: { id }, query: { format }, c }) {
    const found = storyOf(world, id)
    if (!found) {
      throw new Misuse(
        'sandbox_not_found',
        `No transaction, cashout, dispute, customer or delivery ${id} in world '${world.id}'; GET /_sandbox/transactions and the like list them.`,
      )
    }
    if (format === 'json') return found
    return c.text(format === 'text' ? storyText(found) : storyMermaid(found))
  },
})

/** Control routes that explain. */
export const EXPLAIN_ROUTES = [explain]
