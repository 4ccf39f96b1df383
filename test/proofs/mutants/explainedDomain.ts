// Owns the survivors of src/domain that were looked at, and why they may survive.
import { SHORTCUT, NEVER_EMPTY, TYPES } from './explanation.ts'
import type { Explained } from './explanation.ts'

const MISSING = 'a field that is missing is refused like any text that does not fit'
const NOTHING = 'a posting of this kind counts for nothing, as one of any other kind would'
const NAMED = 'the name of a part stands only in the words of a broken assertion'
const DEFECT = 'holds a condition that only a defect of ours can break'
const FIRST = 'the row of the creation writes it anew before anybody sees the record'
const NO_MORE_KINDS = 'asked only for the checker of types: every kind has a case of its own'
const UNNAMED = 'a shorter way to the same answer: nothing is found by a value that is missing'

const FOUR = 'only four characters are looked at, so that four digits are all of them'
const NO_CARD = 'what is no digit has no check digit that holds, and no brand has more than 19 digits'

/** The survivors of src/domain that were looked at. */
export const DOMAIN_EXPLAINED: readonly Explained[] = [
  { file: 'src/domain/boletoNumbers.ts', code: 'exactly(', replacement: '""', reason: NAMED },
  { file: 'src/domain/books.ts', code: "case 'funding':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'settlement':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'reserve':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'giveBack':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'hold':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'release':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: 'default:', replacement: 'default:', reason: NO_MORE_KINDS },
  {
    file: 'src/domain/brCode.ts',
    code: 'const header =',
    replacement: String.raw`/^(\d{2})(\d{2})/`,
    reason: FOUR,
  },
  {
    file: 'src/domain/brCode.ts',
    code: 'const header =',
    replacement: String.raw`/(\d{2})(\d{2})$/`,
    reason: FOUR,
  },
  { file: 'src/domain/cards.ts', code: "?? '')", replacement: '"Stryker was here!"', reason: MISSING },
  {
    file: 'src/domain/cards.ts',
    code: 'const sent = card.cardExpirationMonth',
    replacement: '"Stryker was here!"',
    reason: MISSING,
  },
  {
    file: 'src/domain/cards.ts',
    code: String.raw`if (!/^\d{12,19}$/.test(number)`,
    replacement: String.raw`/\d{12,19}$/`,
    reason: NO_CARD,
  },
  {
    file: 'src/domain/cards.ts',
    code: String.raw`if (!/^\d{12,19}$/.test(number)`,
    replacement: String.raw`/^\d{12,19}/`,
    reason: NO_CARD,
  },
  {
    file: 'src/domain/cards.ts',
    code: 'sum += index % 2',
    replacement: 'sum -= index % 2 === 0 ? digit : doubled - (doubled > 9 ? 9 : 0)',
    reason: 'a sum and its negative are multiples of ten together',
  },
  {
    file: 'src/domain/cards.ts',
    code: 'sum += index % 2',
    replacement: 'doubled >= 9',
    reason: 'twice a digit is never 9',
  },
  { file: 'src/domain/cashouts.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
  { file: 'src/domain/cashouts.ts', code: "status: 'Pending'", replacement: '""', reason: FIRST },
  {
    file: 'src/domain/customers.ts',
    code: 'if (externalId !== null && firstNamed(',
    replacement: 'true',
    reason: UNNAMED,
  },
  {
    file: 'src/domain/customers.ts',
    code: 'const byDocument = document === null',
    replacement: 'false',
    reason: UNNAMED,
  },
  {
    file: 'src/domain/deliveries.ts',
    code: "return 'status' in outcome",
    replacement: 'true',
    reason: 'asked only for the checker of types: what has no status has none from 200 on either',
  },
  { file: 'src/domain/disputeRules.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
  { file: 'src/domain/disputes.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
  { file: 'src/domain/disputes.ts', code: "status: 'Open'", replacement: '""', reason: FIRST },
  { file: 'src/domain/disputes.ts', code: "holdState: 'None'", replacement: '""', reason: FIRST },
  { file: 'src/domain/effects.ts', code: 'default:', replacement: 'default:', reason: NO_MORE_KINDS },
  {
    file: 'src/domain/indexes.ts',
    code: 'export const WHOLE_WORLD',
    replacement: '"Stryker was here!"',
    reason: 'any text serves as the name of the one scope that all share',
  },
  {
    file: 'src/domain/indexes.ts',
    code: "documentType ?? 'null'",
    replacement: '""',
    reason: 'any text serves that is no type of document: nobody asks for those without one by it',
  },
  {
    file: 'src/domain/documents.ts',
    code: String.raw`text.replace(/^(.{3})`,
    replacement: String.raw`/(.{3})(.{3})(.{3})(.{2})$/`,
    reason: 'a text of eleven characters holds no other eleven',
  },
  {
    file: 'src/domain/documents.ts',
    code: String.raw`text.replace(/^(.{3})`,
    replacement: String.raw`/^(.{3})(.{3})(.{3})(.{2})/`,
    reason: 'a text of eleven characters holds no other eleven',
  },
  {
    file: 'src/domain/interleaved.ts',
    code: 'for (let index',
    replacement: 'index <= digits.length',
    reason: 'one turn more adds nothing: beyond the end there is no digit',
  },
  {
    file: 'src/domain/interleaved.ts',
    code: 'for (let place',
    replacement: 'place <= bars.length',
    reason: 'one turn more adds nothing: beyond the end there is no width',
  },
  {
    file: 'src/domain/interleaved.ts',
    code: 'const bars =',
    replacement: '"Stryker was here!"',
    reason: TYPES,
  },
  {
    file: 'src/domain/interleaved.ts',
    code: 'const spaces =',
    replacement: '"Stryker was here!"',
    reason: TYPES,
  },
  {
    file: 'src/domain/pixKeys.ts',
    code: 'key.replace(/^(.).*@/',
    replacement: '/(.).*@/',
    reason: 'with an @ the first match is the same; without one it only takes longer',
  },
  { file: 'src/domain/pixKeys.ts', code: 'default:', replacement: 'default:', reason: NO_MORE_KINDS },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'index.keys.lookups[name]?.(record) ?? null',
    replacement: 'index.keys.lookups[name](record)',
    reason: TYPES,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'lookups[name]?.(record) ?? null',
    replacement: 'lookups[name](record)',
    reason: TYPES,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: "keys.facets[name]?.(record) ?? ''",
    replacement: 'keys.facets[name](record)',
    reason: TYPES,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: "keys.facets[name]?.(record) ?? ''",
    replacement: '"Stryker was here!"',
    reason: TYPES,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'if (before === after) return',
    replacement: 'false',
    reason: SHORTCUT,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'if (changed === value) continue',
    replacement: 'false',
    reason: SHORTCUT,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'found?.chunks[0]?.[0]',
    replacement: 'found?.chunks[0][0]',
    reason: NEVER_EMPTY,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'found?.chunks.at(-1)?.at(-1)',
    replacement: 'found?.chunks.at(-1).at',
    reason: NEVER_EMPTY,
  },
  {
    file: 'src/domain/recordIndex.ts',
    code: 'return place === undefined ? null',
    replacement: 'false',
    reason: 'asked only for the checker of types: no record stands at no place',
  },
  {
    file: 'src/domain/recordQuery.ts',
    code: 'if (count(lists) <= count(best))',
    replacement: 'count(lists) < count(best)',
    reason: 'of two lists that are equally long either may be walked',
  },
  {
    file: 'src/domain/recordQuery.ts',
    code: 'if (within && count(within)',
    replacement: 'count(within) <= count(best)',
    reason: 'of two lists that are equally long either may be walked',
  },
  {
    file: 'src/domain/recordQuery.ts',
    code: 'const end = skip === 0',
    replacement: 'false',
    reason: SHORTCUT,
  },
  {
    file: 'src/domain/recordQuery.ts',
    code: 'records[place] ?? []',
    replacement: '["Stryker was here"]',
    reason: TYPES,
  },
  {
    file: 'src/domain/refusal.ts',
    code: '[REFUSAL]: true',
    replacement: 'false',
    reason: 'a refusal is known by having the mark, whatever the mark holds',
  },
  {
    file: 'src/domain/transactionParts.ts',
    code: 'default:',
    replacement: 'default:',
    reason: NO_MORE_KINDS,
  },
  {
    file: 'src/domain/transactionParts.ts',
    code: 'if (token && isRefusal(token)) return token',
    replacement: 'false',
    reason: 'asked for the checker of types: two lines on, the same refusal is answered',
  },
  {
    file: 'src/domain/transactionRules.ts',
    code: 'const customer = record.customerId === null',
    replacement: 'false',
    reason: 'asked for the checker of types: no customer is kept under null',
  },
  {
    file: 'src/domain/transactions.ts',
    code: "invariant(!('refused' in",
    replacement: '""',
    reason: DEFECT,
  },
  { file: 'src/domain/transactions.ts', code: "status: 'Pending'", replacement: '""', reason: FIRST },
  { file: 'src/domain/transition.ts', code: 'default:', replacement: 'default:', reason: NO_MORE_KINDS },
]
