// Owns PIX keys: the form of each kind, and how they are hidden in answers.
import { maskDocument, parseDocument } from './documents.ts'
import type { PixKeyType } from '../contract/enums.ts'

/** Longest e-mail that is a key. Source: central bank directory. */
const MAX_EMAIL_UNITS = 77
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const RANDOM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A key in its plain form; null when it does not fit its kind. Source: CO-09. */
export function parsePixKey(type: PixKeyType, text: string): string | null {
  switch (type) {
    case 'CPF':
    case 'CNPJ': {
      const document = parseDocument(text)
      return document?.type === type ? document.text : null
    }
    case 'Email': {
      const email = text.trim().toLowerCase()
      return email.length <= MAX_EMAIL_UNITS && EMAIL.test(email) ? email : null
    }
    case 'Phone': {
      const digits = text.replace(/^\+/, '').replace(/[\s().-]/g, '')
      return /^[1-9]\d{9,14}$/.test(digits) ? `+${digits}` : null
    }
    case 'Random': {
      const key = text.trim().toLowerCase()
      return RANDOM.test(key) ? key : null
    }
    default:
      return type satisfies never
  }
}

/** The kind of a key that was registered as text; null when it fits none. */
export function kindOfPixKey(text: string): PixKeyType | null {
  if (text.startsWith('+')) return parsePixKey('Phone', text) === null ? null : 'Phone'
  const kinds = ['CPF', 'CNPJ', 'Random', 'Email', 'Phone'] as const
  return kinds.find((kind) => parsePixKey(kind, text) !== null) ?? null
}

/** What each kind looks like, for hints. */
export const PIX_KEY_FORMS: Record<PixKeyType, string> = {
  CPF: '11 digits',
  CNPJ: '14 digits or letters, the last two digits',
  Email: 'an e-mail of at most 77 characters',
  Phone: 'a phone with its country code, such as +5511999998888',
  Random: 'a UUID',
}

/** A key with most of it hidden. Source: CO-08. */
export function maskPixKey(type: PixKeyType, key: string): string {
  switch (type) {
    case 'CPF':
    case 'CNPJ':
      return maskDocument(key)
    case 'Email':
      return key.replace(/^(.).*@/, '$1***@')
    case 'Phone':
    case 'Random':
      return `***${key.slice(-4)}`
    default:
      return type satisfies never
  }
}
