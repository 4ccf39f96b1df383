// Owns the control route that plays a scenario.
import { z } from 'zod'
import { MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { Misuse } from '../world/misuse.ts'
import { asksForStream, streamPlay } from './playStream.ts'
import { route } from './route.ts'
import { scenarioResult, textProblem } from './scenarioShapes.ts'
import type { Millis } from '../kernel/brands.ts'

/** Longest pause between two steps, in host milliseconds. */
const MAX_PAUSE = 10_000

const scenarioText = z
  .union([
    z.string().meta({ description: 'a scenario in YAML or JSON' }),
    z.record(z.string(), z.unknown()).meta({ description: 'a scenario, as scenario.schema.json has it' }),
  ])
  .transform((sent) => (typeof sent === 'string' ? sent : JSON.stringify(sent)))

const playScenario = route({
  id: 'playScenario',
  method: 'POST',
  path: '/scenarios',
  scope: 'server',
  tag: 'Scenarios',
  summary:
    'Plays a scenario in a fresh world, which ends with it, and answers how it went: also a check that failed is an answer. With `Accept: text/event-stream` it is told while it plays: `begun`, `step` for each one, `ended`',
  query: z.object({
    file: z
      .string()
      .max(MAX_SHORT_TEXT_UNITS)
      .default('scenario')
      .meta({ description: 'what messages call the text' }),
    pauseMs: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_PAUSE)
      .default(0)
      .meta({ description: 'host milliseconds between two steps of a stream, to watch them' }),
  }),
  body: scenarioText,
  textTypes: ['application/yaml', 'text/yaml', 'text/plain', 'application/json'],
  answer: scenarioResult,
  answerTexts: ['text/event-stream'],
  failure: {
    status: 400,
    description:
      '- `sandbox_bad_scenario`: the text is no scenario; `problems` has all that is wrong.\n- `sandbox_bad_request`: the query or the bytes of the body are wrong.',
    schema: z.strictObject({
      data: z.null(),
      message: z.null(),
      error: z.strictObject({
        message: z.string(),
        code: z.enum(['sandbox_bad_scenario', 'sandbox_bad_request']),
        problems: z.array(textProblem).optional(),
      }),
    }),
  },
  errors: ['sandbox_bad_scenario', 'sandbox_too_many_plays', 'sandbox_too_many_worlds'],
  async handle({ server, query: { file, pauseMs }, body, c }) {
    const { signal } = c.req.raw
    try {
      if (!asksForStream(c)) return await server.playScenario(body, { file, signal })
      return await streamPlay(
        { signal, pauseMs: pauseMs as Millis, report: server.worlds.host.report },
        (following) => server.playScenario(body, { file, ...following }),
      )
    } catch (error) {
      throw error instanceof Misuse && isForm(c.req.header('Content-Type')) ? withAdvice(error) : error
    }
  },
})

/** Whether a body says that it is a form: what curl sends with -d, which takes the line ends away, and with -F. */
function isForm(type = ''): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(type)
}

/** A refusal of a form, with how a file is sent. */
function withAdvice(refused: Misuse): Misuse {
  const { code, message, headers, problems } = refused
  if (code !== 'sandbox_bad_scenario') return refused
  const advice = `This came as a form; send it with --data-binary @FILE and -H 'Content-Type: application/yaml'.`
  return new Misuse(code, `${advice}\n${message}`, headers, problems)
}

/** Control routes of scenarios. */
export const SCENARIO_ROUTES = [playScenario]
