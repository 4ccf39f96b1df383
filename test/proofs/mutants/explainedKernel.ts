// Owns the survivors of src/kernel that were looked at, and why they may survive.
import { SHORTCUT, NEVER_EMPTY, TYPES } from './explanation.ts'
import type { Explained } from './explanation.ts'

const DAY_ONLY = 'only the day is ever read from it, and zones differ by whole hours'
const EITHER_FIRST =
  'of two jobs with one due and one order only the newer is live, so that either may come first'
const ONCE = 'no number stands in a list twice, so that equal ones are never met'

/** The survivors of src/kernel that were looked at. */
export const KERNEL_EXPLAINED: readonly Explained[] = [
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
    code: 'if (last.length >= MAX_CHUNK && endOf(last) < place)',
    replacement: 'endOf(last) <= place',
    reason: ONCE,
  },
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
