// Owns an inbox as tests use it: its address, its script, and taking messages one after the other.
import { hostTime } from '../kernel/hostTime.ts'
import { parseDuration } from '../kernel/time.ts'
import { SandboxError } from './errors.ts'
import { listEntries } from './records.ts'
import type { EventType } from '../contract/events.ts'
import type { Webhook } from '../contract/webhookPayloads.ts'
import type { CallInput, ControlCaller, RouteAnswer } from './call.ts'

type Messages = RouteAnswer<'GET /inboxes/{name}/messages'>
type AnyMessage = Messages['items'][number]

type Script = NonNullable<CallInput<'PUT /inboxes/{name}'>['body']>

/**
 * What an inbox does with one message: a status; an answer with `status`, `delayMs`, `body`, `location` or `slow`;
 * `{hang: true}`; or `{reset: true}`.
 */
export type InboxAnswer = NonNullable<Script['answers']>[number]

/** A webhook that an inbox received: its bytes, headers, the body as `json`, and whether its signature holds. */
export type InboxMessage<Type extends EventType = EventType> = Omit<AnyMessage, 'json'> & {
  json: Extract<Webhook, { type: Type }>
}

/** A receiver inside the sandbox. */
export interface Inbox {
  name: string
  /** Use it as `callbackUrl`. */
  url: string
  /**
   * Takes the next message, waiting for it. Each is taken once by this handle of the world, under all types together; another
   * handle takes it once more. Messages of before a reset or restore, whoever did it, are gone and never taken.
   * @param type event type; any when left out
   * @param options `within`: longest wait of host time, such as `5s`, which is the default, or `10m`; one question to the server
   *   waits 60s at most, and is asked again until the wait is over
   * @throws {SandboxError} `no_message` when none comes in time; it says what came and what was sent instead
   */
  next<Type extends EventType = EventType>(
    type?: Type,
    options?: { within?: string },
  ): Promise<InboxMessage<Type>>
  /** Everything that was received and is still kept, oldest first, taken or not. */
  messages(type?: EventType): Promise<InboxMessage[]>
  /**
   * Tells the inbox what to do with the next messages, in order; 204 when nothing is left.
   * @param options `delayMs`: host milliseconds before answers that have no delay of their own
   * @throws {SandboxError} `sandbox_bad_request` for an answer that contradicts itself, which it names
   */
  script(answers: InboxAnswer[], options?: { delayMs?: number }): Promise<void>
}

/** What was taken from one inbox: `n` of each message, and for each type up to where everything was taken. */
interface Taken {
  /** The life of the world that the numbers are from; null before the first answer. */
  life: number | null
  messages: Set<number>
  upTo: Map<string, number>
}

/** The inboxes of a world, by name. What was taken of one is shared by all that are asked for under its name. */
export function createInboxes(
  caller: ControlCaller,
  world: { id: string; url: string },
): (name: string) => Inbox {
  const takenFrom = new Map<string, Taken>()
  return (name) => {
    const taken = takenFrom.get(name) ?? { life: null, messages: new Set(), upTo: new Map() }
    takenFrom.set(name, taken)
    return createInbox(caller, world, name, taken)
  }
}

/** Begins anew in another life of the world, where numbers begin again. */
function beginLife(taken: Taken, life: number): void {
  taken.life = life
  taken.messages.clear()
  taken.upTo.clear()
}

function createInbox(
  caller: ControlCaller,
  world: { id: string; url: string },
  name: string,
  taken: Taken,
): Inbox {
  const url = `${caller.publicUrl ?? world.url}/_sandbox/worlds/${world.id}/inbox/${name}`

  const read = (
    type: string | undefined,
    query: { after?: number; life?: number | undefined; wait?: string } = {},
  ): Promise<Messages> =>
    caller.send(world.id, 'GET /inboxes/{name}/messages', { params: { name }, query: { ...query, type } })

  const messages = async (type?: string): Promise<InboxMessage[]> => (await read(type)).items as never

  async function take(type: string | undefined, within: string): Promise<AnyMessage | null> {
    const length = parseDuration(within)
    if (length === null) {
      throw new SandboxError('bad_option', `within '${within}' is no duration; use 500ms, 5s or 1m.`)
    }
    const key = type ?? ''
    const end = hostTime.stopwatch() + length
    for (;;) {
      const left = Math.max(0, end - hostTime.stopwatch())
      const asked = taken.life
      const after = taken.upTo.get(key) ?? 0
      const { items, life } = await read(type, { after, life: asked ?? undefined, wait: `${left}ms` })
      if (life !== taken.life) {
        // Another `next` has seen a later life meanwhile: what came here is of an earlier one.
        if (taken.life !== asked) continue
        beginLife(taken, life)
      }
      const fresh = items.find(({ n }) => !taken.messages.has(n))
      const upTo = fresh?.n ?? items.at(-1)?.n
      if (upTo !== undefined) taken.upTo.set(key, upTo)
      if (fresh) {
        taken.messages.add(fresh.n)
        return fresh
      }
      if (left === 0) return null
    }
  }

  return {
    name,
    url,
    async next(type, { within = '5s' } = {}) {
      const message = await take(type, within)
      if (message) return message as never
      throw await noMessage(caller, world.id, { name, url, type, within, received: await messages() })
    },
    messages,
    async script(answers, { delayMs = 0 } = {}) {
      await caller.send(world.id, 'PUT /inboxes/{name}', { params: { name }, body: { answers, delayMs } })
    },
  }
}

/** Says what did come, and what was sent to the inbox, when a message did not. */
async function noMessage(
  caller: ControlCaller,
  world: string,
  {
    name,
    url,
    type,
    within,
    received,
  }: { name: string; url: string; type: string | undefined; within: string; received: InboxMessage[] },
): Promise<SandboxError> {
  const sent = await listEntries(caller, world, 'GET /deliveries', { url })
  const came = received.map((message) => message.type ?? 'unknown').join(', ')
  const deliveries = sent.map((delivery) => `${delivery.type} (${delivery.status})`).join(', ')
  const hint =
    sent.length === 0
      ? `Nothing was sent to it: use ${url} as callbackUrl, fire a trigger, or advance the clock.`
      : `Sent to it: ${deliveries}. A retry waits for the world's clock; advance it.`
  return new SandboxError(
    'no_message',
    `No ${type ?? 'webhook'} came into inbox '${name}' within ${within} that was not taken before. It received: ${came || 'nothing'}. ${hint}`,
    { details: { received, sent } },
  )
}
