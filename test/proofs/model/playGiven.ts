// Owns giving worlds records: how entries are sent and said, to a world that is there or with one that is made.
import * as bodies from '../../properties/bodies.ts'
import { DUE_DAYS, give, inGivenOrder } from './given.ts'
import { personFields } from './operations.ts'
import { NO_ID } from './picking.ts'
import { hookUrl } from './server.ts'
import { tell } from './story.ts'
import { SCOPES } from './world.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Asking } from './asking.ts'
import type { Entry } from './given.ts'
import type { Life, ModelWorld } from './world.ts'

type Fields = Record<string, unknown>

/** Gives a world records. */
export async function playGiven(asking: Asking, world: ModelWorld, entries: readonly Entry[]): Promise<void> {
  const [, receiver] = Object.values(asking.running(world).state.organizations)
  const body = givenBody(world.life, entries, receiver?.id ?? NO_ID)
  await asking.control(world, 'POST', '/given', body, {
    name: 'POST /given',
    model: (life) => (giveAndTell(life, entries, body) ? null : 'sandbox_bad_request'),
  })
}

/** Gives records in the model, and says so; answers whether they could be given. */
export function giveAndTell(life: Life, entries: readonly Entry[], body: Fields): boolean {
  const isGiven = give(life, entries)
  tell(
    life,
    isGiven ? { given: body } : { comment: `here POST /_sandbox/given is refused ${JSON.stringify(body)}` },
  )
  return isGiven
}

/** What is sent for entries; `receiver` is the id of the second organisation. */
export function givenBody(life: Life, entries: readonly Entry[], receiver: string): Fields {
  const places = {
    transaction: life.transactions.length,
    cashout: life.cashouts.length,
    dispute: life.disputes.length,
  }
  const ids = life.transactions.map(({ id }) => id)
  const [lists, balance]: [Record<string, Fields[]>, Fields[]] = [{}, []]
  for (const entry of inGivenOrder(entries)) {
    if (entry.give === 'money') balance.push(moneyFields(entry, receiver))
    else {
      const sent = fieldsOf(life.now, entry, receiver, ids)
      const list = (lists[`${entry.give}s`] ??= [])
      if (entry.give === 'customer') list.push(sent)
      else {
        const as = `${entry.give === 'transaction' ? 'sale' : entry.give}${places[entry.give]++}`
        list.push({ as, ...sent })
        if (entry.give === 'transaction') ids.push(as)
      }
    }
  }
  return { ...lists, ...(balance.length === 0 ? {} : { balance }) }
}

const ownerFields = (by: Caller, receiver: string): Fields => ({
  environment: SCOPES[by].env,
  ...(SCOPES[by].org === 'receiver' ? { organization: receiver } : {}),
})

function moneyFields({ by, fund, all }: Entry & { give: 'money' }, receiver: string): Fields {
  return { ...ownerFields(by, receiver), fund, ...(all === null ? {} : { requireFullWithdrawal: all }) }
}

/** @param ids transactions that are there, and names of those that are given, in their order */
function fieldsOf(
  now: number,
  entry: Exclude<Entry, { give: 'money' }>,
  receiver: string,
  ids: readonly string[],
): Fields {
  const hook = 'hook' in entry && entry.hook ? { callbackUrl: hookUrl('good') } : {}
  switch (entry.give) {
    case 'customer': {
      const { number, externalId, inactive } = entry
      return {
        ...ownerFields(entry.by, receiver),
        ...personFields(number),
        ...(externalId === null ? {} : { externalId }),
        ...(inactive ? { status: 'Inactive' } : {}),
      }
    }
    case 'transaction': {
      const { method, amount, customer, status, refund } = entry
      return {
        ...ownerFields(entry.by, receiver),
        ...{ method, amount, status },
        ...hook,
        ...bodies.customerFields(customer),
        ...(method === 'CreditCard' ? bodies.CARD : {}),
        ...(method === 'Boleto' ? { boletoDueDate: bodies.dayIn(now, DUE_DAYS) } : {}),
        ...(refund === null ? {} : { refundAmount: refund }),
      }
    }
    case 'dispute': {
      const { nth, amount, days, status, text } = entry
      const transaction = ids[ids.length - 1 - (nth % Math.max(ids.length, 1))] ?? NO_ID
      return {
        ...{ transaction, status },
        ...(amount === null ? {} : { amount }),
        ...(days === null ? {} : { deadline: `${days}d` }),
        ...(text ? bodies.RESPONSE : {}),
      }
    }
    case 'cashout': {
      const { amount, status } = entry
      return { ...ownerFields(entry.by, receiver), amount, ...bodies.PIX_KEY, ...hook, status }
    }
    default:
      return entry satisfies never
  }
}
