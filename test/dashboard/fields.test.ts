// Checks what the fields of a page are sent as: a wrong reading of money would move a wrong amount.
import { describe, expect, test } from 'vitest'
import { valueOf } from '../../src/dashboard/assets/fields.js'

describe('what fields are sent as', () => {
  test.each([
    ['29,90', 2990],
    ['29.90', 2990],
    ['29,9', 2990],
    ['29', 2900],
    ['0,01', 1],
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['1.234', 123_400],
    ['1,000', 100_000],
    ['1.234.567,8', 123_456_780],
    ['1,234,567', 123_456_700],
    ['1234,56', 123_456],
    ['R$ 10,00', 1000],
    [' 10,00 ', 1000],
  ])('reais: %s is %d cents', (text, cents) => {
    expect(valueOf(text, 'money')).toBe(cents)
  })

  test.each([
    '1e3',
    '0x10',
    'abc',
    '',
    '-5',
    '1,2345',
    '1.23.45',
    '1,23,456',
    '1.234.56',
    '12.34,56',
    '1 000',
    'R$',
  ])('reais: %j is no amount, and goes as it was typed', (text) => {
    expect(valueOf(text, 'money')).toBe(text)
  })

  test.each([
    ['12', 'number', 12],
    ['1.5', 'number', 1.5],
    ['x', 'number', 'x'],
    ['true', 'value', true],
    ['-3', 'value', -3],
    ['0.25', 'value', 0.25],
    ['1,5', 'value', '1,5'],
    ['12', 'text', '12'],
    ['12', undefined, '12'],
  ])('%j in a field of type %s is %j', (text, type, value) => {
    expect(valueOf(text, type)).toBe(value)
  })
})
