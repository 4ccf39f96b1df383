// Checks PIX keys: the form of each kind, which kind a text is, and how a key is hidden.
import { describe, expect, test } from 'vitest'
import { kindOfPixKey, maskPixKey, parsePixKey, PIX_KEY_FORMS } from '../../src/domain/pixKeys.ts'
import { PIX_KEY_TYPES } from '../../src/contract/enums.ts'
import type { PixKeyType } from '../../src/contract/enums.ts'

const UUID = '123e4567-e89b-12d3-a456-426614174000'
const LONG = `${'a'.repeat(69)}@b.com.b`
const LABEL = 'b'.repeat(63)

describe('a key', () => {
  test.each<[PixKeyType, string, string | null]>([
    ['CPF', '123.456.789-09', '12345678909'],
    ['CPF', '12345678000195', null],
    ['CPF', 'x', null],
    ['CNPJ', '12.345.678/0001-95', '12345678000195'],
    ['CNPJ', '12345678909', null],
    ['Email', ' Ana.Souza+x@Example.COM ', 'ana.souza+x@example.com'],
    ['Email', 'a@b', 'a@b'],
    ['Email', "!#$&'*+/=?^_`{|}~-.0@b-1.c2", "!#$&'*+/=?^_`{|}~-.0@b-1.c2"],
    ['Email', `a@${LABEL}`, `a@${LABEL}`],
    ['Email', `a@${LABEL}b`, null],
    ['Email', `a@c.${LABEL}`, `a@c.${LABEL}`],
    ['Email', `a@c.${LABEL}b`, null],
    ['Email', LONG, LONG],
    ['Email', `a${LONG}`, null],
    ['Email', 'a@b@c', null],
    ['Email', 'a b@c', null],
    ['Email', '@b', null],
    ['Email', 'a@', null],
    ['Email', 'a@-b', null],
    ['Email', 'a@b-', null],
    ['Email', 'a@b.', null],
    ['Email', 'a@b.-c', null],
    ['Email', 'a@b.c-', null],
    ['Email', 'a@b..c', null],
    ['Email', 'a@b_c', null],
    ['Email', 'a@b.c_d', null],
    ['Email', 'a', null],
    ['Email', 'é@b', null],
    ['Phone', '+55 (11) 99999-8888', '+5511999998888'],
    ['Phone', '55.11.99999.8888', '+5511999998888'],
    ['Phone', '1234567890', '+1234567890'],
    ['Phone', '123456789', null],
    ['Phone', '123456789012345', '+123456789012345'],
    ['Phone', '1234567890123456', null],
    ['Phone', '05511999998888', null],
    ['Phone', '55+11999998888', null],
    ['Phone', '++5511999998888', null],
    ['Phone', '5511999998888x', null],
    ['Random', ` ${UUID.toUpperCase()}\n`, UUID],
    ['Random', `${UUID}0`, null],
    ['Random', `0${UUID}`, null],
    ['Random', UUID.replaceAll('-', ''), null],
    ['Random', UUID.replace('e', 'g'), null],
    ['Random', UUID.replace('-12d3', ''), null],
    ['Random', UUID.replace('426614174000', '42661417400g'), null],
    ['Random', UUID.replace('a456', 'g456'), null],
  ])('of the kind %s, typed as %j, is %j', (type, typed, key) => {
    expect(parsePixKey(type, typed)).toBe(key)
  })

  test.each<[string, PixKeyType | null]>([
    ['12345678909', 'CPF'],
    ['12345678000195', 'CNPJ'],
    [UUID, 'Random'],
    ['a@b', 'Email'],
    ['+12345678909', 'Phone'],
    ['5511999998888', 'Phone'],
    ['+123', null],
    ['+a@b', null],
    ['nothing', null],
    ['', null],
  ])('that was registered as %j is of the kind %j', (text, kind) => {
    expect(kindOfPixKey(text)).toBe(kind)
  })

  test.each<[PixKeyType, string, string]>([
    ['CPF', '12345678909', '***456789**'],
    ['CNPJ', '12345678000195', '***45678000***'],
    ['Email', 'ana@example.com', 'a***@example.com'],
    ['Email', 'a@b', 'a***@b'],
    ['Phone', '+5511999998888', '***8888'],
    ['Random', UUID, '***4000'],
  ])('of the kind %s that is %s is shown as %s', (type, key, shown) => {
    expect(maskPixKey(type, key)).toBe(shown)
  })

  test('of each kind has a form that a hint can tell', () => {
    expect(Object.keys(PIX_KEY_FORMS).toSorted()).toEqual([...PIX_KEY_TYPES].toSorted())
    for (const form of Object.values(PIX_KEY_FORMS)) expect(form).toMatch(/^\d|^an? /)
  })
})
