// Owns the kinds of damage that are done to a request, each to its parts or to the bytes of its body.
import { deep, hostileText, hostileValue, NUMBERS, oneIn, pick, PROTOTYPE_KEYS } from './hostile.ts'
import { Raw, render } from './draft.ts'
import { idOf, inAddress, isObject } from './recipes.ts'
import { sampleOf } from './sample.ts'
import { TOKEN_DAMAGE } from './tokenDamage.ts'
import { resolved } from './documents.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { JsonSchema } from '../../../src/contract/openapiSchemas.ts'
import type { Draft } from './draft.ts'
import type { Making } from './recipes.ts'

/** Does one kind of damage; a request that has no such part stays as it is. */
type Damage = (draft: Draft, making: Making) => void

/** A place in a tree of JSON. */
interface Place {
  holder: Record<string, unknown> | unknown[]
  key: string | number
}

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (value instanceof Raw || typeof value !== 'object' || value === null || found.length > 200) return found
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value)
  for (const [key, part] of entries) {
    found.push({ holder: value as Place['holder'], key })
    placesIn(part, found)
  }
  return found
}

/** Changes one value of the body; a body without any gets a strange field. */
function changeOne({ json }: Draft, random: Random, change: (old: unknown) => unknown): void {
  const places = placesIn(json)
  if (places.length === 0) {
    if (isObject(json)) setOwn(json, 'extra', change(undefined))
    return
  }
  const { holder, key } = pick(random, places)
  if (Array.isArray(holder)) holder[Number(key)] = change(holder[Number(key)])
  else setOwn(holder, String(key), change(holder[key]))
}

