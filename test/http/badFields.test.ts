// Tests of wrong fields, generated from the schemas: every field of every body with every type that it has not.
import { z } from 'zod'
import { beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../src/kernel/assert.ts'
import { createPix } from '../support/sandbox.ts'
import { control, NO_ID, refusedAs, refusedCall, ROWS, shared } from './calls.ts'
import type { EndpointRow } from '../../src/contract/endpoint.ts'

type Fields = Record<string, unknown>

/** What of JSON Schema the table of bodies uses. */
interface Property {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Property[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: Property
  properties?: Record<string, Property>
  required?: string[]
  $ref?: string
  $defs?: Record<string, Property>
}

/** A body that fits, for each endpoint that reads one as JSON. */
const GOOD: Record<string, Fields> = {
  createToken: { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' },
  createTransaction: { method: 'Pix', amount: 100 },
  simulateTransaction: { action: 'complete' },
  createCustomer: { name: 'Ana', email: 'ana@example.com' },
  updateCustomer: { name: 'Ana' },
  tokenizeCard: {
    cardNumber: '4111111111111111',
    cardHolderName: 'ANA SOUZA',
    cardExpirationMonth: '12',
    cardExpirationYear: '2031',
    cardCvv: '123',
  },
  createCashout: { amount: 1_000, pixKeyType: 'CPF', pixKey: '12345678909' },
  simulateCashout: { action: 'complete' },
  respondToDispute: { text: 'Entregue.' },
}

/** The texts of 1 to 10 characters that no list of values holds. */
const STRANGE_TEXTS = ['Unknown', '', ' ', '__proto__', 'constructor', 'toString', 'null', '\u0000']

/** One value of each type that JSON has, and some that look like another. */
const VALUES: [type: string, value: unknown][] = [
  ['string', '1'],
  ['string', 'true'],
  ['integer', 1],
  ['number', 1.5],
  ['boolean', true],
  ['boolean', false],
  ['object', {}],
  ['object', { length: 1, toString: 'x' }],
  ['array', []],
  ['array', ['x']],
  ['array', [null]],
  ['array', [[]]],
]

const readsJson = ({ body, bodyType }: EndpointRow): boolean => body !== null && bodyType === 'json'

function schemaOf(row: EndpointRow): Property {
  const made = z.toJSONSchema(row.body ?? z.object({}), { io: 'input' }) as Property
  return made.$defs?.[made.$ref?.split('/').at(-1) ?? ''] ?? made
}

/** The types that a property may have. */
function typesOf({ type, anyOf, enum: listed, const: only }: Property): string[] {
  if (anyOf) return anyOf.flatMap(typesOf)
  if (type !== undefined) return type === 'number' ? ['number', 'integer'] : [type]
  return [...(listed ?? []), only].flatMap((value) => (value === undefined ? [] : [typeof value]))
}

/** Values that do not fit a property, each with what is wrong about it. */
function wrongValues(property: Property): [what: string, value: unknown][] {
  const types = typesOf(property)
  const { minimum, maximum, minLength, maxLength, items } = property
  const listed = property.enum ?? property.anyOf?.every((each) => each.enum)
  const wrong = VALUES.filter(([type]) => !types.includes(type)).map(([type, value]): [string, unknown] => [
    `the ${type} ${JSON.stringify(value)}`,
    value,
  ])
  if (listed) wrong.push(...STRANGE_TEXTS.map((text): [string, unknown] => [JSON.stringify(text), text]))
  if (minimum !== undefined) wrong.push([`${minimum - 1}, one too few`, minimum - 1])
  if (maximum !== undefined) wrong.push([`${maximum + 1}, one too many`, maximum + 1])
  if (maxLength !== undefined) wrong.push([`${maxLength + 1} characters`, 'x'.repeat(maxLength + 1)])
  if (minLength === 1) wrong.push(['no characters', ''])
  if (items) {
    wrong.push(
      ...VALUES.filter(([type]) => type !== items.type).map(([, value]): [string, unknown] => [
        `a list of ${JSON.stringify(value)}`,
        [value],
      ]),
    )
  }
  return wrong
}

/** A value that fits a property of an item of a list. */
function fitting({ type, enum: listed }: Property): unknown {
  if (listed) return listed[0]
  return type === 'string' ? 'x' : 1
}

interface Case {
  id: string
  field: string
  what: string
  body: Fields
}

function casesOf(row: EndpointRow): Case[] {
  const { properties = {}, required = [] } = schemaOf(row)
  const good = GOOD[row.id] ?? {}
  const { id } = row
  const wrong = Object.entries(properties).flatMap(([field, property]) => [
    ...wrongValues(property).map(([what, value]) => ({ id, field, what, body: { ...good, [field]: value } })),
    ...wrongItems(property).map(([what, value]) => ({
      id,
      field,
      what,
      body: { ...good, [field]: [value] },
    })),
  ])
  const missing = required.flatMap((field) => [
    { id, field, what: 'nothing', body: { ...good, [field]: undefined } },
    { id, field, what: 'null', body: { ...good, [field]: null } },
  ])
  return [...wrong, ...missing]
}

/** Items of a list, each with one wrong or missing field. */
function wrongItems({ items }: Property): [what: string, value: unknown][] {
  const { properties = {}, required = [] } = items ?? {}
  const good = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fitting(each)]))
  return [
    ...Object.entries(properties).flatMap(([name, property]) =>
      wrongValues(property).map(([what, value]): [string, unknown] => [
        `an item whose ${name} is ${what}`,
        { ...good, [name]: value },
      ]),
    ),
    ...required.map((name): [string, unknown] => [`an item without ${name}`, { ...good, [name]: undefined }]),
  ]
}

const rows = ROWS.filter(readsJson)
const cases = rows.flatMap(casesOf)

describe('every field of every body', () => {
  const sandbox = shared()
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    await control(sandbox, 'PATCH', '/balance', { fund: 1_000_000 })
    const paid = (await createPix(sandbox)).id
    await control(sandbox, 'POST', '/trigger', { on: paid, do: 'confirm' })
    const customer = await sandbox.call('POST', '/v1/customers', GOOD['createCustomer'])
    const cashout = await sandbox.call('POST', '/v1/cashouts', GOOD['createCashout'])
    Object.assign(ids, {
      transaction: (await createPix(sandbox)).id,
      customer: customer.body.data.id,
      cashout: cashout.body.data.id,
      dispute: (await control(sandbox, 'POST', '/disputes', { paymentId: paid })).id,
    })
  })

  function urlOf({ path, record }: EndpointRow): string {
    return path.replace(/\{\w+\}/, ids[record ?? ''] ?? NO_ID)
  }

  test('is in the table: each endpoint that reads JSON has a good body here', () => {
    expect(Object.keys(GOOD).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    expect(cases.length).toBeGreaterThan(400)
  })

  test.each(cases)('of $id is checked: $field must not be $what', async ({ id, field, body }) => {
    const row = present(
      rows.find((each) => each.id === id),
      id,
    )
    const { refused, message } = await refusedCall(sandbox, row.method, urlOf(row), body)
    const value = body[field]
    const code = field === 'amount' && Number.isInteger(value) ? 'invalid_amount' : 'validation_error'
    expect(refused).toEqual(refusedAs(`400 ${code}`))
    expect(message).toContain(`'${field}`)
  })

  test.each(rows)('of $id was checked against a body that does fit', async (row) => {
    const body = GOOD[row.id]
    const answered = await sandbox.call(row.method, urlOf(row), body)
    expect(answered.status, JSON.stringify(answered.body)).toBeLessThan(300)
  })
})
