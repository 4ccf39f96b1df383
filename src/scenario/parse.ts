// Owns reading a scenario: from text to checked steps that know their place, and every error with file, line and column.
import { CHECK_NAMES, CHECKS } from './checkFormat.ts'
import { ruleOrder } from '../world/ruleShapes.ts'
import {
  callProblems,
  impossibleRule,
  strangeCaller,
  strangeChoices,
  strangeGiven,
  textsIn,
} from './fileChecks.ts'
import { conditionTypos } from './fieldTypos.ts'
import { headFormat } from './format.ts'
import { ScenarioError } from './problems.ts'
import { strangeNames, unboundNames, withInboxes, WORLD_NAME } from './references.ts'
import { STEPS, VERBS } from './stepFormat.ts'
import { explainIssue } from './issues.ts'
import { strange } from './words.ts'
import { readYaml } from './yamlText.ts'
import type { z } from 'zod'
import type { RuleOrder } from '../world/ruleShapes.ts'
import type { Head } from './format.ts'
import type { Place, Problem } from './problems.ts'
import type { Dangling, Names } from './references.ts'
import type { Verb } from './stepFormat.ts'
import type { Path } from './yamlPlaces.ts'
import type { ReadText } from './yamlText.ts'

/** One step of a scenario, in the place where it was written. */
export interface Step extends Place {
  verb: Verb
  /** The whole step as its verb's row declares it. */
  value: Record<string, unknown>
  /** The steps of a `repeat`; empty for other verbs. */
  steps: Step[]
  /** The place of a part of the step. */
  placeOf(path: Path): Place
}

/** A scenario that was read and checked. */
export interface Scenario {
  file: string
  head: Omit<Head, 'given'>
  /** As it was written; null without any. */
  given: unknown
  steps: Step[]
  rules: RuleOrder[]
  /** The place of a part of the file. */
  placeOf(path: Path): Place
}

/** Stands for the address of an inbox while what is given is checked. */
const PLACEHOLDER = 'http://127.0.0.1/inbox'

/** Problems after which no more steps are read. */
const MAX_PROBLEMS = 200

/** Verbs that can stand alone. */
const TAKES_NOTHING: ReadonlySet<string> = new Set<Verb>(['settle', 'hold', 'release'])

/** What reading goes through with. */
interface Reading {
  read: ReadText
  problems: Problem[]
  /** Names that stand for something by now. */
  names: Record<string, unknown>
  /** Words that may be names of fields, because a choice of the file says them. */
  spared: ReadonlySet<string>
  /** Where inboxes and given records got their names. */
  takenAt: Map<string, Place>
}

/**
 * Reads a scenario.
 * @param file what errors call the text
 * @throws {ScenarioError} with everything that is wrong, each with its line and column
 */
export function parseScenario(text: string, file = 'scenario'): Scenario {
  const read = readYaml(text, file)
  const reading: Reading = {
    read,
    problems: [],
    names: unboundNames([WORLD_NAME]),
    spared: new Set(wordsOfChoices(read.value)),
    takenAt: new Map(),
  }
  const head = checked(reading, headFormat, checkable(read.value ?? {}), [])
  if (head === null) throw new ScenarioError(file, reading.problems)
  note(reading, strangeChoices(head.silences ?? {}, ['silences']))
  const given = namesGiven(reading, givenIn(read.value))
  for (const name of given) reading.names[name] = null
  note(reading, strangeGiven((givenIn(read.value) ?? {}) as Record<string, unknown>, given))
  const steps = stepsOf(reading, head.steps ?? [], ['steps'])
  const givenNames = unboundNames(given)
  const rules = (head.rules ?? []).flatMap((rule, index) => ruleOf(reading, rule, index, givenNames) ?? [])
  if (reading.problems.length > 0) throw new ScenarioError(file, reading.problems)
  return { file, head, given: givenIn(read.value), steps, rules, placeOf: (path) => read.placeOf(path) }
}

