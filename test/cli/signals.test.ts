// Checks ending on signals in this process, where both can be sent before anything else happens.
import { afterEach, expect, test, vi } from 'vitest'
import { exec } from '../../src/cli/exec.ts'
import { firstSignalToEnd } from '../../src/cli/signals.ts'
import { start } from '../../src/cli/start.ts'

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
  const { told } = firstSignalToEnd()
  expect(told.aborted).toBe(false)
  process.emit(first, first)
  expect([told.aborted, told.reason, exit.mock.calls]).toEqual([true, first, []])
  process.emit(second, second)
  expect(exit.mock.calls).toEqual([[code]])
})

test('who leaves hears nothing more', () => {
  for (const signal of kept.keys()) process.removeAllListeners(signal)
  const { told, leave } = firstSignalToEnd()
  leave()
  expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM'), told.aborted]).toEqual([
    0,
    0,
    false,
  ])
})

test.each([
  ['exec, whose command never begins,', exec, ['--', 'no-such-command-anywhere'], 143],
  ['start', start, ['--port', '0'], undefined],
] as const)('%s ends when it was told to before it listens', async (_name, verb, args, code) => {
  const said = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  const ending = { told: AbortSignal.abort('SIGTERM'), leave: vi.fn<() => void>() }
  await verb([...args], ending)
  const { exitCode } = process
  process.exitCode = undefined
  expect([exitCode, ending.leave.mock.calls]).toEqual([code, []])
  for (const each of said) expect(each).not.toHaveBeenCalled()
})
