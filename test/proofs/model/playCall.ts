// Owns playing the calls that `calls.ts` draws: what each asks of the gateway and of the control API.
import * as bodies from '../../properties/bodies.ts'
import { BY_THEMSELVES, fire } from './machines.ts'
import { bucket, fund, inAccount } from './money.ts'
import * as operations from './operations.ts'
import { NO_ID, pathOf, pick } from './picking.ts'
import { answerDispute, dispute } from './playDispute.ts'
import { advance } from './work.ts'
import { hookUrl } from './server.ts'
import { SCOPES } from './world.ts'
import type { Knobs } from './knobs.ts'
import type { Call } from '../../properties/calls.ts'
import type { Asking } from './asking.ts'
import type { Kind, ModelWorld } from './world.ts'

/** Plays one call. */
export async function playCall(asking: Asking, world: ModelWorld, call: Call): Promise<void> {
  const { life } = world
  switch (call.do) {
    case 'sell':
      return sell(asking, world, call)
    case 'trigger':
      return trigger(asking, world, call)
    case 'dispute':
      return dispute(asking, world, call)
    case 'fund':
    case 'requireAll':
      return changeBalance(asking, world, call)
    case 'simulate': {
      const picked = pick(life, 'transactions', call.nth)
      await asking.gateway(world, {
        operation: 'simulateTransaction',
        by: picked.by,
        ...pathOf(picked),
        body: { action: call.action },
        work: (at) => operations.simulateTransaction(at, picked.place, call.action),
      })
      return
    }
    case 'withdraw':
      return withdraw(asking, world, call)
    case 'cashout': {
      const picked = pick(life, 'cashouts', call.nth)
      const isCancel = call.action === 'cancel'
      await asking.gateway(world, {
        operation: isCancel ? 'cancelCashout' : 'simulateCashout',
        by: picked.by,
        ...pathOf(picked),
        ...(isCancel ? {} : { body: { action: call.action } }),
        work: (at) => operations.moveCashout(at, picked.place, call.action),
      })
      return
    }
    case 'answer':
      return answerDispute(asking, world, call.nth, call.file, 'good')
    case 'customer': {
      const picked = pick(life, 'customers', call.nth)
      const body = bodies.customerChange(call)
      await asking.gateway(world, {
        operation: 'updateCustomer',
        by: picked.by,
        ...pathOf(picked),
        body,
        work: (at) => operations.updateCustomer(at, picked.place, body),
      })
      return
    }
    case 'advance':
      await asking.control(
        world,
        'POST',
        '/clock/advance',
        { by: `${call.minutes}m` },
        {
          name: 'POST /clock/advance',
          step: { advance: `${call.minutes}m` },
          model(at) {
            advance(at, ({ now }) => now + call.minutes * 60_000)
            return null
          },
        },
      )
      return
    case 'choose':
      return choose(asking, world, call.silences)
    default:
      return call satisfies never
  }
}

/** Chooses knobs. */
export async function choose(
  asking: Asking,
  world: ModelWorld,
  silences: Record<string, unknown>,
): Promise<void> {
  await asking.control(world, 'PATCH', '/silences', silences, {
    name: 'PATCH /silences',
    step: { silences },
    model({ knobs }) {
      Object.assign(knobs, silences as Partial<Knobs>)
      return null
    },
  })
}

async function sell(asking: Asking, world: ModelWorld, call: Call & { do: 'sell' }): Promise<void> {
  const { life } = world
  const [merchant, receiver] = Object.values(asking.running(world).state.organizations)
  const splitCodes = { sandbox: merchant?.splitCode, receiver: receiver?.splitCode }
  const { method, amount, splits } = call
  const place = life.transactions.length
  const { code, seen } = await asking.gateway(world, {
    operation: 'createTransaction',
    by: call.by,
    body: bodies.saleBody(call, { hook: hookUrl('good'), splitCodes, now: life.now }),
    as: `sale${place}`,
    work: (at) =>
      operations.createTransaction(at, call.by, {
        method,
        amount,
        splits,
        hook: call.hook ? 'good' : null,
        payer: bodies.customerFields(call.customer),
        dueDays: 5,
        card: null,
        externalId: null,
      }),
  })
  const isKnown = code === null && seen === 'all'
  if (call.paid && isKnown) await fireByHand(asking, world, 'transactions', place, 'confirm', {})
}

async function trigger(
  asking: Asking,
  world: ModelWorld,
  { kind, nth, on, amount }: Call & { do: 'trigger' },
): Promise<void> {
  const { place } = pick(world.life, kind, nth)
  const sale = kind === 'transactions' ? world.life.transactions[place] : undefined
  const sent = bodies.triggerFields({ on, amount }, sale ? sale.amount - sale.refunded : 0)
  await fireByHand(asking, world, kind, place, on, sent)
}

async function fireByHand(
  asking: Asking,
  world: ModelWorld,
  kind: Kind,
  place: number,
  on: string,
  sent: { amount?: number },
): Promise<void> {
  const one = world.life[kind][place]
  const isSayable = one !== undefined && !['create', 'chargeBack', 'addEvidence', 'open'].includes(on)
  await asking.control(
    world,
    'POST',
    '/trigger',
    { on: one?.id ?? NO_ID, do: on, ...sent },
    {
      name: `${kind} ${on}`,
      step: isSayable ? { trigger: { on: one.said, do: on, ...sent } } : undefined,
      model(at) {
        if (!one) return 'sandbox_not_found'
        if (BY_THEMSELVES.has(on)) return 'sandbox_trigger_refused'
        const why = fire(at, kind, place, on, sent)
        if (why === null) return null
        return why === 'amount' ? 'sandbox_bad_amount' : 'sandbox_trigger_refused'
      },
    },
  )
}

async function changeBalance(
  asking: Asking,
  world: ModelWorld,
  call: Call & { do: 'fund' | 'requireAll' },
): Promise<void> {
  const [merchant, receiver] = Object.values(asking.running(world).state.organizations)
  const scope = SCOPES[call.by]
  const change = call.do === 'fund' ? { fund: call.amount } : { requireFullWithdrawal: call.required }
  const owner = scope.org === 'receiver' ? { organization: '$world.receiver.id' } : {}
  await asking.control(
    world,
    'PATCH',
    '/balance',
    { organization: (scope.org === 'receiver' ? receiver : merchant)?.id, environment: scope.env, ...change },
    {
      name: 'PATCH /balance',
      step: { balance: { ...owner, environment: scope.env, ...change } },
      model(at) {
        if (call.do === 'fund') fund(at, scope, call.amount)
        else at.takeAll[`${scope.org}:${scope.env}`] = call.required
        return null
      },
    },
  )
}

async function withdraw(asking: Asking, world: ModelWorld, call: Call & { do: 'withdraw' }): Promise<void> {
  const { life } = world
  const available = Math.max(0, inAccount(life, bucket(SCOPES[call.by], 'available')))
  const { amount } = { amount: available, ...bodies.amountField(call.amount, available) }
  await asking.gateway(world, {
    operation: 'createCashout',
    by: call.by,
    body: { amount, ...bodies.PIX_KEY, ...(call.hook ? { callbackUrl: hookUrl('good') } : {}) },
    as: `cashout${life.cashouts.length}`,
    work: (at) => operations.createCashout(at, call.by, amount, call.hook ? 'good' : null, 'good'),
  })
}
