// Owns reading records through the control API, whole and as stored, newest first.
import type { CallInput, ControlCaller, RouteAnswer, RouteName } from './call.ts'

/** What a list takes: its filters, and `limit` (100 unless told otherwise, at most 1000) and `after`. */
export type Filters<Name extends RouteName> = NonNullable<CallInput<Name>['query']>

/** One entry of what a list answers. */
export type Entry<Name extends RouteName> = RouteAnswer<Name> extends { items: (infer Item)[] } ? Item : never

/** Records of one kind. */
export interface Records<List extends RouteName, Get extends RouteName> {
  /** The newest first. */
  list(filters?: Filters<List>): Promise<Entry<List>[]>
  /** @throws {SandboxError} `sandbox_not_found` */
  get(id: string): Promise<RouteAnswer<Get>>
}

/** Lists the entries of a route. */
export async function listEntries<Name extends RouteName>(
  caller: ControlCaller,
  world: string,
  name: Name,
  query: Filters<Name> | undefined,
): Promise<Entry<Name>[]> {
  const answer = await caller.send(world, name, query === undefined ? {} : { query })
  return (answer as { items: Entry<Name>[] }).items
}

/** Reads records of one kind. */
export function createRecords<List extends RouteName, Get extends RouteName>(
  caller: ControlCaller,
  world: string,
  list: List,
  get: Get,
): Records<List, Get> {
  return {
    list: (filters) => listEntries(caller, world, list, filters),
    get: (id) => caller.send(world, get, { params: { id } as never }),
  }
}
