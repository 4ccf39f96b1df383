// Checks where a search for customers looks: in the lists of the index where it can, at everybody where it must.
import { describe, expect, test } from 'vitest'
import { slicePlaces } from '../../src/kernel/places.ts'
import { addText } from '../../src/kernel/textIndex.ts'
import { candidatesOf, matcherOf, searchedText } from '../../src/domain/search.ts'
import type { TextIndex } from '../../src/kernel/textIndex.ts'
import type { Customer } from '../../src/domain/records.ts'

const person = (name: string, email: string, document: string | null): Customer =>
  ({ name, email, document }) as Customer

const PEOPLE = [
  person('José Conceição', 'jose@loja.example', '12345678909'),
  person('Nova Letras', 'nova@letras.example', '12ABC34501DE35'),
  person('Sem Documento', 'sem@papel.example', null),
]

const index: TextIndex = new Map()
for (const [place, customer] of PEOPLE.entries()) addText(index, place, searchedText(customer))

/** The places that a search looks at, by text and by document; null where it looks at everybody. */
const looksAt = (search: string): number[][] | null =>
  candidatesOf(index, search)?.map((list) => slicePlaces(list, 0, list.size)) ?? null

describe('a search', () => {
  test.each<[search: string, byText: number[], byDocument: number[]]>([
    ['conceicao', [0], []],
    ['LOJA', [0], []],
    ['nobody', [], []],
    ['345.678', [], [0]],
    ['12.abc.345/01de-35', [], [1]],
    // Nothing is left of it that a document could have.
    ['---', [], []],
  ])('for %j looks at %j by text and at %j by document', (search, byText, byDocument) => {
    expect(looksAt(search)).toEqual([byText, byDocument])
  })

  test('looks into name and e-mail in small letters without accents, and the document as it is kept', () => {
    expect(PEOPLE.map(searchedText)).toEqual([
      'jose conceicao\njose@loja.example\n12345678909',
      'nova letras\nnova@letras.example\n12ABC34501DE35',
      'sem documento\nsem@papel.example\n',
    ])
  })

  test.each(['', '-', 'se', '1.2'])('for %j, too short for the lists, looks at everybody', (search) => {
    expect(looksAt(search)).toBeNull()
  })

  test.each<[search: string, found: string[]]>([
    ['se', ['José Conceição', 'Sem Documento']],
    ['12', ['José Conceição', 'Nova Letras']],
    ['---', []],
    ['null', []],
  ])('for %j finds %j', (search, found) => {
    expect(PEOPLE.filter(matcherOf(search)).map(({ name }) => name)).toEqual(found)
  })
})
