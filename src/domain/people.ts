// Owns the people and banks that the sandbox makes up.
import { present } from '../kernel/assert.ts'
import { generateCpf } from './documents.ts'
import type { Random } from '../kernel/random.ts'

const FIRST_NAMES = ['Ana', 'Bruno', 'Camila', 'Diego', 'Elisa', 'Fabio', 'Helena', 'Igor', 'Julia', 'Lucas']
const LAST_NAMES = [
  'Almeida',
  'Barbosa',
  'Cardoso',
  'Dias',
  'Esteves',
  'Ferreira',
  'Gomes',
  'Lima',
  'Moraes',
  'Souza',
]

/** A bank that does not exist, where every payer has an account. */
export const PAYER_BANK = 'Banco Exemplo S.A.'

/** The participant number of that bank in PIX identifiers; no bank has it. */
export const PAYER_BANK_CODE = '99999999'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A made-up person with a document whose check digits hold. */
export function makePerson(random: Random): { name: string; document: string } {
  const pick = (names: string[]): string => present(names[random.below(names.length)], 'a name')
  return { name: `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`, document: generateCpf(random) }
}

/** Letters and digits, for identifiers of the central bank. */
export function makeReference(random: Random, length: number): string {
  return random.text(ALPHANUMERIC, length)
}

/** Identifier of a settled PIX: 32 characters, with the participant and the minute in UTC. `at` is an ISO timestamp. */
export function makeEndToEndId(random: Random, at: string): string {
  return `E${PAYER_BANK_CODE}${at.replace(/\D/g, '').slice(0, 12)}${makeReference(random, 11)}`
}
