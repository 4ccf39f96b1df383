// A planted strong test.
import { expect, test } from 'vitest'
import { paid } from './discount.ts'

test.each([
  [500, 2, 1_000],
  [500, 99, 49_500],
  [500, 100, 45_000],
  [500, 101, 45_450],
])('%i cents for each of %i pieces make %i', (price, pieces, sum) => {
  expect(paid(price, pieces)).toBe(sum)
})