/** Sets a field also where its name means something to JavaScript. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Damage to the parts of a request. */
export const PART_DAMAGE = {
  dropField({ json }, { random }) {
    const places = placesIn(json)
    if (places.length === 0) return
    const { holder, key } = pick(random, places)
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  hostileValue: (draft, { random }) => changeOne(draft, random, () => hostileValue(random)),
  oddNumber: (draft, { random }) => changeOne(draft, random, () => new Raw(pick(random, NUMBERS))),
  wrongType: (draft, { random }) =>
    changeOne(draft, random, (old) =>
      pick(random, [[old], { value: old }, render(old), render(old).length, null, !old]),
    ),
  deepNesting: (draft, { random }) => changeOne(draft, random, () => deep(random)),
  addField({ json }, { random }) {
    const objects = [json, ...placesIn(json).map(({ holder }) => holder)].filter(isObject)
    if (objects.length === 0) return
    const name = pick(random, [...PROTOTYPE_KEYS, '', '\u0000', 'status', 'id', 'x'.repeat(5_000)])
    setOwn(pick(random, objects), name, hostileValue(random))
  },
  schemaField({ json, operation: { body, definitions } }, { random }) {
    if (body === null || !isObject(json)) return
    const fields = Object.entries(
      (resolved(body, definitions)['properties'] ?? {}) as Record<string, JsonSchema>,
    )
    if (fields.length === 0) return
    const [name, schema] = pick(random, fields)
    setOwn(json, name, sampleOf(schema, definitions, random))
  },
  wholeBody(draft, { random }) {
    if (draft.json === undefined) return
    draft.json = pick(random, [
      null,
      [],
      'text',
      5,
      [draft.json],
      new Raw(''),
      new Raw('{'),
      new Raw('{}{}'),
      deep(random),
    ])
  },
  swapId(draft, making) {
    const kind = pick(making.random, [
      'transactions',
      'customers',
      'cashouts',
      'disputes',
      'deliveries',
    ] as const)
    const id = pick(making.random, [
      idOf(making, kind),
      idOf(making, kind).toUpperCase(),
      hostileText(making.random),
    ])
    draft.path = replacePart(draft.path, making.random, inAddress(id))
  },
  pathEncoding(draft, { random }) {
    const odd = [
      '%00',
      '%2e%2e',
      '..%2f..',
      '%',
      '%zz',
      '%c0%af',
      '%ff',
      '%F0%9F%92%A9',
      '%2F',
      '%25',
      'a;b=c',
      'x'.repeat(3_000),
    ]
    draft.path = replacePart(draft.path, random, pick(random, odd))
  },
  pathShape(draft, { random }) {
    const shapes: ((path: string) => string)[] = [
      (path) => `${path}/`,
      (path) => `/${path}`,
      (path) => path.replaceAll('/', '//'),
      (path) => path.toUpperCase(),
      (path) => `${path};a=b`,
      (path) => `${path}/../${path.split('/').at(-1) ?? ''}`,
      (path) => `${path}/${'a/'.repeat(200)}`,
      (path) => path.split('/').slice(0, -1).join('/') || '/',
    ]
    draft.path = pick(random, shapes)(draft.path)
  },
  otherMethod(draft, { random }) {
    draft.method = pick(random, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'])
  },
  oddQuery(draft, { random }) {
    const { parameters } = draft.operation
    const names = [
      ...parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      ...PROTOTYPE_KEYS,
    ]
    const name = pick(random, [...names, 'page', 'limit', 'page[]', 'filter[a][b]', '', '%00'])
    const values = [
      '0x1',
      '-1',
      '1e3',
      '1.0',
      '١',
      '%00',
      '%',
      '%ff',
      '',
      '9'.repeat(400),
      'a'.repeat(3_000),
      '%F0%9F%92%A9',
      'null',
    ]
    draft.query.push([name, pick(random, values)])
    if (oneIn(random, 3)) draft.query.push([name, pick(random, values)])
  },
  oddHeader(draft, { random }) {
    const headers: [string, string][] = [
      ['If-Match', pick(random, ['*', '""', 'W/"1"', '"1", "2"', 'x'.repeat(3_000)])],
      ['Accept', pick(random, ['', '*/*;q=abc', 'text/event-stream', 'image/png'])],
      ['Origin', pick(random, ['null', 'http://evil.test', ''])],
      ['Sec-Fetch-Site', pick(random, ['cross-site', 'same-origin', 'x'])],
      ['X-Api-Key', pick(random, ['', 'pk_sandbox_default', '__proto__', '\u00e9'])],
      ['X-Api-Secret', pick(random, ['', 'wrong', '\u00ff'])],
      ['X-Forwarded-For', pick(random, ['127.0.0.1', '::ffff:10.0.0.1', 'x'])],
      ['Content-Encoding', pick(random, ['gzip', 'br', 'identity'])],
      ['Cookie', pick(random, ['a=b', '=;;;', 'sandbox=\u00ff'])],
      ['X-Sandbox-World', 'side'],
      [`X-${'a'.repeat(200)}`, 'b'.repeat(2_000)],
    ]
    draft.headers.push(pick(random, headers))
  },
  contentType(draft, { random }) {
    const types = [
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/json;;',
      'APPLICATION/JSON',
    ]
    const value = pick(random, [
      ...types,
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=other',
      'multipart/mixed; boundary=edge',
    ])
    draft.headers = [...draft.headers.filter(([name]) => name !== 'Content-Type'), ['Content-Type', value]]
  },
  damagedToken(draft, { random, stage }) {
    const old =
      draft.headers.find(([name]) => name === 'Authorization')?.[1] ??
      `Bearer ${stage.tokens['sandbox'] ?? ''}`
    const value = pick(random, TOKEN_DAMAGE)(old, stage.tokens['side'] ?? '')
    draft.headers = draft.headers.filter(([name]) => name !== 'Authorization')
    if (value !== null) draft.headers.push(['Authorization', value])
  },
} as const satisfies Record<string, Damage>

/** Puts something in the place of one part of a path, behind the first. */
function replacePart(path: string, random: Random, instead: string): string {
  const parts = path.split('/')
  parts[Math.min(parts.length - 1, 2 + random.below(Math.max(1, parts.length - 2)))] = instead
  return parts.join('/')
}

/** Damage to the bytes of a body; a request without one stays as it is. */
export const BYTE_DAMAGE = {
  duplicateKey(draft, { random }) {
    const text = draft.body?.toString() ?? ''
    const keys = [...text.matchAll(/"(\w+)":/g)].map(([, key = '']) => key)
    if (!text.startsWith('{') || keys.length === 0) return
    const twice = `${JSON.stringify(pick(random, keys))}:${pick(random, ['null', '1', '"x"', '{}', '[]'])}`
    draft.body = Buffer.from(
      oneIn(random, 2) ? `{${twice},${text.slice(1)}` : `${text.slice(0, -1)},${twice}}`,
    )
  },
  flippedByte(draft, { random }) {
    if (!draft.body || draft.body.length === 0) return
    const copy = Buffer.from(draft.body)
    copy[random.below(copy.length)] = random.below(256)
    draft.body = copy
  },
  cutOff(draft, { random }) {
    if (draft.body) draft.body = draft.body.subarray(0, random.below(draft.body.length + 1))
  },
  badText(draft, { random }) {
    if (!draft.body) return
    const inserted = pick(random, [
      [0],
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xef, 0xbb, 0xbf],
      [0xfe, 0xff],
      [0xf4, 0x90, 0x80, 0x80],
    ])
    const at = oneIn(random, 2) ? 0 : random.below(draft.body.length + 1)
    draft.body = Buffer.concat([draft.body.subarray(0, at), Buffer.from(inserted), draft.body.subarray(at)])
  },
  otherEncoding(draft, { random }) {
    if (!draft.body) return
    draft.body = Buffer.from(draft.body.toString(), pick(random, ['utf16le', 'base64', 'latin1']))
  },
  tooLong(draft, { random }) {
    if (draft.body && oneIn(random, 4)) draft.body = Buffer.concat([draft.body, Buffer.alloc(1_200_000, ' ')])
  },
  brokenForm(draft, { random }) {
    const text = draft.body?.toString('latin1') ?? ''
    if (!text.startsWith('--')) return
    const breaks: ((form: string) => string)[] = [
      (form) => form.replace('--edge--', ''),
      (form) => form.replaceAll('\r\n', '\n'),
      (form) => form.replace('name="file"', 'name="File"'),
      (form) => form.replace('name="file"; ', ''),
      (form) => form.replace('Content-Disposition', `X-${'a'.repeat(20_000)}: b\r\nContent-Disposition`),
      (form) => form.replace('filename="proof.pdf"', String.raw`filename="..\..\%00.pdf"`),
      (form) => form.replace('application/pdf', 'multipart/mixed; boundary=edge'),
      (form) => `${form.replace('--edge--', '')}${form}`,
      (form) => form.replace('%PDF-1.4', 'MZ'),
      (form) => form.slice(6),
    ]
    draft.body = Buffer.from(pick(random, breaks)(text), 'latin1')
  },
} as const satisfies Record<string, Damage>

/** Names of all kinds of damage, those to parts first. */
export const DAMAGE_KINDS = [...Object.keys(PART_DAMAGE), ...Object.keys(BYTE_DAMAGE)] as DamageKind[]
/** A kind of damage. */
export type DamageKind = keyof typeof PART_DAMAGE | keyof typeof BYTE_DAMAGE
