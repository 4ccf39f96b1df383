// Owns searching customers by a part of their name, e-mail or document. Source: CU-06.
import { placesOf } from '../kernel/places.ts'
import { placesWith } from '../kernel/textIndex.ts'
import { parseDocument } from './documents.ts'
import type { Places } from '../kernel/places.ts'
import type { TextIndex } from '../kernel/textIndex.ts'
import type { Customer } from './records.ts'

/** Text without accents and in lower case, for searching. */
function searchable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/** A searched text as documents are kept: without punctuation. */
function bareOf(search: string): string {
  return parseDocument(search)?.text ?? search.replace(/[.\-/\s]/g, '').toUpperCase()
}

/** Everything of a customer that a search looks into; the parts never run into each other. */
export function searchedText({ name, email, document }: Customer): string {
  return `${searchable(name)}\n${searchable(email)}\n${document ?? ''}`
}

/** Whether a search finds a customer, asked with each customer in turn. */
export function matcherOf(search: string): (customer: Customer) => boolean {
  const wanted = searchable(search)
  const bare = bareOf(search)
  return ({ name, email, document }) =>
    searchable(name).includes(wanted) ||
    searchable(email).includes(wanted) ||
    (document !== null && bare !== '' && document.includes(bare))
}

/** Lists outside of which a search finds nobody; null for one that is too short for the index. */
export function candidatesOf(index: TextIndex, search: string): Places[] | null {
  const bare = bareOf(search)
  const byText = placesWith(index, searchable(search))
  const byDocument = bare === '' ? placesOf() : placesWith(index, bare)
  return byText && byDocument && [byText, byDocument]
}
