// Owns finding where a value of a text stands, by its path, without reading the text or a map anew for each.
import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml'

/** The key under which a map names those that are merged into it. */
const MERGED = '<<'

/** Where something stands. */
export type Path = readonly PropertyKey[]

/** The offset of a value, or of the nearest one around it that the text has; with `key` that of its name. */
export type Finder = (path: Path, part?: 'key') => number

/** A finder for a document, which must not change. */
export function createFinder(document: Document.Parsed): Finder {
  const resolved = new Map<Alias, Node | null>()
  const maps = new Map<YAMLMap, Map<string, Pair[]>>()

  const withoutAlias = (node: Node | null): Node | null => {
    if (!isAlias(node)) return node
    const known = resolved.get(node)
    if (known !== undefined) return known
    const found = node.resolve(document) ?? null
    resolved.set(node, found)
    return found
  }

  const named = (map: YAMLMap, name: string): readonly Pair[] => {
    const known = maps.get(map) ?? pairsOf(map)
    maps.set(map, known)
    return known.get(name) ?? []
  }

  /** The pair of a key: of the map itself, or of one that is merged into it. */
  const pairOf = (node: Node | null, key: PropertyKey): Pair | null => {
    if (!isMap(node)) return null
    const [own] = named(node, String(key))
    if (own) return own
    for (const { value } of named(node, MERGED)) {
      const source = withoutAlias(value as Node | null)
      for (const each of isSeq(source) ? source.items : [source]) {
        const found = pairOf(withoutAlias(each as Node | null), key)
        if (found) return found
      }
    }
    return null
  }

  return (path, part) => {
    let node: Node | null = document.contents
    let offset = startOf(node) ?? 0
    for (const [index, key] of path.entries()) {
      node = withoutAlias(node)
      const pair = pairOf(node, key)
      const keyOffset = startOf(pair?.key)
      if (part === 'key' && index === path.length - 1) return keyOffset ?? offset
      node = pair ? ((pair.value as Node | null) ?? null) : entryOf(node, key)
      const found = startOf(node) ?? keyOffset
      if (found === null) return offset
      offset = found
    }
    return offset
  }
}

/** The pairs of a map by the names of their keys. */
function pairsOf({ items }: YAMLMap): Map<string, Pair[]> {
  const pairs = new Map<string, Pair[]>()
  for (const pair of items) {
    if (!isScalar(pair.key)) continue
    const name = nameOf(pair.key.value)
    const same = pairs.get(name)
    if (same) same.push(pair)
    else pairs.set(name, [pair])
  }
  return pairs
}

function nameOf(key: unknown): string {
  return typeof key === 'symbol' ? (key.description ?? '') : String(key)
}

function entryOf(node: Node | null, key: PropertyKey): Node | null {
  if (!isSeq(node)) return null
  return (node.get(typeof key === 'number' ? key : String(key), true) as Node | undefined) ?? null
}

function startOf(node: unknown): number | null {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range
  return range?.[0] ?? null
}
