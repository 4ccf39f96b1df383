// Checks faults: arming, firing as often as told on the right call, listing and clearing, and what ends them.
import { describe, expect, test } from 'vitest'
import { control, NO_ID, outcome } from '../http/calls.ts'
import { begin, CONFIRM, reach } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const CHANGED = { on: { operation: 'respondToDispute' }, do: 'dispute_changed' }

/** An open dispute. */
async function disputed(sandbox: TestSandbox): Promise<string> {
  const { id: paymentId } = await reach(sandbox, [CONFIRM])
  return (await control(sandbox, 'POST', '/disputes', { paymentId })).id
}

/** Answers a dispute. */
const respond = (sandbox: TestSandbox, id: string, headers: Record<string, string> = {}): Promise<Answered> =>
  sandbox.call('PUT', `/v1/disputes/${id}/response`, { text: 'Entregue.' }, { headers })

/** Attaches a file to a dispute. */
const attach = (sandbox: TestSandbox, id: string): Promise<Answered> =>
  sandbox.call(
    'POST',
    `/v1/disputes/${id}/evidences`,
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--edge--\r\n',
    { headers: { 'Content-Type': 'multipart/form-data; boundary=edge' } },
  )

/** How often each fault fired, newest first. */
const fired = async (sandbox: TestSandbox): Promise<number[]> =>
  (await control(sandbox, 'GET', '/faults')).items.map((each: { fired: number }) => each.fired)

describe('the fault dispute_changed', () => {
  test('answers one response with 409, changes nothing but the tag, and lets the next one in', async () => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    const { body, status } = await sandbox.control('POST', '/faults', CHANGED)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...CHANGED,
      subject: null,
      nth: null,
      probability: null,
      times: 1,
      after: null,
      until: null,
      seen: 0,
      fired: 0,
    })
    const before = (await sandbox.call('GET', `/v1/disputes/${id}`)).headers.get('etag')
    const refused = await respond(sandbox, id)
    expect(outcome(refused)).toBe('409 conflict')
    expect(refused.headers.get('x-sandbox-hint')).toContain('dispute_changed')
    const read = await sandbox.call('GET', `/v1/disputes/${id}`)
    expect(read.body.data).toMatchObject({ status: 'Open', hasResponse: false })
    expect(read.headers.get('etag')).not.toBe(before)
    expect(await fired(sandbox)).toEqual([1])
    expect(outcome(await respond(sandbox, id, { 'If-Match': before ?? '' }))).toBe('409 conflict')
    expect(outcome(await respond(sandbox, id, { 'If-Match': read.headers.get('etag') ?? '' }))).toBe('200')
    expect(await fired(sandbox)).toEqual([1])
  })

  test.each([1, 2, 5])('fires %d times when it is told so', async (times) => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    await control(sandbox, 'POST', '/faults', { ...CHANGED, times })
    const found: string[] = []
    for (let count = 0; count < times + 1; count++) found.push(outcome(await respond(sandbox, id)))
    expect(found).toEqual([...Array.from({ length: times }, () => '409 conflict'), '200'])
    expect(await fired(sandbox)).toEqual([times])
  })

  test('befalls the operation that it names, and no other', async () => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    await control(sandbox, 'POST', '/faults', { ...CHANGED, on: { operation: 'addDisputeEvidence' } })
    expect(outcome(await respond(sandbox, id))).toBe('200')
    expect(outcome(await attach(sandbox, id))).toBe('409 conflict')
    expect(sandbox.world.files.size).toBe(0)
    expect(outcome(await attach(sandbox, id))).toBe('201')
  })

  test('befalls the dispute that it names, and no other', async () => {
    const sandbox = begin()
    const [first, second] = [await disputed(sandbox), await disputed(sandbox)]
    await control(sandbox, 'POST', '/faults', { ...CHANGED, subject: second })
    expect(outcome(await respond(sandbox, first))).toBe('200')
    expect(await fired(sandbox)).toEqual([0])
    expect(outcome(await respond(sandbox, second))).toBe('409 conflict')
  })

  test('does not fire on a call that is refused before its state is looked at', async () => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    await control(sandbox, 'POST', '/faults', CHANGED)
    await sandbox.call('PUT', `/v1/disputes/${id}/response`, {})
    await sandbox.call('PUT', `/v1/disputes/${NO_ID}/response`, { text: 'x' })
    await sandbox.send('PUT', `/v1/disputes/${id}/response`, { body: { text: 'x' } })
    expect(await fired(sandbox)).toEqual([0])
    expect(outcome(await respond(sandbox, id))).toBe('409 conflict')
  })

  test('fires one fault a call when two are armed, the older first', async () => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    await control(sandbox, 'POST', '/faults', CHANGED)
    await control(sandbox, 'POST', '/faults', CHANGED)
    await respond(sandbox, id)
    expect(await fired(sandbox)).toEqual([0, 1])
    await respond(sandbox, id)
    expect(outcome(await respond(sandbox, id))).toBe('200')
  })

  test('belongs to one world', async () => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    await control(sandbox, 'POST', '/worlds', { id: 'other' })
    await control(sandbox, 'POST', '/worlds/other/faults', CHANGED)
    expect(outcome(await respond(sandbox, id))).toBe('200')
    expect((await control(sandbox, 'GET', '/faults')).items).toEqual([])
  })
})

