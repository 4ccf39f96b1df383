// Owns the JSON Schema of scenario files, generated from the format itself, for editors and checks elsewhere.
import { z } from 'zod'
import { scenarioFormat } from './format.ts'

/** The JSON Schema of a scenario file, as plain JSON. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFormat, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    // A reference such as $shop.url stands wherever an address or an id can.
    override({ jsonSchema }) {
      delete jsonSchema.format
    },
  })
  return {
    $schema,
    title: 'gateway-sandbox scenario',
    description: 'A payment story: what is there, what happens step by step, and what must then be so.',
    ...schema,
  }
}

/** The same as text on one line, for the file that the package ships. */
export function scenarioSchemaText(): string {
  return `${JSON.stringify(scenarioJsonSchema())}\n`
}
