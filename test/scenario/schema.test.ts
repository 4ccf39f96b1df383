// Checks the JSON Schema of scenario files: it takes the library, and refuses what the reader refuses.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { scenarioJsonSchema, scenarioSchemaText } from '../../src/scenario/jsonSchema.ts'

const FOLDER = new URL('../../scenarios/', import.meta.url)
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
)
const schema = z.fromJSONSchema(scenarioJsonSchema())

test.each(FILES)('takes %s', (file) => {
  const found = schema.safeParse(parse(readFileSync(new URL(file, FOLDER), 'utf8')))
  expect(found.success ? '' : z.prettifyError(found.error)).toBe('')
})

test.each([
  ['no name', { steps: [] }],
  ['a strange field', { name: 'x', stps: [] }],
  ['a strange verb', { name: 'x', steps: [{ cal: 'getBalance' }] }],
  ['a strange operation', { name: 'x', steps: [{ call: 'getBalnce' }] }],
  ['a strange status', { name: 'x', steps: [{ expect: { transaction: 'y', status: 'Complted' } }] }],
  ['a strange verb inside a repeat', { name: 'x', steps: [{ repeat: { times: 2, steps: [{ cal: 'x' }] } }] }],
])('refuses %s', (_, value) => {
  expect(schema.safeParse(value).success).toBe(false)
})

test('is JSON as text', () => {
  expect(JSON.parse(scenarioSchemaText())).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema())))
})
