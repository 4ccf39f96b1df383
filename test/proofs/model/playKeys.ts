// Owns playing orders about who may do what: key pairs, the addresses that they allow, and organisations.
import { PERMISSIONS } from '../../../src/contract/enums.ts'
import { isRange, textsOf } from './addresses.ts'
import { sayOnly } from './picking.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Asking } from './asking.ts'
import type { Order } from './program.ts'
import type { ModelWorld } from './world.ts'

const CREDENTIAL: Record<Caller, string> = {
  sandbox: 'merchant',
  production: 'production',
  receiver: 'receiver',
}

/** Plays an order about a key pair or an organisation. */
export async function orderKeys(
  asking: Asking,
  world: ModelWorld,
  order: Order & { order: 'permit' | 'allow' | 'maySplit' },
): Promise<void> {
  const { origin, state } = asking.running(world)
  if (order.order === 'permit') {
    const { by, active, permissions } = order
    const change = { active, permissions: permissions ?? PERMISSIONS }
    await asking.control(world, 'PATCH', `/credentials/${origin.keys[by].publicKey}`, change, {
      name: 'PATCH /credentials/{publicKey}',
      step: { credential: { of: CREDENTIAL[by], ...change } },
      model({ keys }) {
        keys[by] = { ...keys[by], active, permissions }
        return null
      },
    })
    return
  }
  if (order.order === 'allow') {
    const { by, range } = order
    const change = { allowedIps: textsOf(range) }
    await asking.control(world, 'PATCH', `/credentials/${origin.keys[by].publicKey}`, change, {
      name: `PATCH /credentials/{publicKey} (${range})`,
      step: isRange(range) ? { credential: { of: CREDENTIAL[by], ...change } } : undefined,
      model({ keys }) {
        if (!isRange(range)) return 'sandbox_bad_request'
        keys[by] = { ...keys[by], range }
        return null
      },
    })
    return
  }
  const [merchant, receiver] = Object.values(state.organizations)
  const { of, may } = order
  sayOnly(world, `here PATCH /_sandbox/organizations/{id} gives the ${of} maySplit: ${may}`)
  await asking.control(
    world,
    'PATCH',
    `/organizations/${(of === 'merchant' ? merchant : receiver)?.id}`,
    { maySplit: may },
    {
      name: 'PATCH /organizations/{id}',
      model({ maySplit }) {
        maySplit[of] = may
        return null
      },
    },
  )
}
