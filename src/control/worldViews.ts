// Owns how a world and its clock are answered. Apart from the routes, so that a start that prints them loads no schema.
import { present } from '../kernel/assert.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** The clock of a world, as answered. */
export function clockOut({ clock }: RunningWorld) {
  return { mode: clock.mode, now: clock.stamp(), rate: clock.rate }
}

/** A world, as answered. */
export function worldOut(world: RunningWorld) {
  const { sandbox, production, receiver } = world.origin.keys
  const ownerOf = (publicKey: string): { id: string; splitCode: string } => {
    const credential = present(world.state.credentials[publicKey], 'a world has its first credentials')
    const { id, splitCode } = present(
      world.state.organizations[credential.organizationId],
      'a credential has an owner',
    )
    return { id, splitCode }
  }
  return {
    id: world.id,
    url: world.host.publicUrl,
    ...sandbox,
    production,
    organization: ownerOf(sandbox.publicKey),
    receiver: { ...ownerOf(receiver.publicKey), ...receiver },
    clock: clockOut(world),
  }
}
