// Owns the names of a recording: what each id, key and address of the recorded world is called in the file.
import { callbackUrl } from '../contract/transactions.ts'
import type { Happening, Seen } from './seen.ts'

/** An inbox of the file: one of the sandbox under its name, or one that stands for a receiver outside. */
export interface RecordedInbox {
  name: string
  /** The address whose attempts tell how it answered; null for one of the sandbox, which was told by commands. */
  outside: string | null
}

/** The names of one recording. */
export interface RecordNames {
  /** A name that nothing else has, such as `sale1`. */
  fresh(kind: string): string
  /** Says what stands for a value from now on, such as `$sale1.id` for an id. */
  bind(value: string, reference: string): void
  /** What stands for a value; null for nothing. */
  of(value: string): string | null
  /** Says the name of a key pair. */
  bindCaller(publicKey: string, name: string): void
  /** The name of a key pair; null for a strange one. */
  caller(publicKey: string): string | null
  /** The inbox of an address. */
  inboxAt(url: string): RecordedInbox
  /** Whether an address has an inbox already. */
  hasInboxAt(url: string): boolean
  /** The inbox of the sandbox that has a name there. */
  inboxNamed(name: string): RecordedInbox
  /** A value of the recorded world as the file says it: ids and addresses as references, plain dollar signs doubled. */
  said(value: unknown): unknown
}

const NAME = /^(?!world$)[A-Za-z_]\w{0,39}$/

/** The names that a recording begins with: those of the world itself. */
export function beginNames(seen: Seen): RecordNames {
  const { world } = seen
  const taken = new Set<string>([
    ...givenNames(seen.happenings),
    'world',
    'merchant',
    'production',
    'receiver',
    'nobody',
  ])
  const references = new Map<string, string>([
    [world.organization.id, '$world.organization.id'],
    [world.organization.splitCode, '$world.organization.splitCode'],
    [world.receiver.id, '$world.receiver.id'],
    [world.receiver.splitCode, '$world.receiver.splitCode'],
    [world.publicKey, '$world.publicKey'],
    [world.production.publicKey, '$world.production.publicKey'],
    [world.receiver.publicKey, '$world.receiver.publicKey'],
  ])
  const callers = new Map<string, string>([
    [world.publicKey, 'merchant'],
    [world.production.publicKey, 'production'],
    [world.receiver.publicKey, 'receiver'],
  ])
  const counts = new Map<string, number>()

  const fresh = (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const name = `${kind}${count}`
    if (taken.has(name)) return fresh(kind)
    taken.add(name)
    return name
  }
  const inboxes = inboxesOf(world.id, (name) => {
    const isFree = name !== null && NAME.test(name) && !taken.has(name)
    const chosen = isFree ? name : fresh('hook')
    taken.add(chosen)
    return chosen
  })
  const said = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return (
        references.get(value.toLowerCase()) ??
        references.get(value) ??
        value.replace(/^\$(?=[$A-Za-z_])/, '$$$$')
      )
    }
    if (Array.isArray(value)) return value.map(said)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, said(each)]))
  }
  return {
    fresh,
    bind: (value, reference) => void references.set(value, reference),
    of: (value) => references.get(value) ?? null,
    bindCaller: (publicKey, name) => void callers.set(publicKey, name),
    caller: (publicKey) => callers.get(publicKey) ?? null,
    ...inboxes,
    said,
  }
}

/**
 * The inboxes of a recording.
 * @param name what to call one: by its own name, or by another one where that is null or cannot be
 */
function inboxesOf(
  world: string,
  name: (own: string | null) => string,
): Pick<RecordNames, 'inboxAt' | 'hasInboxAt' | 'inboxNamed'> {
  const inside = new Map<string, RecordedInbox>()
  const outside = new Map<string, RecordedInbox>()
  const inboxNamed = (own: string): RecordedInbox => {
    const inbox = inside.get(own) ?? { name: name(own), outside: null }
    inside.set(own, inbox)
    return inbox
  }
  const inboxAt = (url: string): RecordedInbox => {
    const own = insideName(url, world)
    if (own !== null) return inboxNamed(own)
    const inbox = outside.get(url) ?? { name: name(null), outside: url }
    outside.set(url, inbox)
    return inbox
  }
  const hasInboxAt = (url: string): boolean => {
    const own = insideName(url, world)
    return own === null ? outside.has(url) : inside.has(own)
  }
  return { inboxAt, hasInboxAt, inboxNamed }
}

/** The name of an inbox of a world, by its address; null for a receiver outside. */
function insideName(url: string, world: string): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  const [, id = 'default', name] = /^\/_sandbox(?:\/worlds\/([^/]+))?\/inbox\/([^/]+)$/.exec(path) ?? []
  return name === undefined || id !== world ? null : name
}

/** Whether a value is an address that webhooks are sent to. */
export function isAddress(value: unknown): value is string {
  return callbackUrl.safeParse(value).success
}

/** Names that given records have already. */
function givenNames(happenings: readonly Happening[]): string[] {
  return happenings.flatMap((each) => {
    if (each.kind !== 'command' || each.command.route !== 'POST /given') return []
    return Object.keys(each.command.answer['names'] as object)
  })
}
