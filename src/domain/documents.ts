// Owns tax documents and their masks: CPF and CNPJ (numeric or alphanumeric), check digits, form, generation.
import type { DocumentType } from '../contract/enums.ts'
import type { Random } from '../kernel/random.ts'

/** A document without punctuation. */
export interface ParsedDocument {
  text: string
  type: DocumentType
}

/** Reads a CPF or CNPJ with or without punctuation, in its form only; null when it has neither form. */
export function parseDocument(text: string): ParsedDocument | null {
  const bare = text.replace(/[.\-/\s]/g, '').toUpperCase()
  if (/^\d{11}$/.test(bare)) return { text: bare, type: 'CPF' }
  if (/^[0-9A-Z]{12}\d{2}$/.test(bare)) return { text: bare, type: 'CNPJ' }
  return null
}

/** Whether the check digits of a document hold. Documents of one repeated character do not. */
export function hasValidCheckDigits({ text, type }: ParsedDocument): boolean {
  if (/^(.)\1*$/.test(text)) return false
  const base = text.slice(0, -2)
  return text === base + (type === 'CPF' ? cpfCheckDigits(base) : cnpjCheckDigits(base))
}

/** The two check digits of the first nine digits of a CPF. */
export function cpfCheckDigits(base: string): string {
  const first = modulo11(base, 10)
  return `${first}${modulo11(base + String(first), 11)}`
}

/** The two check digits of the first twelve characters of a CNPJ, letters counted as their code minus 48. */
export function cnpjCheckDigits(base: string): string {
  const first = modulo11(base, 5, 9)
  return `${first}${modulo11(base + String(first), 6, 9)}`
}

/** Weighted sum modulo 11. Weights fall from `start` to 2 and go on at `wrap`. */
function modulo11(text: string, start: number, wrap = start): number {
  let sum = 0
  let weight = start
  for (const character of text) {
    sum += (character.charCodeAt(0) - 48) * weight
    weight = weight === 2 ? wrap : weight - 1
  }
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

/** A CPF with valid check digits. */
export function generateCpf(random: Random): string {
  const base = random.text('0123456789', 9)
  const made = base + cpfCheckDigits(base)
  return hasValidCheckDigits({ text: made, type: 'CPF' }) ? made : generateCpf(random)
}

/** A document with its usual punctuation: `123.456.789-00` or `12.345.678/0001-00`. */
export function formatDocument(text: string): string {
  return text.length === 11
    ? text.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
}

/** A document without its ends: `***456789**` for a CPF, `***45678000***` for a CNPJ. Source: CO-08. */
export function maskDocument(text: string): string {
  return text.length === 11 ? `***${text.slice(3, 9)}**` : `***${text.slice(3, 11)}***`
}
