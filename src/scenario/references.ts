// Owns references: the only expression of a scenario, `$name.path`, and what it stands for.
import { didYouMean } from './words.ts'
import { explainBraced } from './yamlProblems.ts'

/** What a step bound to each name. */
export type Names = Readonly<Record<string, unknown>>

/** The name of everything that a scenario knows without having made it. */
export const WORLD_NAME = 'world'

const REFERENCE = /^\$([A-Za-z_]\w*)((?:\.[\w-]+)*)$/

/** A text that begins like a reference: `$` and a letter. `$$` is a plain dollar sign. */
function looksLikeReference(text: string): boolean {
  return /^\$[A-Za-z_]/.test(text)
}

/** Something wrong, such as a reference that stands for nothing, with where it was found in the value. */
export interface Dangling {
  path: PropertyKey[]
  message: string
  /** Given when the name of the field is meant, not its value. */
  part?: 'key'
}

/** What stands in the place of a value, all references in it resolved; and those that stand for nothing. */
export function resolved(value: unknown, names: Names): { value: unknown; dangling: Dangling[] } {
  const dangling: Dangling[] = []
  const walk = (each: unknown, path: PropertyKey[]): unknown => {
    if (typeof each === 'string') {
      const braced = each.startsWith('${') ? explainBraced(each) : null
      if (braced !== null) dangling.push({ path, message: braced })
      if (!looksLikeReference(each)) return each.startsWith('$$') ? each.slice(1) : each
      const found = lookUp(each, names)
      if ('message' in found) dangling.push({ path, message: found.message })
      return 'message' in found ? each : found.value
    }
    if (Array.isArray(each)) return each.map((item, index) => walk(item, [...path, index]))
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, walk(item, [...path, key])]))
  }
  return { value: walk(value, []), dangling }
}

/** Names that stand for something which is not there yet. Without a prototype, any name is one like others. */
export function unboundNames(names: readonly string[]): Record<string, unknown> {
  const made = Object.create(null) as Record<string, unknown>
  for (const name of names) made[name] = null
  return made
}

/** The references in a value whose names nobody made, or that are none. */
export function strangeNames(value: unknown, names: Names): Dangling[] {
  return resolved(value, names).dangling.filter(({ message }) => !message.includes(NO_FIELD))
}

/** A value with the addresses of inboxes in the place of `$shop.url`: no record has a `url` of its own. */
export function withInboxes(part: unknown, addressOf: (inbox: string) => string): unknown {
  const text = JSON.stringify(part, (_, value: unknown) => {
    const [, inbox] = typeof value === 'string' ? (/^\$([A-Za-z_]\w*)\.url$/.exec(value) ?? []) : []
    return inbox === undefined ? value : addressOf(inbox)
  }) as string | undefined
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

/** Rules with addresses of inboxes and given records in the place of what refers to them; and what refers to nothing. */
export function resolvedRules<Rule>(
  rules: readonly Rule[],
  given: Names,
  addressOf: (inbox: string) => string,
): { rules: Rule[]; dangling: Dangling[] } {
  const { value, dangling } = resolved(withInboxes(rules, addressOf), given)
  return { rules: value as Rule[], dangling }
}

const NO_FIELD = 'has no field'

function lookUp(text: string, names: Names): { value: unknown } | { message: string } {
  const [, name = '', rest = ''] = REFERENCE.exec(text) ?? []
  if (name === '') {
    return { message: `'${text}' is no reference such as $sale.id; write $$ for a dollar sign` }
  }
  if (!Object.hasOwn(names, name)) {
    const known = Object.keys(names)
    const near = didYouMean(name, known)
    return {
      message: `nothing before it is called '${name}'.${near}${known.length === 0 ? '' : ` There are: ${known.join(', ')}.`}`,
    }
  }
  let value = names[name]
  let walked = `$${name}`
  for (const key of rest.split('.').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      const fields = typeof value === 'object' && value !== null ? Object.keys(value) : []
      const has = fields.length === 0 ? ' It has none.' : ` It has: ${fields.join(', ')}.`
      return { message: `${walked} ${NO_FIELD} '${key}'.${didYouMean(key, fields)}${has}` }
    }
    value = (value as Record<string, unknown>)[key]
    walked += `.${key}`
  }
  return { value }
}
