// Checks when answers and deliveries go out: after the write that they rest on, with `fsync` after the disk itself has it,
// and not at all while nothing can be written.
import { fdatasync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { inFolder, openKept } from './kept.ts'
import type { NoParamCallback } from 'node:fs'
import type { KeptOptions, KeptSandbox } from './kept.ts'

vi.mock(import('node:fs'), async (original) => {
  const real = await original()
  return { ...real, writeSync: vi.fn(real.writeSync), fdatasync: vi.fn(real.fdatasync) } as never
})

const writes = vi.mocked(writeSync)
const syncs = vi.mocked(fdatasync as (file: number, done: NoParamCallback) => void)

beforeEach(() => {
  writes.mockClear()
  syncs.mockClear()
})

/** Runs something with a sandbox on a new file. */
const withSandbox = (
  options: KeptOptions,
  run: (sandbox: KeptSandbox, journal: () => string, path: string) => Promise<void>,
): Promise<void> =>
  inFolder(async (folder) => {
    const path = join(folder, 'sandbox.json')
    const sandbox = await openKept(path, options)
    try {
      await run(sandbox, () => readFileSync(`${path}.journal.1`, 'utf8'), path)
    } finally {
      await sandbox.end()
    }
  })

describe('what was written', () => {
  test('is on disk before it is answered, and before a delivery of it is sent', () =>
    withSandbox({}, async (sandbox, journal) => {
      const sent: boolean[] = []
      sandbox.worlds.host.sender = {
        send({ headers }) {
          sent.push(journal().includes(headers['X-Service-Delivery'] ?? 'no id'))
          return Promise.resolve({ status: 204, answer: '' })
        },
      }
      const { id } = await createPix(sandbox, { callbackUrl: 'http://shop.test/hook' })
      expect(journal()).toContain(id)
      await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
      await sandbox.control('POST', '/settle', {})
      // Sent while the call that makes it is still at work.
      await sandbox.control('POST', '/faults', { on: { delivery: {} }, do: { send: 'beforeResponse' } })
      await sandbox.control('POST', '/trigger', { on: id, do: 'refund' })
      expect(sent).toEqual([true, true])
      expect(journal()).toContain('"status":"delivered"')
    }))

  test('goes out in one write for all worlds and calls of a turn', () =>
    withSandbox({}, async (sandbox) => {
      await sandbox.control('POST', '/worlds', { id: 'shop' })
      const tokens = await Promise.all([sandbox.token(), sandbox.token('pk_sandbox_shop')])
      const sell = (token: string): Promise<unknown> =>
        sandbox.send('POST', '/v1/transactions', { token, body: { method: 'Pix', amount: 500 } })
      await Promise.all(tokens.map(sell))
      writes.mockClear()
      await Promise.all([...tokens, ...tokens, ...tokens].map(sell))
      expect(writes.mock.calls.length).toBeLessThan(6)
      await sandbox.call('GET', '/v1/balance')
      writes.mockClear()
      await sandbox.call('GET', '/v1/balance')
      expect(writes).not.toHaveBeenCalled()
    }))

  test('costs no more in a large store than in a small one', () =>
    withSandbox({}, async (sandbox) => {
      const bytesOf = async (): Promise<number> => {
        writes.mockClear()
        await createPix(sandbox, { externalId: 'always the same length' })
        return writes.mock.calls.reduce((sum, [, bytes]) => sum + (bytes as unknown as Uint8Array).length, 0)
      }
      await createPix(sandbox)
      const small = await bytesOf()
      for (let count = 0; count < 300; count += 1) await createPix(sandbox)
      expect(Math.abs((await bytesOf()) - small)).toBeLessThan(60)
    }))
})

describe('with fsync', () => {
  test('an answer waits for the disk, and those that wait together share one turn of it', () =>
    withSandbox({ durable: true }, async (sandbox) => {
      await sandbox.token()
      await createPix(sandbox)
      const done: NoParamCallback[] = []
      syncs.mockImplementation((_file, callback) => void done.push(callback))
      let answered = 0
      const sales = Array.from({ length: 8 }, async () => {
        await createPix(sandbox)
        answered += 1
      })
      await vi.waitFor(() => expect(Object.keys(sandbox.world.state.transactions)).toHaveLength(9))
      await vi.waitFor(() => expect(done).toHaveLength(1))
      expect(answered).toBe(0)
      done.shift()?.(null)
      await vi.waitFor(() => {
        done.shift()?.(null)
        expect(answered).toBe(8)
      })
      await Promise.all(sales)
      expect(syncs.mock.calls.length).toBeLessThan(8)
      syncs.mockReset()
      const { fdatasync: real } = await vi.importActual<typeof import('node:fs')>('node:fs')
      syncs.mockImplementation(real)
    }))

  test('nothing waits for the disk without it', () =>
    withSandbox({}, async (sandbox) => {
      await createPix(sandbox)
      expect(syncs).not.toHaveBeenCalled()
    }))
})

test('while nothing can be written calls are refused, and all of it is made up for afterwards', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'sandbox.json')
    const sandbox = await openKept(path)
    const { id } = await createPix(sandbox)
    const { writeSync: real } = await vi.importActual<typeof import('node:fs')>('node:fs')
    writes.mockImplementation(((file: number, bytes: Uint8Array) => {
      real(file, bytes.subarray(0, 10))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }) as never)
    const refused = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 700 })
    expect([refused.status, refused.body.error.code]).toEqual([500, 'internal_error'])
    const ordered = await sandbox.control('PATCH', '/balance', { fund: 5 })
    expect([ordered.status, ordered.body.error.code]).toEqual([500, 'sandbox_internal_error'])
    expect(sandbox.defects[0]).toMatchObject({ code: 'ENOSPC' })
    writes.mockImplementation(real as never)
    const later = await createPix(sandbox)
    await sandbox.die()
    const next = await openKept(path)
    const { transactions, postings } = next.world.state
    expect(Object.keys(transactions)).toEqual([id, expect.any(String), later.id])
    expect(postings).toHaveLength(1)
    await next.end()
  }))
