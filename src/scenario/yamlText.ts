// Owns reading YAML or JSON as plain values, with the line and column of each of them.
import { isAlias, isCollection, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { ScenarioError } from './problems.ts'
import { depthProblem, isTooDeep } from './yamlDepth.ts'
import { emptyProblem, valueProblem, yamlProblems } from './yamlProblems.ts'
import type { Document, Node, Pair } from 'yaml'
import type { Place } from './problems.ts'

/** Longest text of a scenario, in UTF-16 units. */
const MAX_TEXT_UNITS = 1_048_576
/** Most nodes that aliases may stand for: a few, not a bomb. */
const MAX_ALIASES = 100

/** The key under which a map names those that are merged into it. */
const MERGED = '<<'

/** Where something stands. */
export type Path = readonly PropertyKey[]

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
  })
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const broken = [...document.errors, ...document.warnings]
  if (broken.length > 0) {
    throw new ScenarioError(file, yamlProblems(text, broken, place))
  }
  if (document.contents === null) throw new ScenarioError(file, [emptyProblem(text)])
  return { value: valueOf(document, file), placeOf: (path, part) => place(offsetOf(document, path, part)) }
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

function offsetOf(document: Document.Parsed, path: Path, part: 'key' | undefined): number {
  let node: Node | null = document.contents
  let offset = startOf(node) ?? 0
  for (const [index, key] of path.entries()) {
    node = withoutAlias(node, document)
    const pair: Pair | null = pairOf(node, key, document)
    const keyOffset = startOf(pair?.key)
    if (part === 'key' && index === path.length - 1) return keyOffset ?? offset
    node = pair ? ((pair.value as Node | null) ?? null) : childOf(node, key)
    const found = startOf(node) ?? keyOffset
    if (found === null) return offset
    offset = found
  }
  return offset
}

function withoutAlias(node: Node | null, document: Document.Parsed): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node
}

/** The pair of a key: of the map itself, or of one that is merged into it. */
function pairOf(node: Node | null, key: PropertyKey, document: Document.Parsed): Pair | null {
  if (!isMap(node)) return null
  const named = (name: string): Pair[] =>
    node.items.filter((item) => isScalar(item.key) && nameOf(item.key.value) === name)
  const [own] = named(String(key))
  if (own) return own
  for (const { value } of named(MERGED)) {
    const source = withoutAlias(value as Node | null, document)
    for (const each of isSeq(source) ? source.items : [source]) {
      const found = pairOf(withoutAlias(each as Node | null, document), key, document)
      if (found) return found
    }
  }
  return null
}

function nameOf(key: unknown): string {
  return typeof key === 'symbol' ? (key.description ?? '') : String(key)
}

function childOf(node: Node | null, key: PropertyKey): Node | null {
  if (!isCollection(node)) return null
  return (node.get(typeof key === 'number' ? key : String(key), true) as Node | undefined) ?? null
}

function startOf(node: unknown): number | null {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range
  return range?.[0] ?? null
}
