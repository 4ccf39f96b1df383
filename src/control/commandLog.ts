// Owns which control routes change a world as a merchant's surroundings would, and what is kept of such a call.
import { stamp } from '../domain/world.ts'
import { redactBody } from '../world/redaction.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** What is kept of the body and of the answer of one route. */
interface Kept {
  /** Fields of the answer. */
  answer: readonly string[]
  /** The body without secrets; where they are hidden by the names of fields when left out. */
  body?: (body: unknown, answer: Fields) => unknown
  /** Whether it is kept where it is done, which other doors lead to, too. */
  inside?: true
  /** Further facts of the answer. */
  more?: (answer: Fields) => Fields
}
type Fields = Record<string, unknown>

/** The part of a body that is kept, in characters. */
const MAX_BODY_UNITS = 65_536

/** Closed words and numbers only: names such as `signature` hide nothing here. */
const asSent = (body: unknown): unknown => body

/** Routes whose calls are kept. Asking, waiting, saving and what replaces the whole world are not among them. */
const KEPT: Readonly<Record<string, Kept>> = {
  'POST /clock/advance': { answer: ['from', 'to'] },
  'POST /clock/freeze': { answer: ['mode', 'now'] },
  'POST /clock/flow': { answer: ['mode', 'now'] },
  'POST /trigger': { answer: ['id', 'from', 'to'] },
  'POST /disputes': { answer: ['id', 'status'] },
  'POST /faults': { answer: ['id'], body: asSent },
  'POST /faults/{id}/release': { answer: ['released'] },
  'DELETE /faults': { answer: ['cleared', 'unused'] },
  'PUT /inboxes/{name}': { answer: [] },
  'POST /given': { answer: [], inside: true, more: ({ names }) => ({ names: idsOf(names as Fields) }) },
  'POST /rules': {
    answer: [],
    inside: true,
    body: rulesKept,
    more: ({ items }) => ({ ids: fieldOfEach(items, 'id') }),
  },
  'DELETE /rules': { answer: ['cleared'] },
  'PATCH /balance': { answer: [] },
  'POST /organizations': { answer: ['id', 'splitCode'] },
  'PATCH /organizations/{id}': { answer: [] },
  'POST /credentials': { answer: ['publicKey'] },
  'PATCH /credentials/{publicKey}': { answer: [] },
  'PATCH /silences': { answer: [] },
  'POST /deliveries/hold': { answer: ['fault'] },
  'POST /deliveries/release': {
    answer: [],
    more: ({ released }) => ({ released: fieldOfEach(released, 'id') }),
  },
  'POST /deliveries/{id}/resend': { answer: [] },
  'POST /deliveries/{id}/duplicate': { answer: [] },
}

/** Names of the routes whose calls are kept. */
export const KEPT_ROUTES: readonly string[] = Object.keys(KEPT)

/** Whether a call of a route is kept by whoever answers it. */
export function isKeptOutside(name: string): boolean {
  return Object.hasOwn(KEPT, name) && KEPT[name]?.inside !== true
}

/** What a call of a route carries. */
interface Carried {
  params?: unknown
  query?: unknown
  body?: unknown
}

/**
 * Marks where a command begins; nothing for a route that is not kept.
 * @param name method and path of the route
 * @returns what keeps it once it has succeeded, with its answer
 */
export function beginCommand(
  world: RunningWorld,
  name: string,
  { params = {}, query = {}, body = null }: Carried,
): (answer: unknown) => void {
  const kept = Object.hasOwn(KEPT, name) ? KEPT[name] : undefined
  if (!kept) return () => undefined
  const { life } = world
  const { n: order } = world.history.moment(world)
  const at = stamp(world)
  return (answered) => {
    if (world.life !== life || answered instanceof Response) return
    const answer = answered as Fields
    const { body: clean = (sent: unknown) => redactBody(sent, null, MAX_BODY_UNITS), more } = kept
    const named = kept.answer.map((field): [string, unknown] => [field, answer[field]])
    world.commands.add({
      order,
      at,
      route: name,
      params: params as Record<string, string>,
      query: query as Fields,
      body: clean(body, answer),
      answer: { ...Object.fromEntries(named), ...more?.(answer) },
    })
  }
}

/** Rules as they are kept: whole card numbers only as digests. */
function rulesKept(_: unknown, { items }: Fields): unknown {
  const rules = (items as Fields[]).map(({ when, do: action, times, probability }) => ({
    when,
    do: action,
    ...(times === null ? {} : { times }),
    ...(probability === null ? {} : { probability }),
  }))
  return { rules }
}

/** Ids by name; of credentials their public keys. */
function idsOf(names: Fields): Fields {
  const ids = Object.entries(names).map(([name, record]) => {
    const { id, publicKey } = record as { id?: string; publicKey?: string }
    return [name, id ?? publicKey] as const
  })
  return Object.fromEntries(ids)
}

function fieldOfEach(items: unknown, field: string): unknown[] {
  return (items as Fields[]).map((item) => item[field])
}
