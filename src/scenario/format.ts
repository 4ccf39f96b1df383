// Owns the format of a scenario file: what it is headed by, what it is given, its steps and its rules.
import { z } from 'zod'
import { parseClockStart } from '../world/clockStart.ts'
import { given } from '../world/givenShapes.ts'
import { checkSeed } from '../world/hostOptions.ts'
import { whyRefused } from '../world/misuse.ts'
import { ruleOrder } from '../world/ruleShapes.ts'
import { anyStep } from './stepFormat.ts'
import { anyFields, only } from './words.ts'

/** What a file is headed by. Steps and rules are still unchecked. */
export interface Head {
  name: string
  clock?: string | undefined
  seed?: string | undefined
  /** Choices by silence id. */
  silences?: Record<string, unknown> | undefined
  given?: Record<string, unknown> | undefined
  steps?: unknown[] | null | undefined
  rules?: unknown[] | null | undefined
}

/** Notes down why a text is refused by what reads it. */
function refusedBy(read: (text: string) => unknown) {
  return ({ value, issues }: z.core.ParsePayload<string>): void => {
    const message = whyRefused(() => read(value))
    if (message !== null) issues.push({ code: 'custom', message, input: value })
  }
}

const HEAD = {
  $schema: z.string().optional().meta({ description: 'for editors, where the file is JSON' }),
  name: z
    .string({ error: 'is needed: a file begins with the name of its story' })
    .min(1)
    .meta({ description: 'the story in a few words' }),
  clock: z
    .string({ error: 'must be a text such as 2030-01-01T12:00:00Z' })
    .check(refusedBy(parseClockStart))
    .optional()
    .meta({
      description: 'frozen, flowing, an instant (frozen there) or flowing@instant; frozen when left out',
    }),
  seed: z
    .string()
    .check(refusedBy(checkSeed))
    .optional()
    .meta({ description: 'seed of chance; drawn when left out' }),
  silences: anyFields.optional().meta({ description: 'choices by silence id' }),
  given: given.optional(),
}

/** The whole file. */
export const scenarioFormat: z.ZodType = only('a scenario', {
  ...HEAD,
  steps: z.array(anyStep).optional().meta({ description: 'what happens, one verb a step' }),
  rules: z.array(ruleOrder).optional().meta({ description: 'what the server does by itself' }),
})

/** What a file is headed by. Its steps and rules are checked one by one, so that errors are about one of them. */
export const headFormat: z.ZodType<Head> = only('a scenario', {
  ...HEAD,
  steps: z.array(z.unknown(), { error: 'must be a list of steps' }).nullish(),
  rules: z.array(z.unknown(), { error: 'must be a list of rules' }).nullish(),
})
