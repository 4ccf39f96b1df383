// Owns the nearest accepted form of a refused call: its fields put right by the schema and by the rules of its world.
import { ENDPOINTS } from '../contract/endpoints.ts'
import { recordOf } from '../domain/state.ts'
import { withoutCounting } from '../world/choices.ts'
import { fit, fits } from './input.ts'
import { acceptableCode, isRecord, nearestFields, ownFields, placeholderOf } from './nearest.ts'
import { keepRules } from './nearestRules.ts'
import type { z } from 'zod'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { World } from '../domain/world.ts'
import type { Exchange } from '../world/exchanges.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { InputOptions } from './input.ts'
import type { Fields } from './nearest.ts'
import type { FormContext } from './nearestRules.ts'

/** What a call would have to send instead. */
export interface AcceptedForm {
  body?: Fields
  query?: Record<string, string>
}

/**
 * The nearest form of a refused call that passes the checks of what is sent, as the world and its clock are now; null
 * when the form was not what was refused, or none is found. It is made of what the log kept, so secrets and card data
 * are placeholders such as `<number>`: with them it is only the shape of what would be accepted.
 */
export function acceptedForm(world: RunningWorld, exchange: Exchange): AcceptedForm | null {
  const row = (ENDPOINTS as readonly EndpointRow[]).find(({ id }) => id === exchange.operation)
  if (!row || !acceptableCode(exchange.code)) return null
  // Explaining a call is no use of a silence.
  const quiet = withoutCounting(world)
  const credential = recordOf(world.state.credentials, exchange.publicKey ?? '')
  const about = { world: quiet, row, scope: credential, subject: exchange.subject }
  const query = nearestPart(about, row.query, exchange.query, {})
  if (!query) return null
  const texts = Object.entries(query.form).map(([name, value]) => [name, String(value)] as const)
  const queryPart = texts.length === 0 ? {} : { query: Object.fromEntries(texts) }
  if (row.body === null) return query.changed ? queryPart : null
  const sent = sentBody(exchange)
  const names = row.id === 'createTransaction' ? quiet.choices.get('TX-01') : {}
  const body = sent && nearestPart(about, row.body, sent, names)
  return body && (body.changed || query.changed) ? { body: body.form, ...queryPart } : null
}

/** The body as it was kept; null when only its start was. */
function sentBody({ request: { body }, misspelt }: Exchange): Fields | null {
  const kept = isRecord(body) ? body : {}
  return typeof kept['cut'] === 'string' && Object.keys(kept).length === 1 ? null : { ...kept, ...misspelt }
}

/** Body or query put right, under the caller's names, and whether that changed anything that is known. */
function nearestPart(
  about: FormContext,
  schema: z.ZodObject,
  sent: Fields,
  names: Record<string, string>,
): { form: Fields; changed: boolean } | null {
  const before = shown(ownFields(schema, sent, names, false))
  const fitted = nearestFields(schema, shown(ownFields(schema, sent, names, true)))
  const kept = fitted && keepRules(about, schema, fitted)
  if (!kept) return null
  const ours = Object.keys(schema.shape).filter((name) => kept[name] !== undefined)
  const form = Object.fromEntries(ours.map((name) => [names[name] ?? name, kept[name]]))
  if (!fits(fit(schema, form, optionsOf(about.world, names)))) return null
  const inOrder = (fields: Fields): string => JSON.stringify(Object.entries(fields).toSorted(byName))
  return { form, changed: inOrder(before) !== inOrder(kept) }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Fields with a placeholder wherever a value was hidden. */
function shown(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === '[hidden]' ? placeholderOf(name) : value]),
  )
}

function optionsOf({ choices }: World, names: Record<string, string>): InputOptions {
  return { names, anyCase: () => choices.get('TX-05') === 'any', tooLong: () => 'validation_error' }
}
