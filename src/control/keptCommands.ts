// Owns which control routes change a world as a merchant's surroundings would, and what is kept of such a call.
import { stamp } from '../domain/world.ts'
import { redactBody } from '../world/redaction.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** What is kept of the body and of the answer of one route. */
interface Kept {
  /** Fields of the answer. */
  answer: readonly string[]
  /** Names of fields of the body that hide nothing, though they sound as if they did; none when left out. */
  open?: ReadonlySet<string>
  /** What is kept as the body, when it is another one than was sent. */
  body?: (answer: Fields) => unknown
  /** Whether it is kept where it is done, which other doors lead to, too. */
  inside?: true
  /** Further facts of the answer. */
  more?: (answer: Fields) => Fields
}
type Fields = Record<string, unknown>

/** The part of a body that is kept, in characters. */
const MAX_BODY_UNITS = 65_536

/** Names that hide nothing: what a fault does to a signature, and what a rule shows of cards. */
const OPEN_NAMES: ReadonlySet<string> = new Set(['signature', 'cardNumber', 'cardToken'])

/** Routes whose calls are kept. Asking, waiting, saving and what replaces the whole world are not among them. */
const ROWS = {
  'POST /clock/advance': { answer: ['from', 'to'] },
  'POST /clock/freeze': { answer: ['mode', 'now'] },
  'POST /clock/flow': { answer: ['mode', 'now'] },
  'POST /trigger': { answer: ['id', 'from', 'to'] },
  'POST /disputes': { answer: ['id', 'status'] },
  'POST /faults': { answer: ['id'], open: OPEN_NAMES },
  'POST /faults/{id}/release': { answer: ['released'] },
  'DELETE /faults': { answer: ['cleared', 'unused'] },
  'PUT /inboxes/{name}': { answer: [] },
  'POST /given': { answer: [], inside: true, more: ({ names }) => ({ names: idsOf(names as Fields) }) },
  'POST /rules': {
    answer: [],
    inside: true,
    open: OPEN_NAMES,
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
} satisfies Record<string, Kept>

/** Names of the routes whose calls are kept. */
export const KEPT_ROUTES = Object.keys(ROWS) as (keyof typeof ROWS)[]

const KEPT: Readonly<Record<string, Kept>> = ROWS

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
    const { body: bodyOf = () => body, more, open } = kept
    const named = kept.answer.map((field): [string, unknown] => [field, answer[field]])
    world.commands.add({
      order,
      at,
      route: name,
      params: redactBody(params) as Record<string, string>,
      query: redactBody(query) as Fields,
      body: redactBody(bodyOf(answer), null, MAX_BODY_UNITS, open),
      answer: { ...Object.fromEntries(named), ...more?.(answer) },
    })
  }
}

/** Rules as they are shown. */
function rulesKept({ items }: Fields): unknown {
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
