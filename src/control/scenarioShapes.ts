// Owns the shape of how a scenario went, and of what plays one for the control API.
import { z } from 'zod'

const place = { line: z.int().min(1), column: z.int().min(1) }

const stepResult = z
  .strictObject({
    step: z
      .string()
      .meta({ description: 'its number, such as 3, or 4.2 for the second one inside a repeat' }),
    line: place.line,
    verb: z.string(),
    says: z.string().meta({ description: 'the step in a few words' }),
    passed: z.boolean(),
  })
  .meta({ id: 'StepResult' })

const scenarioFailure = z
  .strictObject({
    step: z.string().nullable().meta({ description: 'number of the step; null before the first one' }),
    says: z.string(),
    ...place,
    message: z.string(),
    expected: z.unknown(),
    actual: z.unknown(),
    diff: z.string().meta({
      description: 'lines that begin with - are expected, with + found, and with a blank equal',
    }),
  })
  .meta({ id: 'ScenarioFailure' })

/** How a scenario went. */
export const scenarioResult = z
  .strictObject({
    name: z.string(),
    file: z.string(),
    passed: z.boolean(),
    steps: z.array(stepResult),
    failure: scenarioFailure.nullable(),
    story: z.array(z.string()).meta({
      description: 'what happened in the world, one line for each thing; empty when the scenario passed',
    }),
    tookMs: z.number().meta({ description: 'host milliseconds' }),
  })
  .meta({ id: 'ScenarioResult' })

/** One thing that is wrong in a text. */
export const textProblem = z.strictObject({ ...place, message: z.string() }).meta({ id: 'TextProblem' })

/** Follows a play while it runs. */
export interface PlayWatcher {
  /** Its world is there, and the first step is next. */
  begun(play: { name: string; world: string }): void
  /** A step has ended; the next one begins once this resolves. `stop` is aborted when the play is to end before. */
  stepped(step: z.input<typeof stepResult>, stop?: AbortSignal): Promise<void>
}

/**
 * Plays a text in a fresh world. A check that fails is an answer.
 * @throws {Misuse} `sandbox_bad_scenario` with every problem of a text that is none, `sandbox_too_many_plays`
 */
export type ScenarioPlayer = (
  text: string,
  options: {
    /** What messages call the text. */
    file: string
    /** Stops the play. */
    signal: AbortSignal
    watcher?: PlayWatcher
  },
) => Promise<z.input<typeof scenarioResult>>
