// Owns a world as tests see it: everything the control API can do, as methods.
import { strongHex } from '../kernel/entropy.ts'
import { createClockHandle } from './clock.ts'
import { throwUnlessGone } from './errors.ts'
import { worldEvents } from './events.ts'
import { createInboxes } from './inbox.ts'
import { createRecords, listEntries } from './records.ts'
import { createSetup } from './setup.ts'
import { nextExchange, settle } from './waits.ts'
import type { CashoutTrigger } from '../domain/cashoutMachine.ts'
import type { DisputeTrigger } from '../domain/disputeMachine.ts'
import type { TriggerParameters as CarriedParameters } from '../domain/effects.ts'
import type { TransactionTrigger } from '../domain/transactionMachine.ts'
import type { CallInput, ControlCaller, RouteAnswer, RouteName } from './call.ts'
import type { WorldClock } from './clock.ts'
import type { WorldEvent } from './events.ts'
import type { Inbox } from './inbox.ts'
import type { Entry, Filters, Records } from './records.ts'
import type { GivenNames, WorldSetup } from './setup.ts'

/** A world, as the control API answers it. */
export type WorldFacts = RouteAnswer<'GET /worlds/{world}'>
/** What a fired trigger did. */
export type Fired = RouteAnswer<'POST /trigger'>
/** What settling found: what waits for time, and the faults that never fired. */
export type Settled = RouteAnswer<'POST /settle'>
/** One delivery with its attempts. */
export type Delivery = Entry<'GET /deliveries'>
/** One delivery with its bytes, headers, attempts and answers. */
export type DeliveryDetail = RouteAnswer<'GET /deliveries/{id}'>
/** One recorded call of the gateway with its answer. */
export type Exchange = RouteAnswer<'GET /exchanges/{id}'>
/** An armed fault with how often it fired. */
export type Fault = RouteAnswer<'POST /faults'>
/** What was done to a world over the control API, and how its present life began. */
export type CommandLog = RouteAnswer<'GET /commands'>
/** What happened to a record, in order, and what waits for time. */
export type Story = RouteAnswer<'GET /explain/{id}'>
/** One point that the gateway's interface leaves open, with what this world answers. */
export type Silence = Entry<'GET /silences'>

/** Everything that can be fired by hand: on transactions, cashouts and disputes. */
export type TriggerName = Exclude<
  TransactionTrigger | CashoutTrigger | DisputeTrigger,
  'create' | 'chargeBack' | 'open' | 'addEvidence'
>
/** What a trigger may carry: `payer` of confirm, cents as `amount` of a refund, `reason` of a failure, `text` of a response. */
export type TriggerParameters = Omit<CarriedParameters, 'evidence'>

type Body<Name extends RouteName> = NonNullable<CallInput<Name>['body']>

/** A state of a world, saved under a name. */
export interface Snapshot {
  name: string
  /** Puts the world back to it. */
  restore(): Promise<void>
}

