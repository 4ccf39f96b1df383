// Owns why some mutants may survive: nobody outside can see the difference.

/** Survivors with a reason. */
export interface Explained {
  /** The source file, from the root of the project. */
  file: string
  /** A part of the line on which the mutant begins. */
  code: string
  /** What stands there instead; any when left out. */
  replacement?: string
  /** Why no test can, or need, see the difference. */
  reason: string
}

const MISSING = 'a field that is missing is refused like any text that does not fit'
const NOTHING = 'a posting of this kind counts for nothing, as one of any other kind would'
const NAMED = 'the name of a part stands only in the words of a broken assertion'
const DAY_ONLY = 'only the day is ever read from it, and zones differ by whole hours'
const DEFECT = 'holds a condition that only a defect of ours can break'
const SHORTCUT = 'a shorter way to the same answer'
const ONCE = 'no number stands in a list twice, so that equal ones are never met'
const EVERY = 'nothing comes here: every case stands above, which the checker of types sees to'
const FIRST = 'the row of the creation writes it anew before anybody sees the record'
const TYPES = 'asked only for the checker of types: the value is always there'

/** The survivors that were looked at. */
export const EXPLAINED: readonly Explained[] = [
  { file: 'src/domain/boletoNumbers.ts', code: 'exactly(', replacement: '""', reason: NAMED },
  { file: 'src/domain/books.ts', code: "case 'funding':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'settlement':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'reserve':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'giveBack':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'hold':", reason: NOTHING },
  { file: 'src/domain/books.ts', code: "case 'release':", reason: NOTHING },
  {
    file: 'src/domain/brCode.ts',
    code: 'const header =',
    reason:
      'only four characters are looked at, so that four digits are all of them with and without ^ and $',
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
    reason: 'what is no digit has no check digit that holds, and no brand has more than 19 digits',
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
  { file: 'src/domain/disputes.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
  { file: 'src/domain/disputeRules.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
  {
    file: 'src/domain/interleaved.ts',
    code: 'for (let',
    reason: 'one turn more adds nothing: beyond the end there is neither a digit nor a width',
  },
  { file: 'src/domain/books.ts', code: 'default:', replacement: 'default:', reason: EVERY },
  { file: 'src/domain/effects.ts', code: 'default:', replacement: 'default:', reason: EVERY },
  { file: 'src/domain/transactionParts.ts', code: 'default:', replacement: 'default:', reason: EVERY },
  { file: 'src/domain/transition.ts', code: 'default:', replacement: 'default:', reason: EVERY },
  { file: 'src/domain/cashouts.ts', code: "status: 'Pending'", replacement: '""', reason: FIRST },
  { file: 'src/domain/disputes.ts', code: "status: 'Open'", replacement: '""', reason: FIRST },
  { file: 'src/domain/disputes.ts', code: "holdState: 'None'", replacement: '""', reason: FIRST },
  { file: 'src/domain/transactions.ts', code: "status: 'Pending'", replacement: '""', reason: FIRST },
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
    file: 'src/domain/transactionRules.ts',
    code: 'parseDocument(document)?.text',
    replacement: 'parseDocument(document).text',
    reason: 'whatever a payer or a customer is given as a document was read as one before it was kept',
  },
  { file: 'src/domain/recordQuery.ts', code: 'if (count(lists) <= count(best))', reason: SHORTCUT },
  { file: 'src/domain/recordQuery.ts', code: 'if (within && count(within)', reason: SHORTCUT },
  { file: 'src/domain/recordQuery.ts', code: 'const end = skip === 0', reason: SHORTCUT },
  { file: 'src/domain/indexes.ts', code: 'if (indexes.customerTexts) return', reason: SHORTCUT },
  { file: 'src/kernel/calendar.ts', code: "part['hour']", reason: DAY_ONLY },
  { file: 'src/kernel/calendar.ts', code: "part['minute']", reason: DAY_ONLY },
  { file: 'src/kernel/calendar.ts', code: "part['second']", reason: DAY_ONLY },
  { file: 'src/kernel/fifo.ts', code: 'if (waiting.size === 0)', reason: SHORTCUT },
  { file: 'src/kernel/latest.ts', code: 'if (oldest !== undefined)', replacement: 'true', reason: TYPES },
  { file: 'src/kernel/places.ts', code: 'if (last.length >= MAX_CHUNK', reason: ONCE },
  { file: 'src/kernel/places.ts', code: 'if (chunk.length > MAX_CHUNK)', reason: SHORTCUT },
  { file: 'src/kernel/places.ts', code: 'endOf(last) < place) return size', reason: SHORTCUT },
  { file: 'src/kernel/places.ts', code: 'if (first >= end) break', reason: SHORTCUT },
  { file: 'src/kernel/places.ts', code: 'if (first + chunk.length > start)', reason: SHORTCUT },
  {
    file: 'src/kernel/places.ts',
    code: 'chunks[before]?.length',
    replacement: 'chunks[before].length',
    reason: TYPES,
  },
  { file: 'src/kernel/scheduler.ts', code: 'before(right, left) < 0', reason: ONCE },
  { file: 'src/kernel/scheduler.ts', code: 'if (before(last, least) <= 0)', reason: ONCE },
]
