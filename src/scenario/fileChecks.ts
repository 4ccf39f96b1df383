// Owns what can be known of a file before it is played, besides its shape: choices, rules, key pairs, ids and names.
import { checkRule } from '../control/ruleRoutes.ts'
import { checkOverrides } from '../world/choices.ts'
import { whyRefused } from '../world/misuse.ts'
import { bodyTypos, rowOf } from './fieldTypos.ts'
import { WORLD_NAME } from './references.ts'
import { strange } from './words.ts'
import type { RuleOrder } from '../world/ruleShapes.ts'
import type { Dangling, Names } from './references.ts'

type Fields = Record<string, unknown>

/** Fields of what is given that name another entry. */
const REFERRING: ReadonlySet<string> = new Set(['organization', 'customerId', 'transaction'])
/** Who a call can be by, besides given credentials. */
const CALLERS = ['merchant', 'production', 'receiver', 'nobody'] as const

/** Choices that no world takes. A choice that a reference stands for is not known yet. */
export function strangeChoices(silences: Readonly<Fields>, path: readonly PropertyKey[]): Dangling[] {
  return Object.entries(silences).flatMap(([id, choice]) => {
    if (textsIn(choice).some((text) => text.startsWith('$'))) return []
    const message = whyRefused(() => checkOverrides({}, { [id]: choice }))
    return message === null ? [] : [{ path: [...path, id], message }]
  })
}

/** What contradicts itself in a rule. */
export function impossibleRule(order: RuleOrder): Dangling[] {
  const message = whyRefused(() => checkRule(order))
  if (message === null) return []
  const [, named] = /^((?:when|do)(?:\.\w+)*): /.exec(message) ?? []
  return [{ path: named?.split('.') ?? [], message }]
}

/** Names in what is given that nothing given has. */
export function strangeGiven(given: Readonly<Fields>, known: readonly string[]): Dangling[] {
  return Object.entries(given).flatMap(([kind, entries]) =>
    (Array.isArray(entries) ? (entries as Fields[]) : []).flatMap((entry, index) =>
      Object.entries(entry).flatMap(([field, value]) => {
        const [, name] = REFERRING.has(field) ? (/^\$(\w+)(?:\.id)?$/.exec(String(value)) ?? []) : []
        if (name === undefined || known.includes(name)) return []
        const path = ['given', kind, index, field]
        return [
          {
            path,
            message: `given.${kind}[${index}].${field}: ${strange(name, 'name of what is given', known)}`,
          },
        ]
      }),
    ),
  )
}

/** What can be known of a call before it is made. */
export function callProblems(step: Readonly<Fields>, names: Names, spared: ReadonlySet<string>): Dangling[] {
  const row = rowOf(step['call'])
  if (!row) return []
  const { status, error } = (step['expect'] ?? {}) as { status?: number; error?: unknown }
  // What must be refused may well be wrong.
  const isWrong = error !== undefined || (status !== undefined && status >= 400)
  const needsId = row.path.includes('{') && step['id'] === undefined
  return [
    ...(needsId
      ? [{ path: ['call'], message: `${row.id} needs the id of a record; add a line such as id: $sale.id` }]
      : []),
    ...strangeCaller(step['by'], names, ['by']),
    ...(isWrong ? [] : bodyTypos(row, step['with'], spared)),
  ]
}

/** A key pair that nothing in the file makes. */
export function strangeCaller(by: unknown, names: Names, path: PropertyKey[]): Dangling[] {
  if (typeof by !== 'string' || by.startsWith('$')) return []
  const callers: readonly string[] = CALLERS
  if (callers.includes(by) || (by !== WORLD_NAME && Object.hasOwn(names, by))) return []
  const known = [...callers, ...Object.keys(names).filter((name) => name !== WORLD_NAME)]
  return [
    { path, message: strange(by, 'key pair', known).replace("' is no key pair", "' names no key pair") },
  ]
}

/** The part of a file that a refusal of what is given is about, such as `given.customers[0].email: ...`. */
export function givenPathIn(message: string): PropertyKey[] {
  const [path = 'given'] = /\bgiven(?:\.\w+|\[\d+\])+/.exec(message) ?? []
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** All texts in a value, also in lists and maps. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value as Names).flatMap(textsIn) : []
}
