// Owns giving a world records without any call: first on a copy, so that a wrong entry changes nothing, then for real.
import { cents } from '../kernel/brands.ts'
import { fund, requireFullWithdrawal } from '../domain/balance.ts'
import { recordOf } from '../domain/state.ts'
import { createChoices } from './choices.ts'
import * as make from './givenRecords.ts'
import { Misuse } from './misuse.ts'
import { assemble } from './savedWorld.ts'
import { saveText } from './snapshots.ts'
import type { GivenWorld, Naming } from './givenRecords.ts'
import type { Given, GivenNames, GivenRecord } from './givenShapes.ts'
import type { RunningWorld } from './runningWorld.ts'
import type { SavedWorld } from './savedWorld.ts'

/**
 * Gives a world records in any status, and money. They go through the gateway's own rules, so ledger and journal are
 * as if it had been done by hand; but no delivery is made of them, and no rule of the world reacts to them. All or nothing.
 * @param claim makes a public key known as belonging to the world
 * @returns the named records as stored
 * @throws {Misuse} that names the entry that cannot be
 */
export function give(world: RunningWorld, given: Given, claim: (publicKey: string) => void): GivenNames {
  apply(copyOf(world), given)
  const names = apply({ ...world, emitted: () => false }, given)
  for (const publicKey of names.publicKeys) claim(publicKey)
  return names.records
}

/** A copy that nobody sees: what happens to it is told to nobody. */
function copyOf(world: RunningWorld): GivenWorld {
  const parts = assemble(world.host, JSON.parse(saveText(world)) as SavedWorld)
  const choices = createChoices(world.choices.overrides())
  return {
    ...world,
    ...parts,
    clock: world.clock,
    choices,
    changes: null,
    tell: () => {},
    emitted: () => false,
  }
}

/** In this order, so that money is there before it is needed, and entries name those before them. */
function apply(world: GivenWorld, given: Given): { records: GivenNames; publicKeys: string[] } {
  const naming: Naming = { ids: new Map(), secrets: new Map() }
  const { organizations, credentials, customers, transactions, disputes, cashouts } = given
  const balances = [given.balance].flat()
  const each = <Entry extends { as?: string | undefined }>(
    kind: keyof Given,
    entries: readonly Entry[],
    makeOne: (entry: Entry, path: string) => string,
  ): string[] =>
    entries.map((entry, index) => {
      const path = `given.${kind}[${index}]`
      const id = makeOne(entry, path)
      nameIt(naming, entry.as, id, path)
      return id
    })

  each('organizations', organizations, (entry) => make.organization(world, entry))
  const publicKeys = each('credentials', credentials, (entry, path) =>
    make.credential(world, naming, entry, path),
  )
  for (const [index, entry] of balances.entries()) {
    const scope = make.scopeOf(world, naming, entry, balancePath(given, index))
    if (entry.fund !== undefined) fund(world, scope, cents(entry.fund))
  }
  each('customers', customers, (entry, path) => make.customer(world, naming, entry, path))
  each('transactions', transactions, (entry, path) => make.transaction(world, naming, entry, path))
  each('disputes', disputes, (entry, path) => make.dispute(world, naming, entry, path))
  each('cashouts', cashouts, (entry, path) => make.cashout(world, naming, entry, path))
  for (const [index, entry] of balances.entries()) {
    const scope = make.scopeOf(world, naming, entry, balancePath(given, index))
    const { requireFullWithdrawal: required } = entry
    if (required !== undefined) requireFullWithdrawal(world, scope, required)
  }
  const records = [...naming.ids].map(([name, id]) => [name, recordNamed(world, naming, id)] as const)
  return { records: Object.fromEntries(records), publicKeys }
}

function balancePath({ balance }: Given, index: number): string {
  return Array.isArray(balance) ? `given.balance[${index}]` : 'given.balance'
}

function nameIt({ ids }: Naming, name: string | undefined, id: string, path: string): void {
  if (name === undefined) return
  if (ids.has(name)) {
    throw new Misuse('sandbox_bad_request', `${path}.as: '${name}' names another entry already.`)
  }
  ids.set(name, id)
}

/** A copy of a record that was given, as it is in the end. */
function recordNamed({ state }: GivenWorld, { secrets }: Naming, id: string): GivenRecord {
  const credential = recordOf(state.credentials, id)
  if (credential) {
    const { secretDigest: _, ...shown } = credential
    return { ...shown, secretKey: secrets.get(id) ?? '' }
  }
  const kinds = [state.organizations, state.customers, state.transactions, state.cashouts, state.disputes]
  const found = kinds.map((records) => recordOf<GivenRecord>(records, id)).find((record) => record !== null)
  return structuredClone(found) as GivenRecord
}
