// Checks the words of effects, what a refusal is, and the empty state.
import { expect, test } from 'vitest'
import { describeEffect } from '../../src/domain/effects.ts'
import { isRefusal, refuse, refuseCreation } from '../../src/domain/refusal.ts'
import { emptyState, recordOf } from '../../src/domain/state.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Effect } from '../../src/domain/effects.ts'

test.each<[Effect<string, string, string>, string]>([
  [{ do: 'stamp', field: 'openedAt' }, 'stamps `openedAt`'],
  [{ do: 'post', movement: 'sale' }, 'posts sale'],
  [{ do: 'emit', event: 'payment.completed' }, 'emits `payment.completed`'],
  [{ do: 'schedule', job: 'settleSale' }, 'schedules settleSale'],
  [{ do: 'cancel', job: 'settleSale' }, 'cancels settleSale'],
  [{ do: 'note', note: 'history' }, 'notes history'],
  [{ do: 'chargeBack' }, 'fires `chargeBack` on the transaction'],
])('the effect %j is told as %s', (effect, words) => {
  expect(describeEffect(effect)).toBe(words)
})

test('only a refusal is one, whatever else looks like it', () => {
  expect(isRefusal(refuse('not_found', 'Look elsewhere.'))).toBe(true)
  for (const other of [{ refused: 'not_found', message: '', hint: '' }, null, 'refused', undefined, 1]) {
    expect(isRefusal(other)).toBe(false)
  }
})

test('a refusal carries its code, its hint and the usual message unless another is given', () => {
  expect(refuse('not_found', 'Look elsewhere.')).toMatchObject({
    refused: 'not_found',
    hint: 'Look elsewhere.',
  })
  expect(refuse('not_found', 'Look elsewhere.').message).not.toBe('')
  expect(refuse('not_found', 'Look elsewhere.', 'Nada.').message).toBe('Nada.')
})

test.each([
  ['specific', 'invalid_splits'],
  ['validation_error', 'validation_error'],
])('a creation is refused by the %s code where the world chose so', (choice, code) => {
  const world = emptyWorld({ 'TX-06': choice })
  expect(refuseCreation(world, 'invalid_splits', 'Hint.', 'Nada.').refused).toBe(code)
})

test('a state begins empty, and knows only what was put into it', () => {
  const state = emptyState()
  expect(Object.values(state).every((part) => part === 0 || Object.keys(part).length === 0)).toBe(true)
  expect(recordOf({ a: 1 }, 'a')).toBe(1)
  expect([recordOf({ a: 1 }, 'b'), recordOf({}, 'toString')]).toEqual([null, null])
})
