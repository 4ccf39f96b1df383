// Owns reading YAML or JSON as plain values, with the line and column of each of them.
import { LineCounter, parseDocument } from 'yaml'
import { ScenarioError } from './problems.ts'
import { depthProblem, isTooDeep } from './yamlDepth.ts'
import { keyErrors } from './yamlKeys.ts'
import { createFinder } from './yamlPlaces.ts'
import { emptyProblem, valueProblem, yamlProblems } from './yamlProblems.ts'
import type { Document } from 'yaml'
import type { Place } from './problems.ts'
import type { Path } from './yamlPlaces.ts'

/** Longest text of a scenario, in UTF-16 units. */
const MAX_TEXT_UNITS = 1_048_576
/** Most nodes that aliases may stand for: a few, not a bomb. */
const MAX_ALIASES = 100

/** A text that was read. */
export interface ReadText {
  value: unknown
  /** The place of a value, or of the nearest one around it that the text has; with `key` that of its name. */
  placeOf(path: Path, part?: 'key'): Place
}

/**
 * Reads YAML 1.2 without tags of its own, or JSON.
 * @throws {ScenarioError} with every place where the text breaks the rules of YAML
 */
export function readYaml(text: string, file: string): ReadText {
  if (text.length > MAX_TEXT_UNITS) {
    throw new ScenarioError(file, [
      { line: 1, column: 1, message: `is longer than ${MAX_TEXT_UNITS} characters` },
    ])
  }
  const tooDeep = depthProblem(text)
  if (tooDeep) throw new ScenarioError(file, [tooDeep])
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    stringKeys: true,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    merge: true,
    // The reader would compare each key with all before it.
    uniqueKeys: false,
  })
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const errors = [...document.errors, ...keyErrors(document.contents)].toSorted(
    ({ pos: [one] }, { pos: [other] }) => one - other,
  )
  const broken = [...errors, ...document.warnings]
  if (broken.length > 0) {
    throw new ScenarioError(file, yamlProblems(text, broken, place))
  }
  if (document.contents === null) throw new ScenarioError(file, [emptyProblem(text)])
  const offsetOf = createFinder(document)
  return { value: valueOf(document, file), placeOf: (path, part) => place(offsetOf(path, part)) }
}

function valueOf(document: Document.Parsed, file: string): unknown {
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new ScenarioError(file, [valueProblem(error)])
  }
  if (!isTooDeep(value)) return value
  const message = 'is nested too deeply by its aliases, or stands inside itself'
  throw new ScenarioError(file, [{ line: 1, column: 1, message }])
}
