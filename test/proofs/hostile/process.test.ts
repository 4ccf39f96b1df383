// Checks that what a system does not tell of a process is told as unknown, and not as nothing.
import { expect, test } from 'vitest'
import { peakOf, socketsOf } from './process.ts'

test('of a process that the system does not tell of, neither sockets nor memory are known', () => {
  expect([socketsOf(-1), peakOf(-1)]).toEqual([null, null])
})
