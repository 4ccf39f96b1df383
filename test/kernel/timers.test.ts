// Checks what the kernel takes from the host: calls later, calls that are called off, strong randomness, loud defects.
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { InvariantError, present } from '../../src/kernel/assert.ts'
import { rsaPairOf, strongHex, strongRsaKey } from '../../src/kernel/entropy.ts'
import { hostTime } from '../../src/kernel/hostTime.ts'
import { after, pause, soon } from '../../src/kernel/timers.ts'
import type { Millis } from '../../src/kernel/brands.ts'

const NOW = 0 as Millis
const NEVER = Number.MAX_SAFE_INTEGER as Millis

test('a call soon comes in its turn, unless it is called off', async () => {
  const called: string[] = []
  soon(() => called.push('first'))
  const callOff = soon(() => called.push('never'))
  callOff()
  await new Promise<void>((resolve) => void soon(resolve))
  expect(called).toEqual(['first'])
})

test('a call after some time comes, unless it is called off; a wait below zero is none', async () => {
  const called: string[] = []
  after(-5 as Millis, () => called.push('first'))
  const callOff = after(NOW, () => called.push('never'))
  callOff()
  await new Promise<void>((resolve) => void after(NOW, resolve))
  expect(called).toEqual(['first'])
})

test('a wait that no timer can take does not end at once', async () => {
  const called: string[] = []
  const callOff = after(NEVER, () => called.push('too early'))
  await pause(NOW)
  expect(called).toEqual([])
  callOff()
})

test('a pause ends by itself, and at once when it is aborted before or meanwhile', async () => {
  await pause(NOW)
  await pause(NEVER, AbortSignal.abort())
  const abort = new AbortController()
  soon(() => abort.abort())
  await expect(pause(NEVER, abort.signal)).resolves.toBeUndefined()
})

test('a pause lasts until its time has come or it is aborted, and leaves nothing at its signal', async () => {
  const abort = new AbortController()
  const ended: string[] = []
  const long = pause(NEVER, abort.signal).then(() => ended.push('long'))
  await pause(NOW, abort.signal)
  expect(ended).toEqual([])
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
  abort.abort()
  await long
  expect(ended).toEqual(['long'])
  expect(getEventListeners(abort.signal, 'abort')).toEqual([])
})

test('the time of the host is its calendar, and a stopwatch of whole milliseconds', () => {
  const [wall, stopwatch] = [Date.now(), performance.now()]
  expect(hostTime.wall()).toBeGreaterThanOrEqual(wall)
  expect(hostTime.stopwatch()).toBeGreaterThanOrEqual(Math.floor(stopwatch))
  expect(hostTime.stopwatch()).toBeLessThanOrEqual(performance.now())
  expect(Number.isInteger(hostTime.stopwatch())).toBe(true)
})

test('strong text has two digits for each byte and is another each time', () => {
  expect(strongHex(8)).toMatch(/^[0-9a-f]{16}$/)
  expect(strongHex(8)).not.toBe(strongHex(8))
})

test('a key gives a pair whose public half can be exported, without the private part', async () => {
  const { exportJWK } = await import('jose')
  const key = await strongRsaKey()
  const { publicKey } = await rsaPairOf(key)
  expect(await exportJWK(publicKey)).toEqual({ kty: 'RSA', n: key.n, e: key.e })
})

test('a defect of ours is known by its name, and a value that is missing is one', () => {
  expect(new InvariantError('broken').name).toBe('InvariantError')
  expect(present(0, 'a number')).toBe(0)
  for (const missing of [null, undefined]) expect(() => present(missing, 'a value')).toThrow('a value')
})
