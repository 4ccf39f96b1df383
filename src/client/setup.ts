// Owns what a world is set up with, as tests see it: given records, and rules for what it does by itself.
import { listEntries } from './records.ts'
import type { CallInput, ControlCaller, RouteAnswer } from './call.ts'
import type { Entry } from './records.ts'

/** A rule with how often it fired. */
export type Rule = Entry<'GET /rules'>
/** Records that a world was given, by their names. */
export type GivenNames = RouteAnswer<'POST /given'>['names']
/** What a world can be given. */
type GivenEntries = NonNullable<CallInput<'POST /given'>['body']>
/** A rule as it is ordered. */
type RuleInput = Exclude<NonNullable<CallInput<'POST /rules'>['body']>, { rules: unknown }>

/** The part of a world that sets it up. */
export interface WorldSetup {
  /** The named records that the world was made with, as they were then; none unless it was given some. */
  readonly names: GivenNames
  /**
   * Gives the world records in any status, and money; all or nothing. No webhook of them is sent.
   * @returns the named ones, as stored
   */
  give(entries: GivenEntries): Promise<GivenNames>
  /** What the world does by itself after calls that succeed and after events. */
  readonly rules: {
    list(): Promise<Rule[]>
    /** Adds rules; all or none. */
    add(...rules: RuleInput[]): Promise<Rule[]>
    /** Clears all rules, or the one that an id names, with what they have planned; answers how many. */
    clear(id?: string): Promise<number>
  }
}

/** The set-up of a world. */
export function createSetup(caller: ControlCaller, world: string, names: GivenNames): WorldSetup {
  return {
    names,
    give: async (body) => (await caller.send(world, 'POST /given', { body })).names,
    rules: {
      list: () => listEntries(caller, world, 'GET /rules', {}),
      add: async (...rules) => (await caller.send(world, 'POST /rules', { body: { rules } })).items,
      async clear(id) {
        const query = id === undefined ? {} : { id }
        return (await caller.send(world, 'DELETE /rules', { query })).cleared
      },
    },
  }
}
