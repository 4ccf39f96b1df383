// Owns playing orders to the control API: faults, rules, webhooks, snapshots, time.
import {
  arm,
  CALL_FAULTS,
  DISPUTE_CHANGED,
  holding,
  instantOf,
  stopHolding,
  WEBHOOK_FAULTS,
} from './faults.ts'
import { NO_ID, pick, sayOnly } from './picking.ts'
import { choose } from './playCall.ts'
import { playGiven } from './playGiven.ts'
import { orderKeys } from './playKeys.ts'
import { tell, tellReset } from './story.ts'
import { cancelJob } from './jobs.ts'
import { advance, letGo, nextDue, sendAgain, sendBeside } from './work.ts'
import { freshLife } from './world.ts'
import type { Asking } from './asking.ts'
import type { Order } from './program.ts'
import type { Life, ModelWorld, Post } from './world.ts'

/** An order, or time that passes at the end of a program, in milliseconds. */
type AnyOrder = Order | { order: 'advance'; by: number }

const iso = (at: number): string => new Date(at).toISOString()
/** Plays one order. */
export async function playOrder(asking: Asking, world: ModelWorld, order: AnyOrder): Promise<void> {
  switch (order.order) {
    case 'fault':
      return orderFault(asking, world, order)
    case 'rule':
      return orderRule(asking, world, order)
    case 'clearFaults':
    case 'clearRules':
      return clear(asking, world, order.order)
    case 'hold':
    case 'release':
    case 'resend':
    case 'duplicate':
      return orderWebhooks(asking, world, order)
    case 'permit':
    case 'allow':
    case 'maySplit':
      return orderKeys(asking, world, order)
    case 'save':
    case 'restore':
    case 'forget':
      return orderSnapshot(asking, world, order)
    case 'reset':
      return reset(asking, world)
    case 'give':
      return playGiven(asking, world, order.entries)
    case 'choose':
      return choose(asking, world, order.silences)
    case 'toNext':
    case 'backwards':
    case 'advance':
      return orderTime(asking, world, order)
    default:
      return order satisfies never
  }
}

async function orderTime(
  asking: Asking,
  world: ModelWorld,
  order: AnyOrder & { order: 'toNext' | 'backwards' | 'advance' },
): Promise<void> {
  const isNext = order.order === 'toNext'
  const to = world.life.now + (order.order === 'advance' ? order.by : -1)
  const body = isNext ? { toNext: true } : { to: iso(to) }
  await asking.control(world, 'POST', '/clock/advance', body, {
    name: `POST /clock/advance (${order.order})`,
    step: order.order === 'backwards' ? undefined : { advance: body },
    model(life) {
      if (order.order === 'backwards') return 'sandbox_clock_backwards'
      advance(life, (at) => (isNext ? (nextDue(at) ?? at.now) : to))
      return null
    },
  })
}

async function orderFault(
  asking: Asking,
  world: ModelWorld,
  order: Order & { order: 'fault' },
): Promise<void> {
  const { fault, operation, type, nth, times, only, after, until } = order
  const ofCalls = operation === null ? {} : { operation }
  const on = type === null ? ofCalls : { delivery: type === '' ? {} : { type } }
  const picked = only && pick(world.life, only.kind, only.nth)
  const body = {
    ...{ on, do: fault.do, nth, times },
    ...(picked ? { subject: picked.id } : {}),
    ...(after === null ? {} : { after }),
    ...(until === null ? {} : { until }),
  }
  const [from, to] = [instantOf(world.life, after), instantOf(world.life, until)]
  const isNever = from !== null && to !== null && from >= to
  const known = type === null ? [...CALL_FAULTS, DISPUTE_CHANGED] : WEBHOOK_FAULTS
  const isKnown = known.some((each) => JSON.stringify(each.do) === JSON.stringify(fault.do))
  const isRevoking = JSON.stringify(fault.do) === JSON.stringify({ revokeToken: true })
  const isOdd =
    (isRevoking && (operation === 'createToken' || operation === 'getHealth')) ||
    (fault.do === 'dispute_changed' && operation !== 'respondToDispute' && operation !== 'addDisputeEvidence')
  const isArmed = isKnown && !isOdd && !isNever
  await asking.control(world, 'POST', '/faults', body, {
    name: `fault ${JSON.stringify(fault.do)}`,
    step: isArmed ? { fault: picked ? { ...body, subject: picked.said } : body } : undefined,
    model(life) {
      if (!isArmed) return 'sandbox_bad_request'
      const subject = picked?.id ?? null
      life.faults.push(arm({ do: fault.do, operation, type, subject, times, nth, after: from, until: to }))
      return null
    },
  })
}

