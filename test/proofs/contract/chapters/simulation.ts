// Owns the checks of simulating what happens to a transaction.
import { at, inShort, textAt } from '../call.ts'
import { LeftOut, once } from '../check.ts'
import { demand, refused, sameAt, shaped, succeeded, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import { create, onlyInSandbox, pixOf, retrieve, simulate } from '../suite.ts'
import { NO_ID } from './authentication.ts'
import type { Answer } from '../call.ts'
import type { Suite } from '../suite.ts'

/** Checks simulations. */
export async function simulation(suite: Suite): Promise<void> {
  suite.book.chapter('Simulating')
  await production(suite)
  await completion(suite)
  await otherActions(suite)
}

async function production({ book, gateway, environment, records }: Suite): Promise<void> {
  const answered = once(async () => {
    if (environment === 'Sandbox') throw new LeftOut('only with Production keys')
    const created = usable('PIX', await records.smallPix())
    return simulate(gateway, textAt(created, 'data.id'), 'complete')
  })
  await book.holds('a simulation with Production keys is sandbox_only', async () =>
    refused(await answered(), { code: 'sandbox_only' }),
  )
  await book.observe('AU-06', 'status of sandbox_only', '401', async () => String((await answered()).status))
}

async function completion(suite: Suite): Promise<void> {
  const { book, gateway, records } = suite
  await book.holds('complete turns a pending PIX into Completed', async () => {
    const { simulated } = await records.paid()
    sameAt(simulated, 'data.status', 'Completed')
    sameAt(simulated, 'data.simulatedAction', 'complete')
    demand('completedAt', textAt(simulated, 'data.completedAt') !== '', 'none')
  })
  await book.holds('a simulation answers its six fields and nothing else', async () => {
    const { simulated } = await records.paid()
    shaped('data', at(simulated.body, 'data'), shapes.simulated)
  })
  await book.holds('a simulation says so in a message', async () => {
    const { simulated } = await records.paid()
    demand('a message', textAt(simulated, 'message') !== '', 'none')
  })
  await book.holds('a paid PIX is read as Completed with its completedAt', async () => {
    const { retrieved, simulated } = await records.paid()
    sameAt(usable('transaction', retrieved), 'data.status', 'Completed')
    sameAt(retrieved, 'data.completedAt', at(simulated.body, 'data.completedAt'))
  })
  await book.holds('a paid PIX answers the full view and nothing else', async () => {
    const { retrieved } = await records.paid()
    shaped('data', at(usable('transaction', retrieved).body, 'data'), shapes.retrievedTransactionInFull)
  })
  await book.holds('a paid PIX names its endToEndId and its payer', async () => {
    const { retrieved } = await records.paid()
    for (const name of ['endToEndId', 'payerName', 'payerDocument', 'payerBank']) {
      demand(`pix.${name}`, textAt(usable('transaction', retrieved), `data.pix.${name}`) !== '', 'none')
    }
  })
  await book.holds('the document of the payer is masked', async () => {
    const { retrieved } = await records.paid()
    const digits = textAt(usable('transaction', retrieved), 'data.pix.payerDocument').replaceAll(/\D/g, '')
    demand('fewer than 11 digits', digits.length < 11, `${digits.length} digits`)
  })
  await book.holds('complete a second time is invalid_status', async () => {
    const { id } = await records.paid()
    refused(await simulate(gateway, id, 'complete'), { code: 'invalid_status' })
  })
  await book.holds('an unknown action is refused', async () => {
    onlyInSandbox(suite)
    const created = usable('PIX', await records.smallPix())
    refused(await simulate(gateway, textAt(created, 'data.id'), 'no such action'))
    refused(await simulate(gateway, textAt(created, 'data.id'), undefined))
  })
  await book.holds('a simulation of an unknown transaction is not_found', async () => {
    onlyInSandbox(suite)
    refused(await simulate(gateway, NO_ID, 'complete'), { code: 'not_found' })
  })
  await book.observe('TX-22', 'payer of a simulated PIX', 'its customer', async () =>
    textAt((await records.paid()).retrieved, 'data.pix.payerName') === 'Ana Souza'
      ? 'its customer'
      : 'somebody else',
  )
  await book.observe('AU-05', 'complete a second time', '400 invalid_status', async () =>
    inShort(await simulate(gateway, (await records.paid()).id, 'complete')),
  )
}

/** What the sandbox makes of each other action, and the action before it. */
const OTHER_ACTIONS = [
  { action: 'expire', first: null, to: 'Expired' },
  { action: 'fail', first: null, to: 'Failed' },
  { action: 'refund', first: 'complete', to: 'Refunded' },
] as const

async function otherActions(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  for (const { action, first, to } of OTHER_ACTIONS) {
    const acted = once(async (): Promise<{ id: string; answer: Answer }> => {
      onlyInSandbox(suite)
      const id = textAt(usable('PIX', await create(gateway, pixOf())), 'data.id')
      if (first !== null) usable('paid PIX', await simulate(gateway, id, first))
      return { id, answer: await simulate(gateway, id, action) }
    })
    await book.holds(`the action ${action} is known`, async () => {
      const { answer } = await acted()
      succeeded(answer)
      sameAt(answer, 'data.simulatedAction', action)
      shaped('data', at(answer.body, 'data'), shapes.simulated)
    })
    await book.holds(`after ${action} the transaction is read as the simulation said`, async () => {
      const { id, answer } = await acted()
      const read = usable('transaction', await retrieve(gateway, id))
      for (const name of ['status', 'completedAt', 'refundedAt']) {
        sameAt(read, `data.${name}`, at(usable('simulation', answer).body, `data.${name}`))
      }
    })
    await book.holds(`complete after ${action} is invalid_status`, async () => {
      const { id, answer } = await acted()
      usable('simulation', answer)
      refused(await simulate(gateway, id, 'complete'), { code: 'invalid_status' })
    })
    await book.observe('TX-09', `status after ${action}`, to, async () =>
      textAt(usable('simulation', (await acted()).answer), 'data.status'),
    )
  }
}
