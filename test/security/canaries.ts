// Owns marked secrets, and every place of a call in which somebody could send one by mistake.

/** What a canary is: where it leaks, its name says from which place it came. */
export interface Canary {
  /** Such as `card in the query`. */
  name: string
  /** Finds it in a text, also taken apart by spaces or other characters. */
  pattern: RegExp
  /** Whether it was sent in a field that a record keeps as the merchant wrote it. */
  isFree: boolean
}

/** One call that carries a canary. */
export interface MarkedCall {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** The canaries that were made so far. */
export interface Canaries {
  all: Canary[]
  /** A card number whose check digit holds; each time another one. */
  card(place: string, isFree?: boolean): string
  /** A text that begins like a secret key; each time another one. */
  key(place: string): string
  /** Watches for a text that was made elsewhere. */
  watch(name: string, text: string): string
}

/** No canaries yet. */
export function createCanaries(): Canaries {
  const all: Canary[] = []
  const add = (name: string, pattern: RegExp, isFree = false): void =>
    void all.push({ name, pattern, isFree })
  return {
    all,
    card(place, isFree = false) {
      const number = withCheckDigit(`45391${String(all.length).padStart(10, '7')}`)
      // Apart by up to two characters of any kind, as people write it and as addresses and JSON escape it.
      add(`the card of ${place}`, new RegExp([...number].join(String.raw`[^\dA-Za-z]{0,2}`)), isFree)
      return number
    },
    key(place) {
      const text = `sk_sandbox_canary${all.length}x`
      add(`the key of ${place}`, new RegExp(`${text}|${base64Of(text)}`))
      return text
    },
    watch(name, text) {
      add(name, new RegExp(`${escaped(text)}|${escaped(base64Of(text))}`))
      return text
    },
  }
}

/** Text as base64 without the ends, which depend on what stands around it. */
function base64Of(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .replace(/.{0,3}=*$/, '')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** Digits with the digit that makes them a card number (Luhn). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const json = (path: string, body: unknown): MarkedCall => ({
  method: 'POST',
  path,
  headers: JSON_TYPE,
  body: JSON.stringify(body),
})
const raw = (path: string, type: string, body: string): MarkedCall => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': type },
  body,
})
const get = (path: string, headers: Record<string, string> = {}): MarkedCall => ({
  method: 'GET',
  path,
  headers,
})

const SALES = '/v1/transactions'
const SALE = { method: 'Pix', amount: 100 }
const HOLDER = { cardHolderName: 'ANA', cardExpirationMonth: '12', cardExpirationYear: '2031' }
/** The code of every card that is sent; it is looked for as a value of its own. */
export const CVV = '907'

/** Places for any text. */
const ANYWHERE: readonly (readonly [place: string, call: (text: string) => MarkedCall])[] = [
  ['a header', (text) => get(SALES, { 'X-Custom': text })],
  ['X-Api-Secret', (text) => get(SALES, { 'X-Api-Key': 'pk', 'X-Api-Secret': text })],
  ['X-Api-Key', (text) => get(SALES, { 'X-Api-Key': text })],
  ['a cookie', (text) => get(SALES, { Cookie: `session=${text}` })],
  ['User-Agent', (text) => get(SALES, { 'User-Agent': `shop/1 ${text}` })],
  ['Referer', (text) => get(SALES, { Referer: `http://shop.test/?card=${text}` })],
  ['X-Forwarded-For', (text) => get(SALES, { 'X-Forwarded-For': text })],
  ['the name of a header', (text) => get(SALES, { [`x-${text}`]: 'y' })],
  [
    'Basic',
    (text) => get('/v1/balance', { Authorization: `Basic ${Buffer.from(`a:${text}`).toString('base64')}` }),
  ],
  ['Bearer', (text) => get('/v1/balance', { Authorization: `Bearer ${text}` })],
  ['the query', (text) => get(`${SALES}?externalId=${text}`)],
  ['the query, encoded', (text) => get(`${SALES}?x=${encodeURIComponent([...text].join(' '))}`)],
  ['a secret parameter', (text) => get(`${SALES}?secretKey=${text}`)],
  ['the name of a parameter', (text) => get(`${SALES}?${text}=1`)],
  ['an id', (text) => get(`${SALES}/${text}`)],
  ['an id of a customer', (text) => ({ ...json(`/v1/customers/${text}`, {}), method: 'PATCH' })],
  ['an unknown path', (text) => get(`/v1/cards/${text}/pay`)],
  ['the path of a file', (text) => get(`/files/${text}/slips/${text}.pdf`)],
  ['an unknown field', (text) => json(SALES, { ...SALE, note: text })],
  ['the name of a field', (text) => json(SALES, { ...SALE, [text]: 'x' })],
  ['a misspelt field', (text) => json(SALES, { ...SALE, card_number: text })],
  ['a deep field', (text) => json(SALES, { ...SALE, a: [{ b: { c: [[text]] } }] })],
  ['a field of the wrong kind', (text) => json(SALES, { ...SALE, amount: text })],
  ['a listed field', (text) => json(SALES, { ...SALE, method: text })],
  ['a list instead of a body', (text) => json(SALES, [text])],
  ['a text instead of a body', (text) => json(SALES, text)],
  ['cardNumber with Pix', (text) => json(SALES, { ...SALE, cardNumber: text, cardCvv: CVV })],
  ['cardCvv', (text) => json(SALES, { ...SALE, ...HOLDER, method: 'CreditCard', cardCvv: text })],
  [
    'cardNumber as an object',
    (text) => json(SALES, { ...SALE, method: 'CreditCard', cardNumber: { value: text } }),
  ],
  [
    'cardNumber in a list',
    (text) => json('/v1/card-tokenize', { ...HOLDER, cardNumber: [text], cardCvv: CVV }),
  ],
  ['the token of a card', (text) => json(SALES, { ...SALE, method: 'CreditCard', cardToken: text })],
  ['publicKey', (text) => json('/v1/auth/token', { publicKey: text, secretKey: 'x' })],
  ['secretKey', (text) => json('/v1/auth/token', { publicKey: 'pk_sandbox_default', secretKey: text })],
  ['secret_key', (text) => json('/v1/auth/token', { publicKey: 'pk_sandbox_default', secret_key: text })],
  ['grantType', (text) => json('/v1/auth/token', { publicKey: 'a', secretKey: 'b', grantType: text })],
  ['broken JSON', (text) => raw(SALES, 'application/json', `{"cardNumber":"${text}","cardCvv":"${CVV}"`)],
  ['an address in an address', (text) => json(SALES, { ...SALE, note: addressWith(text) })],
  ['what was encoded twice', (text) => json(SALES, { ...SALE, note: encodeURIComponent(addressWith(text)) })],
  ['an address in the query', (text) => get(`${SALES}?x=${addressWith(text)}`)],
  [
    'an address in the query, encoded twice',
    (text) => get(`${SALES}?x=${encodeURIComponent(addressWith(text))}`),
  ],
  ['a longer word', (text) => json(SALES, { ...SALE, note: `k_${text}` })],
  ['an encoded space', (text) => json(SALES, { ...SALE, note: encodeURIComponent(`a ${text}`) })],
  ['an id in a longer word', (text) => get(`${SALES}/k_${text}`)],
  ['a plain text', (text) => raw(SALES, 'text/plain', `card ${text}`)],
  [
    'a form',
    (text) => raw(SALES, 'application/x-www-form-urlencoded', `cardNumber=${text}&secretKey=${text}`),
  ],
  ['XML', (text) => raw(SALES, 'application/xml', `<card>${text}</card>`)],
  ['JSON without its type', (text) => raw(SALES, 'text/html', JSON.stringify({ ...SALE, secretKey: text }))],
  [
    'multipart',
    (text) =>
      raw(
        SALES,
        'multipart/form-data; boundary=edge',
        `--edge\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${text}\r\n--edge--\r\n`,
      ),
  ],
]

