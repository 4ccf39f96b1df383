// Checks ending on signals in this process, where both can be sent before anything else happens.
import { afterEach, expect, test, vi } from 'vitest'
import { firstSignalToEnd } from '../../src/cli/signals.ts'

const kept = new Map(
  (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, process.listeners(signal)] as const),
)

afterEach(() => {
  vi.restoreAllMocks()
  for (const [signal, listeners] of kept) {
    process.removeAllListeners(signal)
    for (const listener of listeners) process.on(signal, listener)
  }
})

test.each([
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGINT', 'SIGTERM', 143],
] as const)('after %s a second signal, %s, ends the process at once', (first, second, code) => {
  for (const signal of kept.keys()) process.removeAllListeners(signal)
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const told = firstSignalToEnd()
  expect(told.aborted).toBe(false)
  process.emit(first, first)
  expect([told.aborted, exit.mock.calls]).toEqual([true, []])
  process.emit(second, second)
  expect(exit.mock.calls).toEqual([[code]])
})