describe('faults', () => {
  test.each([
    [{ ...CHANGED, on: { operation: 'getBalance' } }, 'respondToDispute or addDisputeEvidence'],
    [{ ...CHANGED, on: { operation: 'respond' } }, 'operation'],
    [{ ...CHANGED, on: {} }, 'operation'],
    [{ ...CHANGED, on: undefined }, 'on'],
    [{ ...CHANGED, do: 'explode' }, 'do'],
    [{ ...CHANGED, do: undefined }, 'do'],
    [{ ...CHANGED, times: 0 }, 'times'],
    [{ ...CHANGED, times: 1.5 }, 'times'],
    [{ ...CHANGED, times: 1_000_001 }, 'times'],
    [{ ...CHANGED, time: 1 }, 'time'],
    [{ ...CHANGED, subject: 7 }, 'subject'],
  ])('are not armed by %j', async (body, named) => {
    const sandbox = begin()
    const answered = await sandbox.control('POST', '/faults', body)
    expect(outcome(answered)).toBe('400 sandbox_bad_request')
    expect(answered.body.error.message).toContain(named)
    expect(sandbox.world.faults).toEqual([])
  })

  test('are listed newest first, and cleared one by one or all at once', async () => {
    const sandbox = begin()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push((await control(sandbox, 'POST', '/faults', CHANGED)).id)
    const left = async (): Promise<string[]> =>
      (await control(sandbox, 'GET', '/faults')).items.map(({ id }: { id: string }) => id)
    expect(await left()).toEqual(ids.toReversed())
    expect(await control(sandbox, 'DELETE', `/faults?id=${ids[1]}`)).toMatchObject({ cleared: 1 })
    expect(await left()).toEqual([ids[2], ids[0]])
    expect(outcome(await sandbox.control('DELETE', `/faults?id=${ids[1]}`))).toBe('404 sandbox_not_found')
    expect(await control(sandbox, 'DELETE', '/faults')).toMatchObject({ cleared: 2 })
    expect(await control(sandbox, 'DELETE', '/faults')).toMatchObject({ cleared: 0 })
  })

  test('that never fired are named when the world settles', async () => {
    const sandbox = begin()
    const id = await disputed(sandbox)
    const used = await control(sandbox, 'POST', '/faults', CHANGED)
    const unused = await control(sandbox, 'POST', '/faults', { ...CHANGED, subject: NO_ID })
    await respond(sandbox, id)
    const { unusedFaults } = await control(sandbox, 'POST', '/settle')
    expect(unusedFaults).toEqual([unused.id])
    expect(unusedFaults).not.toContain(used.id)
  })

  test('are gone after a reset', async () => {
    const sandbox = begin()
    await control(sandbox, 'POST', '/faults', CHANGED)
    await control(sandbox, 'POST', '/reset')
    expect((await control(sandbox, 'GET', '/faults')).items).toEqual([])
  })

  test('are at most a thousand', async () => {
    const sandbox = begin()
    for (let count = 0; count < 1_000; count++) await control(sandbox, 'POST', '/faults', CHANGED)
    const answered = await sandbox.control('POST', '/faults', CHANGED)
    expect(outcome(answered)).toBe('400 sandbox_bad_request')
    expect(answered.body.error.message).toContain('DELETE')
  })
})