async function orderRule(asking: Asking, world: ModelWorld, order: Order & { order: 'rule' }): Promise<void> {
  const { when, trigger, after, times } = order
  const rule = {
    when,
    do: { trigger, ...(after === 0 ? {} : { after: `${after}ms` }) },
    ...(times === null ? {} : { times }),
  }
  tell(world.life, { rule })
  await asking.control(world, 'POST', '/rules', rule, {
    name: 'POST /rules',
    model(life) {
      life.made += 1
      life.rules.push({ id: '', when, trigger, after, times, fired: 0, refused: 0 })
      return null
    },
  })
}

async function clear(asking: Asking, world: ModelWorld, what: 'clearFaults' | 'clearRules'): Promise<void> {
  const path = what === 'clearFaults' ? '/faults' : '/rules'
  sayOnly(world, `here DELETE /_sandbox${path} clears them`)
  await asking.control(world, 'DELETE', path, undefined, {
    name: `DELETE ${path}`,
    model(life) {
      if (what === 'clearFaults') life.faults = []
      else {
        for (const name of Object.keys(life.planned)) cancelJob(life, 'ruleTrigger', name)
        life.planned = {}
        life.rules = []
      }
      return null
    },
  })
}

async function orderWebhooks(
  asking: Asking,
  world: ModelWorld,
  order: Order & { order: 'hold' | 'release' | 'resend' | 'duplicate' },
): Promise<void> {
  if (order.order === 'hold') {
    const body = order.type === null ? {} : { type: order.type }
    await asking.control(world, 'POST', '/deliveries/hold', body, {
      name: 'POST /deliveries/hold',
      step: { hold: order.type === null ? true : body },
      model(life) {
        life.faults.push(holding(order.type))
        return null
      },
    })
    return
  }
  if (order.order === 'release') {
    await asking.control(
      world,
      'POST',
      '/deliveries/release',
      {},
      {
        name: 'POST /deliveries/release',
        step: { release: true },
        model(life) {
          stopHolding(life)
          letGo(life)
          return null
        },
      },
    )
    return
  }
  const { posts } = world.life
  const post = posts[posts.length - 1 - (order.nth % Math.max(posts.length, 1))]
  const which = post && sayable(world.life, post)
  if (!which) sayOnly(world, `here POST /_sandbox/deliveries/{id}/${order.order} is called`)
  await asking.control(world, 'POST', `/deliveries/${post?.id ?? NO_ID}/${order.order}`, undefined, {
    name: `POST /deliveries/{id}/${order.order}`,
    step: which ? { [order.order]: which } : undefined,
    model(life) {
      if (!post) return 'sandbox_not_found'
      if (order.order === 'resend') sendAgain(life, post)
      else sendBeside(life, post)
      return null
    },
  })
}

/** A webhook as a step names it; undefined where several are alike. */
function sayable({ posts, ...life }: Life, { kind, place, type }: Post): Record<string, unknown> | undefined {
  const alike = posts.filter((one) => one.kind === kind && one.place === place && one.type === type)
  return alike.length === 1 ? { of: life[kind][place]?.said, type } : undefined
}

async function orderSnapshot(
  asking: Asking,
  world: ModelWorld,
  { order, name }: Order & { order: 'save' | 'restore' | 'forget' },
): Promise<void> {
  const path = `/snapshots/${name}${order === 'restore' ? '/restore' : ''}`
  const method = { save: 'PUT', restore: 'POST', forget: 'DELETE' }[order]
  await asking.control(world, method, path, undefined, {
    name: `${method} /snapshots/{name}${order === 'restore' ? '/restore' : ''}`,
    model(life) {
      const saved = world.snapshots[name]
      if (order === 'save') {
        world.snapshots[name] = structuredClone(life)
        return null
      }
      if (!saved) return 'sandbox_not_found'
      if (order === 'forget') {
        const { [name]: _, ...others } = world.snapshots
        world.snapshots = others
        return null
      }
      world.life = structuredClone(saved)
      tell(world.life, { comment: `the world was put back to here, where it was saved as '${name}'` })
      world.tokens = {}
      return null
    },
  })
}

async function reset(asking: Asking, world: ModelWorld): Promise<void> {
  const { knobs, saidIds } = world.life
  await asking.control(world, 'POST', '/reset', undefined, {
    name: 'POST /reset',
    model() {
      world.life = { ...freshLife(), knobs, saidIds }
      tellReset(world.life)
      world.tokens = {}
      return null
    },
  })
}
