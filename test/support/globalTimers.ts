// Lets a test replace the host timers of src: `vi.mock('node:timers', …)` hands src the global ones, which can be faked.

/** What stands in for `node:timers`. */
export function globalTimers(): Record<string, (...given: never[]) => unknown> {
  const names = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...given: never[]): unknown => (globalThis[name] as (...args: never[]) => unknown)(...given),
    ]),
  )
}
