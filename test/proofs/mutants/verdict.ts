// Owns what a run of mutants comes to: how many were noticed, which were not, and whether that is enough.
import { DOMAIN_EXPLAINED } from './explainedDomain.ts'
import { KERNEL_EXPLAINED } from './explainedKernel.ts'
import type { Explained } from './explanation.ts'
import type { Tried } from './tried.ts'

/** The least share of mutants that the tests must notice, in percent. */
const LEAST_SCORE = 85

/** How many survivors may stay without a reason. Only ever lower it. */
const MOST_UNEXPLAINED = 10

/** The survivors that were looked at. */
export const EXPLAINED: readonly Explained[] = [...KERNEL_EXPLAINED, ...DOMAIN_EXPLAINED]

/** What a run counted. */
export interface Count {
  /** Mutants that were tried; those that are left out do not count. */
  mutants: number
  /** Noticed by a test, or by running on without end. */
  killed: number
  /** Noticed by none, of those that a test meets. */
  survived: number
  /** Met by no test. */
  noCoverage: number
  /** Left out: sentences for people, and what a comment in the code leaves out with its reason. */
  leftOut: number
  /** Killed of all that were tried, in percent with one decimal, never rounded up. */
  score: number
}

/** What is asked of a run. */
export interface Bar {
  leastScore: number
  mostUnexplained: number
  explained: readonly Explained[]
}

const BAR: Bar = { leastScore: LEAST_SCORE, mostUnexplained: MOST_UNEXPLAINED, explained: EXPLAINED }

/** Counts what was tried. */
export function count(tried: readonly Tried[]): Count {
  const of = (...statuses: Tried['status'][]): number =>
    tried.filter(({ status }) => statuses.includes(status)).length
  const [killed, survived, noCoverage] = [of('Killed', 'Timeout'), of('Survived'), of('NoCoverage')]
  const mutants = killed + survived + noCoverage
  const score = mutants === 0 ? 0 : Math.floor((killed * 1_000) / mutants) / 10
  return { mutants, killed, survived, noCoverage, leftOut: of('Ignored'), score }
}

const hasSurvived = ({ status }: Tried): boolean => status === 'Survived' || status === 'NoCoverage'

function isAbout({ file, code, replacement }: Explained, one: Tried): boolean {
  return file === one.file && one.code.includes(code) && (replacement ?? one.replacement) === one.replacement
}

/** The mutants that no test noticed and for which no reason is kept. */
export function unexplained(tried: readonly Tried[], explained: readonly Explained[] = EXPLAINED): Tried[] {
  return tried.filter((one) => hasSurvived(one) && !explained.some((reason) => isAbout(reason, one)))
}

/** The reasons, of those about files that were tried, that no survivor needs. */
export function idleReasons(
  tried: readonly Tried[],
  explained: readonly Explained[] = EXPLAINED,
): Explained[] {
  const files = new Set(tried.map(({ file }) => file))
  return explained.filter(
    (reason) => files.has(reason.file) && !tried.some((one) => hasSurvived(one) && isAbout(reason, one)),
  )
}

/** What is wrong with a run, in sentences; none when it is good enough. A run in which nothing was tried proves nothing. */
export function faultsOf(tried: readonly Tried[], bar: Bar = BAR): string[] {
  const { mutants, score } = count(tried)
  if (mutants === 0) return ['no mutant was tried']
  const left = unexplained(tried, bar.explained).length
  return [
    ...(score < bar.leastScore ? [`the score is ${score} %, below ${bar.leastScore} %`] : []),
    ...(left > bar.mostUnexplained
      ? [
          `${left} survivors have no reason in explainedKernel.ts or explainedDomain.ts, more than ${bar.mostUnexplained}`,
        ]
      : []),
  ]
}

/** One mutant in a line, such as `src/kernel/time.ts:12:3 EqualityOperator a <= b in: if (a < b) return`. */
export function mutantToText({ file, at, mutator, replacement, code, status }: Tried): string {
  const made = replacement.replaceAll(/\s+/g, ' ').slice(0, 80)
  const unmet = status === 'NoCoverage' ? ' (met by no test)' : ''
  return `${file}:${at.line}:${at.column} ${mutator}${unmet} ${made} in: ${code}`
}
