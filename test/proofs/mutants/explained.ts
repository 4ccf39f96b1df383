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
const EITHER_FIRST =
  'of two jobs with one due and one order only the newer is live, so that either may come first'
const ONCE = 'no number stands in a list twice, so that equal ones are never met'
const NEVER_EMPTY = 'asked only for the checker of types: a list that is kept holds something'
const TYPES = 'asked only for the checker of types: the value is always there'
const NO_MORE_KINDS = 'asked only for the checker of types: every kind has a case of its own'
const UNNAMED = 'a shorter way to the same answer: nothing is found by a value that is missing'

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
  { file: 'src/domain/disputes.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
  { file: 'src/domain/disputeRules.ts', code: "invariant(!('refused' in", replacement: '""', reason: DEFECT },
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
  { file: 'src/domain/pixKeys.ts', code: 'default:', replacement: 'default:', reason: NO_MORE_KINDS },
  {
    file: 'src/domain/refusal.ts',
    code: '[REFUSAL]: true',
    replacement: 'false',
    reason: 'a refusal is known by having the mark, whatever the mark holds',
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
    file: 'src/kernel/calendar.ts',
    code: 'if (known !== undefined)',
    replacement: 'false',
    reason: SHORTCUT,
  },
  { file: 'src/kernel/calendar.ts', code: "part['hour']", reason: DAY_ONLY },
  { file: 'src/kernel/calendar.ts', code: "part['minute']", reason: DAY_ONLY },
  { file: 'src/kernel/calendar.ts', code: "part['second']", reason: DAY_ONLY },
  { file: 'src/kernel/clock.ts', code: 'let written = {', replacement: '{}', reason: SHORTCUT },
  { file: 'src/kernel/clock.ts', code: 'if (written.at !== at)', replacement: 'true', reason: SHORTCUT },
  {
    file: 'src/kernel/fifo.ts',
    code: 'if (waiting.size === 0) oldest = null',
    reason: 'only lets go of memory, or begins anew at the same head',
  },
  {
    file: 'src/kernel/fifo.ts',
    code: 'if (waiting.size === 0) return undefined',
    replacement: 'false',
    reason: SHORTCUT,
  },
  { file: 'src/kernel/latest.ts', code: 'if (oldest !== undefined)', replacement: 'true', reason: TYPES },
  {
    file: 'src/kernel/places.ts',
    code: 'endOf(last) < place) return size',
    replacement: 'false',
    reason: SHORTCUT,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'if (first >= end) break',
    replacement: 'first > end',
    reason: SHORTCUT,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'if (first + chunk.length > start)',
    replacement: 'true',
    reason: SHORTCUT,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'if (first + chunk.length > start)',
    replacement: 'first + chunk.length >= start',
    reason: SHORTCUT,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'chunks[before]?.length',
    replacement: 'chunks[before].length',
    reason: TYPES,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'if (endOf(last) < place) {',
    replacement: 'false',
    reason: SHORTCUT,
  },
  { file: 'src/kernel/places.ts', code: 'if (endOf(last) < place) {', replacement: '{}', reason: SHORTCUT },
  {
    file: 'src/kernel/places.ts',
    code: 'if (endOf(last) < place) {',
    replacement: 'endOf(last) <= place',
    reason: ONCE,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'below(chunks[index] ?? [], place)',
    replacement: '["Stryker was here"]',
    reason: TYPES,
  },
  {
    file: 'src/kernel/places.ts',
    code: 'endOf(chunks[middle] ?? []) < place',
    replacement: '["Stryker was here"]',
    reason: TYPES,
  },
  { file: 'src/kernel/places.ts', code: '?? -Infinity', replacement: '+Infinity', reason: NEVER_EMPTY },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'if (heap.length > scheduler.size * 2',
    replacement: 'heap.length >= scheduler.size * 2 + MAX_STALE_JOBS',
    reason: 'stale jobs are dropped one job sooner, which no answer shows',
  },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'live.get(first.kind)?.delete',
    replacement: 'live.get(first.kind).delete',
    reason: TYPES,
  },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'live.get(job.kind)?.get(job.subject) === job',
    replacement: 'live.get(job.kind).get',
    reason: TYPES,
  },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'while (index > 0)',
    replacement: 'index >= 0',
    reason: 'nothing stands above the first, where the loop ends too',
  },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'before(above, job) <= 0',
    replacement: 'before(above, job) < 0',
    reason: EITHER_FIRST,
  },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'before(right, left) < 0',
    replacement: 'before(right, left) <= 0',
    reason: EITHER_FIRST,
  },
  {
    file: 'src/kernel/scheduler.ts',
    code: 'if (before(last, least) <= 0)',
    replacement: 'before(last, least) < 0',
    reason: EITHER_FIRST,
  },
  {
    file: 'src/kernel/time.ts',
    code: 'Date.parse(text.toUpperCase())',
    replacement: 'text.toLowerCase()',
    reason: 'V8 reads both alike, though the language promises only upper case',
  },
  {
    file: 'src/kernel/time.ts',
    code: "UNITS[short[2] ?? '']",
    replacement: '"Stryker was here!"',
    reason: TYPES,
  },
]
