// Owns what the reader of YAML would take too long to look for: keys that come again, and too many aliases.
import { isAlias, isMap, isScalar, isSeq, YAMLParseError } from 'yaml'
import type { Node } from 'yaml'

/** Most aliases of a text. The reader looks for the anchor of each of them from the beginning. */
const MAX_ALIASES = 1_000

/** Keys that a map has already, in the order of the text, and the first alias that is one too many. */
export function keyErrors(contents: Node | null): YAMLParseError[] {
  const errors: YAMLParseError[] = []
  let aliases = 0
  const walk = (node: unknown): void => {
    if (isAlias(node)) {
      aliases += 1
      if (aliases === MAX_ALIASES + 1) {
        errors.push(errorAt(node, 'BAD_ALIAS', `has more than ${MAX_ALIASES} aliases`))
      }
    } else if (isSeq(node)) for (const each of node.items) walk(each)
    else if (isMap(node)) {
      const taken = new Set<unknown>()
      for (const { key, value } of node.items) {
        if (isScalar(key)) {
          if (taken.has(key.value)) errors.push(errorAt(key, 'DUPLICATE_KEY', 'Map keys must be unique'))
          taken.add(key.value)
        } else walk(key)
        walk(value)
      }
    }
  }
  walk(contents)
  return errors
}

function errorAt(node: Node, code: YAMLParseError['code'], message: string): YAMLParseError {
  const [begin, end] = node.range ?? [0, 0]
  return new YAMLParseError([begin, end], code, message)
}
