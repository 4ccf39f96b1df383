// Owns the bodies of recorded calls: what was sent, with stand-ins for what is never kept (cards, codes and files).
import { refusedStandIn, standInFor } from './cards.ts'
import { saidWithInboxes } from './recording.ts'
import type { Exchange } from '../client/world.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { Recording } from './recording.ts'

type Fields = Record<string, unknown>

/** What stands for something that was hidden. */
const HIDDEN = '[hidden]'
/** Bytes of a stand-in for a file at most; a longer one is not as long as it was. */
const MAX_FILE_BYTES = 2_000
/** How files of each kind begin. */
const MAGIC: Readonly<Record<string, readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
}

/** What a call sends: its body, or its query where it has no body; and what to say of stand-ins. */
export function bodyOf(
  recording: Recording,
  row: EndpointRow,
  exchange: Exchange,
): { body: Fields; comment: string | null } {
  if (row.body === null) return { body: recording.names.said(exchange.query) as Fields, comment: null }
  const sent = exchange.request.body as Fields
  const said = saidWithInboxes(recording, exchange.at, sent) as Fields
  if (row.bodyType === 'multipart') {
    return { body: withFile(recording, said, exchange), comment: fileComment(said) }
  }
  const body = row.id === 'createToken' ? said : withCard(recording, said, exchange)
  const shown = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== HIDDEN))
  const isCard = Object.entries(sent).some(
    ([name, value]) => value === HIDDEN && shown[name] !== undefined && !isToken(shown[name]),
  )
  return {
    body: shown,
    comment:
      isCard && row.id !== 'createToken' ? 'the card is a test card: numbers and codes are never kept' : null,
  }
}

function isToken(value: unknown): boolean {
  return String(value).startsWith('$')
}

function withCard(recording: Recording, body: Fields, exchange: Exchange): Fields {
  const { seen, data, cardTokens } = recording
  const field = (name: string): string =>
    (exchange.operation === 'createTransaction' ? seen.wireNames[name] : undefined) ?? name
  const card = cardIn(exchange)
  const filled = { ...body }
  if (body[field('cardNumber')] === HIDDEN || body[field('cardCvv')] === HIDDEN) {
    const refused = exchange.status >= 400 && /^card(?:Number|Cvv)/.test(exchange.hint ?? '')
    const standIn = refused ? refusedStandIn(exchange.hint ?? '') : standInFor(card)
    if (filled[field('cardNumber')] === HIDDEN) filled[field('cardNumber')] = standIn.number
    if (filled[field('cardCvv')] === HIDDEN) filled[field('cardCvv')] = standIn.cvv
    if (card) for (const text of [card.brand, card.lastFour]) data.allow(text)
  }
  if (body[field('cardToken')] === HIDDEN) {
    const token = cardTokenOf(cardTokens, card, exchange)
    filled[field('cardToken')] = token === null ? 'no-card-token' : `$${token}.cardToken`
  }
  return filled
}

/** The name of the token that a call used: the one that fits what was answered, or why it was refused. */
function cardTokenOf(
  tokens: Recording['cardTokens'],
  card: { brand: string; lastFour: string } | null,
  { status, hint }: Exchange,
): string | null {
  if (status >= 400) {
    const [, why] = /cardToken (was used|expired)/.exec(hint ?? '') ?? []
    const found =
      why === 'was used' ? tokens.findLast(({ isUsed }) => isUsed) : tokens.find(({ isUsed }) => !isUsed)
    return hint?.includes('cardToken is no token') === true ? null : (found?.name ?? null)
  }
  const isOf = (token: Recording['cardTokens'][number]): boolean =>
    token.lastFour === card?.lastFour && token.brand.toLowerCase() === card.brand.toLowerCase()
  const token = tokens.find((each) => !each.isUsed && isOf(each))
  if (!token) return null
  token.isUsed = true
  return token.name
}

/** What an answer tells of its card. */
function cardIn({ response }: Exchange): { brand: string; lastFour: string } | null {
  const { data } = (response.body ?? {}) as {
    data?: { card?: unknown; last4?: unknown; brand?: unknown } | null
  }
  if (typeof data?.last4 === 'string') return { brand: String(data.brand), lastFour: data.last4 }
  const card = data?.card as { brand?: unknown; lastFour?: unknown } | null | undefined
  return typeof card?.lastFour === 'string' ? { brand: String(card.brand), lastFour: card.lastFour } : null
}

function fileComment(body: Fields): string | null {
  return body['file'] === undefined
    ? null
    : 'the file stands for the one that was sent: its bytes are never kept here'
}

function withFile(recording: Recording, body: Fields, { response, code }: Exchange): Fields {
  const { file: fileName, ...rest } = body
  if (typeof fileName !== 'string') return rest
  const { data } = (response.body ?? {}) as { data?: { contentType?: string; size?: number } | null }
  const contentType = data?.contentType ?? 'application/pdf'
  const isKind = code !== 'validation_error'
  const magic = isKind ? (MAGIC[contentType] ?? []) : [...Buffer.from('no document')]
  const size = Math.max(magic.length, Math.min(data?.size ?? magic.length, MAX_FILE_BYTES))
  const bytes = Buffer.alloc(size, ' ')
  bytes.set(magic)
  const isText = contentType === 'application/pdf' || !isKind
  const content = isText ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') }
  recording.data.allow(fileName)
  return { file: { fileName, contentType, ...content }, ...rest }
}
