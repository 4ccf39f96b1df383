// Owns the proof of those rows of the interface that no test of a resource is about.
import { describe, expect, test } from 'vitest'
import { DISPUTE_REASONS } from '../../src/contract/enums.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import { untilEnd } from '../webhooks/byHand.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** A dispute on a paid PIX transaction; answers its id. */
async function dispute(sandbox: TestSandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const { id: paymentId } = await createPix(sandbox)
  await sandbox.control('POST', '/trigger', { on: paymentId, do: 'confirm' })
  const { status, body } = await sandbox.control('POST', '/disputes', { paymentId, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

describe('a dispute', () => {
  // proves: every dispute reason
  test.each(DISPUTE_REASONS)('for the reason %s shows it, and is found by it alone', async (reason) => {
    const sandbox = untilEnd(openSandbox())
    const ids = new Map<string, string>()
    for (const each of DISPUTE_REASONS) ids.set(each, await dispute(sandbox, { reason: each }))
    const { body } = await sandbox.call('GET', `/v1/disputes/${ids.get(reason)}`)
    expect(body.data.reason).toBe(reason)
    const { body: list } = await sandbox.call('GET', `/v1/disputes?reason=${reason}`)
    expect(list.data.items.map(({ id }: { id: string }) => id)).toEqual([ids.get(reason)])
  })

  // proves: row dispute MerchantResponded review UnderReview, status dispute UnderReview
  test('that the merchant answered can be reviewed, and then takes no answer any more', async () => {
    const sandbox = untilEnd(openSandbox())
    const id = await dispute(sandbox)
    const path = `/v1/disputes/${id}/response`
    expect((await sandbox.call('PUT', path, { text: 'Entregue.' })).body.data.status).toBe(
      'MerchantResponded',
    )
    const { status, body } = await sandbox.control('POST', '/trigger', { on: id, do: 'review' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: 'MerchantResponded', to: 'UnderReview' })
    const refused = await sandbox.call('PUT', path, { text: 'Outro.' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'dispute_closed'])
    expect((await sandbox.call('GET', `/v1/disputes/${id}`)).body.data).toMatchObject({
      status: 'UnderReview',
      holdState: 'Held',
      responseText: 'Entregue.',
    })
  })
})

// proves: error internal_error
test('a defect of ours is answered in the envelope, and reported', async () => {
  const sandbox = untilEnd(openSandbox())
  const defect = new Error('planted')
  sandbox.world.indexes.transactions.groups.get = () => {
    throw defect
  }
  const { status, body } = await sandbox.call('GET', '/v1/transactions')
  expect([status, body.error.code, body.data]).toEqual([500, 'internal_error', null])
  expect(body.error.message).not.toContain('planted')
  expect(sandbox.defects).toEqual([defect])
})
