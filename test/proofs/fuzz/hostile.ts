// Owns hostile values: what callers send by mistake or on purpose where something else is meant.
import { Raw } from './draft.ts'
import type { Random } from '../../../src/kernel/random.ts'

/** One of some things. */
export function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[random.below(from.length)]
  if (found === undefined && from.length === 0) throw new RangeError('nothing to pick from')
  return found as T
}

/** Whether something with a chance of one in `n` happens. */
export function oneIn(random: Random, n: number): boolean {
  return random.below(n) === 0
}

/** Names that mean something to JavaScript. */
export const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
] as const

/** Numbers as JSON text, most of which no caller may mean. */
export const NUMBERS = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '99',
    '100',
    '0.1',
    '0.30000000000000004',
    '1.5',
    '100.0',
    '1e2',
    '1E400',
    '1e309',
    '-1e309',
  ],
  ...[
    '1e-400',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '10000000000',
  ],
  ...['2147483648', '4294967296', '18446744073709551616', `1${'0'.repeat(400)}`, `0.${'3'.repeat(400)}`],
] as const

const TEXTS = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\r\nX-Injected: 1',
    '\u202e',
    '\ufeff',
    '\ud800',
    '\udfff\ud800',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    'ﷺ',
    'İ',
    'ß',
  ],
  ...[
    '../../etc/passwd',
    '%00',
    '%2e%2e%2f',
    '<script>alert(1)</script>',
    '{{7*7}}',
    "' OR 1=1 --",
    '${7*7}',
    'null',
    'undefined',
    'NaN',
  ],
  ...[
    'true',
    '[object Object]',
    '0x1',
    '1e3',
    '١٢٣',
    '2030-02-30',
    '2030-01-01T24:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '0000-00-00',
  ],
  ...[
    '9999-12-31T23:59:59.999Z',
    '-1ms',
    '1e99d',
    'P999999999Y',
    'PT0S',
    'http://',
    'http://[::1',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ],
  ...[
    'http://a@b@c/',
    'ana@exemplo',
    '00000000000',
    '00000000-0000-0000-0000-000000000000',
    ...PROTOTYPE_KEYS,
  ],
  ...['a'.repeat(101), 'a'.repeat(501), 'á'.repeat(256), '👍'.repeat(251), 'a'.repeat(70_000)],
]

const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 1 },
  { toString: 1 },
  [1, 'a', null],
]

/** A text that is hard to take. */
export function hostileText(random: Random): string {
  return pick(random, TEXTS)
}

/** Nested lists or objects, a few or very many. */
export function deep(random: Random): Raw {
  const depth = pick(random, [10, 200, 5_000, 40_000])
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['{"__proto__":', '}'],
  ] as const)
  return new Raw(`${open.repeat(depth)}1${close.repeat(depth)}`)
}

/** Any hostile value. */
export function hostileValue(random: Random): unknown {
  switch (random.below(8)) {
    case 0:
    case 1:
      return new Raw(pick(random, NUMBERS))
    case 2:
    case 3:
    case 4:
      return hostileText(random)
    case 5:
      return new Raw(pick(random, ['"\\ud800"', '"\\u0000"', '"\\udc00\\ud800"', '"\\u2028"', '"\\/"']))
    case 6:
      return { [pick(random, PROTOTYPE_KEYS)]: { polluted: true } }
    default:
      return pick(random, OTHERS)
  }
}
