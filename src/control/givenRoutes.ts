// Owns the control route that gives a world records and money, and what of an entry only this layer can check.
import { z } from 'zod'
import { isAddressRange } from '../http/addresses.ts'
import { give } from '../world/given.ts'
import { given, givenNames } from '../world/givenShapes.ts'
import { Misuse } from '../world/misuse.ts'
import { beginCommand } from './keptCommands.ts'
import { route } from './route.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Given, GivenNames } from '../world/givenShapes.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/**
 * Gives a world of a server records and money, all or nothing; answers the named ones.
 * @throws {Misuse} that names the entry that cannot be
 */
export function giveTo(worlds: Worlds, world: RunningWorld, entries: Given): GivenNames {
  for (const [index, { allowedIps = [] }] of entries.credentials.entries()) {
    const strange = allowedIps.find((each) => !isAddressRange(each))
    if (strange === undefined) continue
    throw new Misuse(
      'sandbox_bad_request',
      `given.credentials[${index}].allowedIps: '${strange}' is no IPv4 or IPv6 address and no CIDR range.`,
    )
  }
  const keep = beginCommand(world, 'POST /given', { body: entries })
  const names = give(world, entries, (publicKey) => worlds.claimKey(world, publicKey))
  keep({ names })
  return names
}

const giveRecords = route({
  id: 'giveRecords',
  method: 'POST',
  path: '/given',
  tag: 'Records',
  summary:
    'Gives a world records in any status, and money, without any call: all or nothing, with ledger and journal but without webhooks',
  body: given,
  answer: z.strictObject({ names: givenNames }).meta({ id: 'GivenAnswer' }),
  status: 201,
  handle: ({ server, world, body }) => ({ names: giveTo(server.worlds, world, body) }),
})

/** Control routes of given records. */
export const GIVEN_ROUTES = [giveRecords]