/** Words that the silences of a file choose, at its head and in its steps. */
function wordsOfChoices(file: unknown): string[] {
  const { silences, steps } = (file ?? {}) as { silences?: unknown; steps?: unknown }
  const chosen = Array.isArray(steps)
    ? steps.map((step) => (step as { silences?: unknown } | null)?.silences)
    : []
  return textsIn([silences, chosen])
}

/** The names of given records. */
function namesGiven(reading: Reading, given: unknown): string[] {
  return Object.entries(given ?? {}).flatMap(([kind, records]) =>
    Array.isArray(records)
      ? (records as { as?: string }[]).flatMap(({ as }, index) => {
          if (as === undefined) return []
          takeName(reading, as, ['given', kind, index, 'as'])
          return as
        })
      : [],
  )
}

/** Takes a name that stands for the same in the whole file; notes down where something else has it already. */
function takeName({ read, problems, takenAt }: Reading, name: string, path: Path): void {
  const place = read.placeOf(path)
  const first = takenAt.get(name)
  if (first) {
    const at = `${first.line}:${first.column}`
    const message = `'${name}' is the name of something else already, at ${at}; rename one of them`
    problems.push({ ...place, message })
  } else {
    takenAt.set(name, place)
  }
}

/** A rule. It stands before every step, so it knows given records and addresses of inboxes only. */
function ruleOf(reading: Reading, rule: unknown, index: number, given: Names): RuleOrder | null {
  const path = ['rules', index]
  const order = checked(reading, ruleOrder, rule, path)
  if (order === null) return null
  const addressed = withInboxes(order, () => PLACEHOLDER)
  note(reading, strangeNames(addressed, given), path)
  note(reading, impossibleRule(order), path)
  note(reading, conditionTypos(order.when, reading.spared), path)
  return order
}

/** Notes down what is wrong in a part of the file. */
function note({ read, problems }: Reading, wrong: readonly Dangling[], path: Path = []): void {
  for (const { path: where, message, part } of wrong) {
    problems.push({ ...read.placeOf([...path, ...where], part), message })
  }
}

/** A file in the form that can be checked: what is given refers to inboxes, which have no address yet. */
function checkable(value: unknown): unknown {
  const given = givenIn(value)
  return given === null ? value : { ...(value as object), given: withInboxes(given, () => PLACEHOLDER) }
}

/** What is given, as it was written. */
function givenIn(value: unknown): unknown {
  return (value as { given?: unknown } | null)?.given ?? null
}

function stepsOf(reading: Reading, steps: readonly unknown[], path: Path): Step[] {
  return steps.flatMap((step, index) =>
    // What is wrong with a name is told with all the others: for many of both it would take too long.
    reading.problems.length < MAX_PROBLEMS ? (stepOf(reading, step, [...path, index]) ?? []) : [],
  )
}

function stepOf(reading: Reading, step: unknown, path: Path): Step | null {
  const verb = wordOf(reading, step, path, { what: 'verb', words: VERBS, modifiers: ['as', 'expect'] })
  if (verb === null) return null
  const inner = verb === 'repeat' ? innerSteps(step) : []
  const value =
    verb === 'expect'
      ? checkOf(reading, (step as { expect: unknown }).expect, path)
      : checked(reading, formatOf(verb), withoutInner(verb, step), path)
  const steps = stepsOf(reading, inner, [...path, 'repeat', 'steps'])
  // Also where the step is wrong: what refers to it is not.
  bindName(reading, step as Record<string, unknown>, path)
  if (value === null) return null
  const { names } = reading
  note(reading, strangeNames(value, names), path)
  if (verb === 'call') note(reading, callProblems(value, names, reading.spared), path)
  if (verb === 'credential') {
    const { of } = value['credential'] as { of: unknown }
    note(reading, strangeCaller(of, names, ['credential', 'of']), path)
  }
  if (verb === 'silences') {
    note(reading, strangeChoices(value['silences'] as Record<string, unknown>, ['silences']), path)
  }
  const placeOf = (part: Path): Place => reading.read.placeOf([...path, ...part])
  return { verb, value, steps, placeOf, ...reading.read.placeOf(path) }
}