/** One isolated copy of the gateway. Every method throws `SandboxError` for a refusal. */
export interface SandboxWorld extends Readonly<Omit<WorldFacts, 'clock'>>, WorldSetup, AsyncDisposable {
  readonly clock: WorldClock
  readonly transactions: Records<'GET /transactions', 'GET /transactions/{id}'>
  readonly customers: Records<'GET /customers', 'GET /customers/{id}'>
  readonly cashouts: Records<'GET /cashouts', 'GET /cashouts/{id}'>
  readonly disputes: Records<'GET /disputes', 'GET /disputes/{id}'> & {
    /** Opens a dispute on a transaction, as only the payer's bank could. */
    open(dispute: Body<'POST /disputes'>): Promise<RouteAnswer<'POST /disputes'>>
  }
  readonly organizations: Records<'GET /organizations', 'GET /organizations/{id}'> & {
    create(organization?: Body<'POST /organizations'>): Promise<RouteAnswer<'POST /organizations'>>
    update(
      id: string,
      change: Body<'PATCH /organizations/{id}'>,
    ): Promise<RouteAnswer<'PATCH /organizations/{id}'>>
  }
  readonly credentials: {
    list(filters?: Filters<'GET /credentials'>): Promise<Entry<'GET /credentials'>[]>
    get(publicKey: string): Promise<RouteAnswer<'GET /credentials/{publicKey}'>>
    /** Makes a key pair; its secret is answered only here. */
    create(credential?: Body<'POST /credentials'>): Promise<RouteAnswer<'POST /credentials'>>
    update(
      publicKey: string,
      change: Body<'PATCH /credentials/{publicKey}'>,
    ): Promise<RouteAnswer<'PATCH /credentials/{publicKey}'>>
  }
  readonly deliveries: Records<'GET /deliveries', 'GET /deliveries/{id}'> & {
    /** Sends a delivery again: same id and bytes, a new round of attempts from 1. */
    resend(id: string): Promise<Delivery>
    /** Sends a delivery once more now, with the same id and number; its status and its retries do not change. */
    duplicate(id: string): Promise<Delivery>
    /** Holds every new delivery from now on, or those of an event type or a record. */
    hold(which?: Body<'POST /deliveries/hold'>): Promise<void>
    /**
     * Releases held deliveries one after the other, each once the one before was answered.
     * @param order ids, in this order; without it all are released, oldest first, and no more are held
     */
    release(order?: string[]): Promise<Delivery[]>
  }
  readonly exchanges: Records<'GET /exchanges', 'GET /exchanges/{id}'> & {
    /**
     * The next call of the gateway that fits, waiting for it.
     * @throws {SandboxError} `no_exchange` when none comes in time
     */
    next(wanted?: Body<'POST /exchanges/wait'>): Promise<Exchange>
  }
  readonly faults: {
    list(): Promise<Fault[]>
    arm(fault: Body<'POST /faults'>): Promise<Fault>
    /** Lets the calls that wait `untilReleased` for a fault be answered; answers how many. */
    release(id: string): Promise<number>
    /** Clears all faults, or the one that an id names; answers those that never fired. */
    clear(id?: string): Promise<{ unused: string[] }>
  }
  readonly silences: {
    list(): Promise<Silence[]>
    /** Chooses what this world answers, by id; null goes back to the default. */
    choose(choices: Record<string, unknown>): Promise<Silence[]>
  }
  readonly snapshots: {
    list(): Promise<Entry<'GET /snapshots'>[]>
    /** The saved state as plain JSON. */
    get(name: string): Promise<Record<string, unknown>>
    delete(name: string): Promise<void>
  }
  /** Sends any request to the server; without a socket when the sandbox runs in this process. A path is taken as one of the server. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Fires a trigger of a machine on a transaction, cashout or dispute.
   * @throws {SandboxError} `sandbox_trigger_refused`; the message names the triggers that would fire
   */
  trigger(on: string, trigger: TriggerName, parameters?: TriggerParameters): Promise<Fired>
  /**
   * Waits until nothing is due, in flight or being answered.
   * @throws {SandboxError} `not_settled` at the end of the time-out, with what is still open in `details`
   */
  settle(options?: Body<'POST /settle'>): Promise<Settled>
  /** A receiver inside the sandbox; its `url` is good as a `callbackUrl`. */
  inbox(name: string): Inbox
  /**
   * What happened to a transaction, cashout, dispute or customer, or to what a delivery is about, in order.
   * @throws {SandboxError} `sandbox_not_found`
   */
  explain(id: string): Promise<Story>
  /** What was done to it over the control API since it was made, reset or restored, newest first. */
  commands(filters?: Filters<'GET /commands'>): Promise<CommandLog>
  /** The fired rows of all machines, newest first. */
  journal(filters?: Filters<'GET /journal'>): Promise<Entry<'GET /journal'>[]>
  /** The movements of money, newest first. */
  postings(filters?: Filters<'GET /postings'>): Promise<Entry<'GET /postings'>[]>
  /** The balances of all organisations in both environments, in cents. */
  balances(filters?: Filters<'GET /balances'>): Promise<Entry<'GET /balances'>[]>
  /** Gives an organisation test money, or decides whether its next cashout must take everything. */
  changeBalance(change: Body<'PATCH /balance'>): Promise<RouteAnswer<'PATCH /balance'>>
  /** Begins anew: records, faults and taken messages go; id, keys and choices stay. Answers the faults that never fired. */
  reset(): Promise<Pick<RouteAnswer<'POST /reset'>, 'unusedFaults'>>
  /** A copy as it is now, under a new id and new keys. */
  fork(id?: string): Promise<SandboxWorld>
  /** Saves the world under a name, in place of what had it; under one that nobody has when left out. */
  snapshot(name?: string): Promise<Snapshot>
  /** Puts the world back to a snapshot. */
  restore(name: string): Promise<void>
  /**
   * What happens from this call on, live; what comes before it is first read waits for it. It ends with the world, with the
   * server, or when the signal is aborted, and stays open until then unless a loop over it is left. Over a network, a call that
   * is sent right after it may arrive before it.
   * @throws {SandboxError} when it is first read and the server refused it
   */
  events(signal?: AbortSignal): AsyncIterable<WorldEvent>
  /**
   * Ends the world. Leaving `await using` does it too, and takes a world that is gone already for ended.
   * @throws {SandboxError} `sandbox_not_found` when it is gone already
   */
  delete(): Promise<void>
}

