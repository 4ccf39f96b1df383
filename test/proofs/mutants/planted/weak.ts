// A planted weak test: it never asks at the limit, nor what comes off.
import { expect, test } from 'vitest'
import { paid } from './discount.ts'

test('pieces are paid', () => {
  expect(paid(500, 2)).toBe(1_000)
})