function formatOf(verb: Verb): z.ZodType<Record<string, unknown>> {
  return STEPS[verb]
}

/** The steps of a `repeat`, which are checked one by one. */
function innerSteps(step: unknown): readonly unknown[] {
  const { steps } = ((step as { repeat: unknown }).repeat ?? {}) as { steps?: unknown }
  return Array.isArray(steps) ? steps : []
}

function withoutInner(verb: Verb, step: unknown): unknown {
  if (verb !== 'repeat' || innerSteps(step).length === 0) return step
  const { repeat, ...rest } = step as { repeat: object }
  return { ...rest, repeat: { ...repeat, steps: [] } }
}

function checkOf(reading: Reading, expected: unknown, path: Path): Record<string, unknown> | null {
  const inside = [...path, 'expect']
  const word = wordOf(reading, expected, inside, { what: 'check', words: CHECK_NAMES, modifiers: [] })
  if (word === null) return null
  const format = CHECKS[word] as unknown as z.ZodType<Record<string, unknown>>
  const value = checked(reading, format, expected, inside)
  return value === null ? null : { expect: value }
}

/** The one field of a map that says what the map is. */
function wordOf<Word extends string>(
  { read, problems }: Reading,
  value: unknown,
  path: Path,
  { what, words, modifiers }: { what: string; words: readonly Word[]; modifiers: readonly string[] },
): Word | null {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
  const own = words.filter((word) => keys.includes(word) && !modifiers.includes(word))
  const found = own.length > 0 ? own : words.filter((word) => keys.includes(word))
  const [word] = found
  if (word !== undefined && found.length === 1) return word
  const first = keys.find((key) => !modifiers.includes(key))
  if (found.length > 1) {
    const message = `has ${found.length} ${what}s, ${found.join(' and ')}; write one ${what} a step`
    problems.push({ ...read.placeOf([...path, found[1] ?? ''], 'key'), message })
  } else if (typeof value === 'string' && (words as readonly string[]).includes(value)) {
    problems.push({ ...read.placeOf(path), message: bareWord(value) })
  } else if (first === undefined) {
    problems.push({ ...read.placeOf(path), message: `needs a ${what}: one of ${words.join(', ')}` })
  } else {
    problems.push({ ...read.placeOf([...path, first], 'key'), message: strange(first, what, words) })
  }
  return null
}

/** What is wrong with a verb that stands there as a text. */
function bareWord(word: string): string {
  return TAKES_NOTHING.has(word)
    ? `'${word}' needs a colon; write '- ${word}:' or '- ${word}: true'`
    : `'${word}' needs a colon and what it takes, such as '- ${word}: ...'`
}

/** A value as its format declares it; null when it is something else, which is noted down. */
function checked<T>({ read, problems }: Reading, format: z.ZodType<T>, value: unknown, path: Path): T | null {
  const parsed = format.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const { message, key } = explainIssue(format, value, issue)
    const where = [...path, ...issue.path, ...(key === null ? [] : [key])]
    problems.push({ ...read.placeOf(where, key === null ? undefined : 'key'), message })
  }
  return null
}

function bindName(reading: Reading, step: Record<string, unknown>, path: Path): void {
  const inbox = step['inbox'] as { as?: unknown } | null | undefined
  const name = inbox?.as ?? step['as']
  if (typeof name !== 'string') return
  reading.names[name] = null
  // In a repeat, one inbox is told anew in each round.
  if (inbox?.as !== undefined && path.length === 2) takeName(reading, name, [...path, 'inbox', 'as'])
}