/** A world of a server, from what the control API answered of it. */
export function createWorldHandle(
  caller: ControlCaller,
  facts: WorldFacts & { names?: GivenNames | undefined },
): SandboxWorld {
  const { id } = facts
  const { clock: _, names = {}, ...rest } = facts
  const call = <Name extends RouteName>(name: Name, input?: CallInput<Name>): Promise<RouteAnswer<Name>> =>
    caller.send(id, name, input)
  const list = <Name extends RouteName>(name: Name, query?: Filters<Name>): Promise<Entry<Name>[]> =>
    listEntries(caller, id, name, query)
  const end = async (): Promise<void> => {
    await caller.send(null, 'DELETE /worlds/{world}', { params: { world: id } })
  }
  const restore = async (name: string): Promise<void> => {
    await call('POST /snapshots/{name}/restore', { params: { name } })
  }

  return {
    ...rest,
    url: caller.url,
    clock: createClockHandle(caller, id),
    ...recordsOf(caller, id),
    ...createSetup(caller, id, names),
    fetch: (input, init) => caller.fetch(input, init),
    trigger: (on, trigger, parameters = {}) =>
      call('POST /trigger', { body: { ...parameters, on, do: trigger } }),
    settle: (options = {}) => settle(caller, id, options),
    inbox: createInboxes(caller, facts),
    explain: (about) => call('GET /explain/{id}', { params: { id: about } }),
    commands: (query = {}) => call('GET /commands', { query }),
    journal: (filters) => list('GET /journal', filters),
    postings: (filters) => list('GET /postings', filters),
    balances: (filters) => list('GET /balances', filters),
    changeBalance: (body) => call('PATCH /balance', { body }),
    async reset() {
      const { unusedFaults } = await call('POST /reset')
      return { unusedFaults }
    },
    fork: async (name) =>
      createWorldHandle(caller, await call('POST /fork', { body: name === undefined ? {} : { id: name } })),
    async snapshot(name = `snapshot-${strongHex(6)}`) {
      await call('PUT /snapshots/{name}', { params: { name } })
      return { name, restore: () => restore(name) }
    },
    restore,
    events: (signal) => worldEvents(caller, id, signal),
    delete: end,
    [Symbol.asyncDispose]: () => end().catch(throwUnlessGone),
  }
}

type RecordHandles = Pick<
  SandboxWorld,
  | 'transactions'
  | 'customers'
  | 'cashouts'
  | 'disputes'
  | 'organizations'
  | 'credentials'
  | 'deliveries'
  | 'exchanges'
  | 'faults'
  | 'silences'
  | 'snapshots'
>

/** The parts of a world that hold records. */
function recordsOf(caller: ControlCaller, world: string): RecordHandles {
  const call = <Name extends RouteName>(name: Name, input?: CallInput<Name>): Promise<RouteAnswer<Name>> =>
    caller.send(world, name, input)
  const list = <Name extends RouteName>(name: Name, query?: Filters<Name>): Promise<Entry<Name>[]> =>
    listEntries(caller, world, name, query)
  return {
    transactions: createRecords(caller, world, 'GET /transactions', 'GET /transactions/{id}'),
    customers: createRecords(caller, world, 'GET /customers', 'GET /customers/{id}'),
    cashouts: createRecords(caller, world, 'GET /cashouts', 'GET /cashouts/{id}'),
    disputes: {
      ...createRecords(caller, world, 'GET /disputes', 'GET /disputes/{id}'),
      open: (body) => call('POST /disputes', { body }),
    },
    organizations: {
      ...createRecords(caller, world, 'GET /organizations', 'GET /organizations/{id}'),
      create: (body = {}) => call('POST /organizations', { body }),
      update: (id, body) => call('PATCH /organizations/{id}', { params: { id }, body }),
    },
    credentials: {
      list: (filters) => list('GET /credentials', filters),
      get: (publicKey) => call('GET /credentials/{publicKey}', { params: { publicKey } }),
      create: (body = {}) => call('POST /credentials', { body }),
      update: (publicKey, body) => call('PATCH /credentials/{publicKey}', { params: { publicKey }, body }),
    },
    deliveries: {
      ...createRecords(caller, world, 'GET /deliveries', 'GET /deliveries/{id}'),
      duplicate: (id) => call('POST /deliveries/{id}/duplicate', { params: { id } }),
      async hold(body = {}) {
        await call('POST /deliveries/hold', { body })
      },
      release: async (order) =>
        (await call('POST /deliveries/release', { body: order === undefined ? {} : { order } })).released,
      resend: (id) => call('POST /deliveries/{id}/resend', { params: { id } }),
    },
    exchanges: {
      ...createRecords(caller, world, 'GET /exchanges', 'GET /exchanges/{id}'),
      next: (wanted = {}) => nextExchange(caller, world, wanted),
    },
    faults: {
      list: () => list('GET /faults'),
      arm: (body) => call('POST /faults', { body }),
      release: async (id) => (await call('POST /faults/{id}/release', { params: { id } })).released,
      clear: (id) => call('DELETE /faults', { query: id === undefined ? {} : { id } }),
    },
    silences: {
      list: () => list('GET /silences'),
      choose: async (body) => (await call('PATCH /silences', { body })).items,
    },
    snapshots: {
      list: () => list('GET /snapshots'),
      get: (name) => call('GET /snapshots/{name}', { params: { name } }),
      async delete(name) {
        await call('DELETE /snapshots/{name}', { params: { name } })
      },
    },
  }
}
