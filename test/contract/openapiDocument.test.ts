// Owns the proof that the neutral builder can describe any table of operations, and refuses what cannot be described.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { failureAnswers, openApiDocument } from '../../src/contract/openapiDocument.ts'
import { lintOpenApi, LINT_TIMEOUT_MS } from '../support/openapiLint.ts'
import type { DocumentSpec, OperationSpec } from '../../src/contract/openapiDocument.ts'

const NONE = z.object({})
const lamp = z.strictObject({ name: z.string(), lit: z.boolean().default(false) }).meta({ id: 'Lamp' })

const putLamp: OperationSpec = {
  id: 'putLamp',
  method: 'PUT',
  path: '/lamps/{name}',
  tag: 'Lamps',
  summary: 'Hangs a lamp',
  description: 'Text.',
  security: ['key'],
  params: z.object({ name: z.string() }),
  query: z.object({ wait: z.coerce.number().pipe(z.int().max(5)).optional() }),
  body: {
    schema: z.object({ lit: z.boolean() }),
    contentTypes: ['application/json', 'application/yaml'],
    required: false,
  },
  answers: [
    { status: 200, description: 'Hung.', schema: lamp },
    ...failureAnswers(
      [
        { code: 'lamp_broken', status: 409, when: 'it fell' },
        { code: 'lamp_gone', status: 404, when: 'it was stolen' },
        { code: 'lamp_taken', status: 409, when: 'another one hangs there' },
      ],
      (status) => (status === 409 ? ['X-Advice'] : []),
    ),
  ],
}
const removeLamp: OperationSpec = {
  ...putLamp,
  id: 'removeLamp',
  method: 'DELETE',
  query: NONE,
  body: null,
  answers: [{ status: 204, description: 'Gone.', schema: null }, ...putLamp.answers.slice(1)],
}

function specOf(operations: readonly OperationSpec[]): DocumentSpec {
  return {
    info: { title: 'Lamps', version: '1', description: 'Text.', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'http://127.0.0.1:1' }],
    tags: [{ name: 'Lamps', description: 'Text.' }],
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    headers: {
      'X-Advice': { description: 'Text.', schema: z.string(), required: true },
      'X-Unused': { description: 'Text.', schema: z.string(), required: true },
    },
    operations,
  }
}

describe('a document of another table', () => {
  const document = openApiDocument(specOf([putLamp, removeLamp]))
  const { put, delete: remove } = document.paths['/lamps/{name}'] ?? {}

  test(
    'passes the same linter without a warning',
    async () => {
      expect(await lintOpenApi(document)).toEqual([])
    },
    LINT_TIMEOUT_MS,
  )

  test('has plain answers, every media type of a body, and what coerced text must be', () => {
    expect(put?.responses['200']?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Lamp' } },
    })
    expect(Object.keys(put?.requestBody?.content ?? {})).toEqual(['application/json', 'application/yaml'])
    expect(put?.requestBody?.required).toBe(false)
    expect(put?.parameters?.at(-1)).toEqual({
      name: 'wait',
      in: 'query',
      required: false,
      schema: { type: 'integer', maximum: 5 },
    })
    expect(document.components.schemas.Lamp).toMatchObject({ required: ['name', 'lit'] })
  })

  test('has an answer without a body, and no request body where none is read', () => {
    expect(remove?.responses['204']).toEqual({ description: 'Gone.' })
    expect(remove).not.toHaveProperty('requestBody')
  })

  test('groups refusals by status, with exactly their codes and their own headers', () => {
    expect(Object.keys(put?.responses ?? {})).toEqual(['200', '404', '409'])
    expect(put?.responses['409']).toMatchObject({
      description: '- `lamp_broken`: it fell\n- `lamp_taken`: another one hangs there',
      headers: { 'X-Advice': { $ref: '#/components/headers/X-Advice' } },
    })
    expect(put?.responses['409']?.content?.['application/json']?.schema).toHaveProperty(
      'properties.error.properties.code.enum',
      ['lamp_broken', 'lamp_taken'],
    )
    expect(put?.responses['404']).not.toHaveProperty('headers')
  })

  test('leaves out headers that no answer has', () => {
    expect(Object.keys(document.components.headers)).toEqual(['X-Advice'])
  })
})

describe('the builder refuses', () => {
  interface Chain {
    next: Chain | null
  }
  const chain: z.ZodType<Chain> = z.object({ next: z.lazy(() => chain.nullable()) })
  const answering = (schema: z.ZodType): OperationSpec => ({
    ...putLamp,
    answers: [{ status: 200, description: 'Text.', schema }],
  })

  test.each([
    [
      'two operations at one place',
      [putLamp, { ...putLamp, id: 'again' }],
      'two operations have PUT /lamps/{name}',
    ],
    [
      'one schema id for what is sent and what is answered, when they differ',
      [{ ...putLamp, body: { schema: lamp, contentTypes: ['application/json'], required: true } }],
      "the schema 'Lamp' has two shapes",
    ],
    ['a recursive schema without an id', [answering(chain)], 'needs an id'],
    ['a recursive schema without an id inside another', [answering(z.object({ chain }))], 'needs an id'],
    [
      'a header that is in no table',
      [{ ...putLamp, answers: [{ status: 200, description: 'Text.', schema: null, headers: ['X-Odd'] }] }],
      'an unknown header: X-Odd',
    ],
  ] satisfies [string, OperationSpec[], string][])('%s', (_what, operations, message) => {
    expect(() => openApiDocument(specOf(operations))).toThrow(message)
  })
})