/** Places for numbers of cards only, each in its own way of writing. */
const CARDS: readonly (readonly [place: string, call: (number: string) => MarkedCall])[] = [
  [
    'a whole card',
    (number) => json(SALES, { ...SALE, ...HOLDER, method: 'CreditCard', cardNumber: number, cardCvv: CVV }),
  ],
  [
    'a card to be tokenised',
    (number) => json('/v1/card-tokenize', { ...HOLDER, cardNumber: number, cardCvv: CVV }),
  ],
  [
    'a number',
    (number) => json('/v1/card-tokenize', { ...HOLDER, cardNumber: Number(number), cardCvv: Number(CVV) }),
  ],
  ['an unknown number', (number) => json(SALES, { ...SALE, any: Number(number) })],
  [
    'spaces',
    (number) => json('/v1/card-tokenize', { ...HOLDER, cardNumber: inFours(number, ' '), cardCvv: CVV }),
  ],
  ['hyphens', (number) => json(SALES, { ...SALE, note: `pay ${inFours(number, '-')} now` })],
  ['dots', (number) => json(SALES, { ...SALE, note: inFours(number, '.') })],
  ['JSON in a text', (number) => json(SALES, { ...SALE, note: JSON.stringify({ pan: number, cvv: CVV }) })],
]

/** Places that a record keeps as they came: the merchant reads there what it wrote. */
const FREE: readonly (readonly [place: string, call: (number: string) => MarkedCall])[] = [
  ['description', (number) => json(SALES, { ...SALE, description: `card ${number}` })],
  ['description, in fours', (number) => json(SALES, { ...SALE, description: inFours(number, ' ') })],
  ['metadata', (number) => json(SALES, { ...SALE, metadata: JSON.stringify({ card: number }) })],
  ['externalId', (number) => json(SALES, { ...SALE, externalId: number })],
  ['the name of a customer', (number) => json('/v1/customers', { name: number, email: 'a@b.test' })],
]

/** An address with a text in its query, as it stands in the query of another one. */
function addressWith(text: string): string {
  return encodeURIComponent(`http://shop.test/?key=${text}`)
}

function inFours(number: string, between: string): string {
  return (number.match(/.{1,4}/g) ?? []).join(between)
}

/** Every call to the gateway with a canary in it. */
export function markedCalls(canaries: Canaries): MarkedCall[] {
  return [
    ...ANYWHERE.map(([place, call]) => call(canaries.card(place))),
    ...ANYWHERE.map(([place, call]) => call(canaries.key(place))),
    ...CARDS.map(([place, call]) => call(canaries.card(place))),
    ...FREE.map(([place, call]) => call(canaries.card(place, true))),
  ]
}

/** Every place for any text, with the same text. */
export function callsWith(text: string): MarkedCall[] {
  return ANYWHERE.map(([, call]) => call(text))
}

/** A text in which something was found: every name of a canary that stands in it, also in its encoded parts. */
export function found(text: string, canaries: readonly Canary[]): string[] {
  const decoded = text
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) =>
      Buffer.from(encoded.replaceAll('%', ''), 'hex').toString(),
    )
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
  const names = canaries
    .filter(({ pattern }) => pattern.test(text) || pattern.test(decoded))
    .map(({ name }) => name)
  const bare = text.replaceAll('\\', '')
  const codes = new RegExp(`"(?:${CVV})"|(?:cvv|Cvv)\\w*"?: ?${CVV}\\b`).test(bare)
    ? ['the code of a card']
    : []
  return [...names, ...codes]
}
