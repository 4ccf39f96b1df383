// Owns what the page must have in common in both languages, and where its links lead.

/** Something that both pages have at the same place. */
interface Landmark {
  /** From 1. */
  line: number
  /** The same text in both languages. */
  says: string
}

/** A fenced block from its fence to the other, with everything in between. */
const FENCE = /^```/
const PART = /^<!-- generated:(\w+) -->$/

/** Names of options, files and calls, which no language changes; in an order that does not depend on the sentence. */
function codesIn(text: string): string {
  return [...text.matchAll(/`[^`]+`/g)]
    .map(([code]) => code)
    .toSorted()
    .join(' ')
}

function cellsOf(row: string): number {
  return row.replaceAll('\\|', '').split('|').length - 2
}

/** The lines from `start` on as long as they belong together, and what they are. */
function take(lines: readonly string[], start: number): { length: number; says: string } {
  const line = lines[start] ?? ''
  const until = (ends: (each: string) => boolean): number => {
    const found = lines.findIndex((each, index) => index > start && ends(each))
    return (found === -1 ? lines.length : found) - start
  }
  const textOf = (length: number): string => lines.slice(start, start + length).join('\n')
  const [, part] = PART.exec(line) ?? []
  if (part !== undefined) {
    const length = until((each) => each === `<!-- /generated:${part} -->`) + 1
    return { length, says: textOf(length) }
  }
  if (FENCE.test(line)) {
    const length = until((each) => FENCE.test(each)) + 1
    return { length, says: textOf(length) }
  }
  if (line.startsWith('<!--')) return { length: 1, says: line }
  const [level] = /^#+(?= )/.exec(line) ?? []
  if (level !== undefined) return { length: 1, says: `a heading ${level} with ${codesIn(line)}` }
  if (line.startsWith('|')) {
    const length = until((each) => !each.startsWith('|'))
    const rows = lines.slice(start, start + length)
    return {
      length,
      says: `a table of ${rows.map(cellsOf).join(', ')} cells with ${codesIn(textOf(length))}`,
    }
  }
  const length = until((each) => each === '' || /^(?:- |\||```|<!--|#)/.test(each))
  return { length, says: `${line.startsWith('- ') ? 'an item' : 'a text'} with ${codesIn(textOf(length))}` }
}

function landmarksOf(page: string): Landmark[] {
  const lines = page.split('\n')
  const found: Landmark[] = []
  for (let at = 0; at < lines.length;) {
    if (lines[at] === '') {
      at += 1
    } else {
      const { length, says } = take(lines, at)
      found.push({ line: at + 1, says })
      at += length
    }
  }
  return found
}

/**
 * Where two pages part: in the order and level of headings, the bytes of fenced blocks and generated parts, the marks, the shape
 * of tables, or the code that a text names. Null when they do not.
 */
export function firstDifference(one: string, other: string): string | null {
  const [ours, theirs] = [landmarksOf(one), landmarksOf(other)]
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const [our, their] = [ours[index], theirs[index]]
    if (our?.says !== their?.says) return `${shown(our)}\n${shown(their)}`
  }
  return null
}

function shown(landmark: Landmark | undefined): string {
  return landmark === undefined ? 'the page has ended' : `line ${landmark.line}: ${landmark.says}`
}

/** The lines of a page outside of fenced blocks. */
function proseOf(page: string): string[] {
  return page.replaceAll(/^```[^]*?^```$/gm, '').split('\n')
}

/** The name by which a link finds a heading. */
function anchorOf(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Links to headings of the page that are not there, and headings that one link could not tell apart. */
export function brokenLinksOf(page: string): string[] {
  const prose = proseOf(page)
  const anchors = prose.filter((line) => /^#+ /.test(line)).map(anchorOf)
  const links = [...prose.join('\n').matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  const doubled = anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)
  return [...links.filter((link) => !anchors.includes(link)), ...doubled]
}

/** What a page tells people to call, by the three ways there are. */
export interface Named {
  /** Such as `clock.advance` of a world. */
  methods: string[]
  /** Such as `POST /trigger`. */
  routes: string[]
}

/** The methods of a world and the control routes that the text names, outside of blocks and generated parts. */
export function namedIn(page: string): Named {
  const text = proseOf(page)
    .join('\n')
    .replaceAll(/<!-- generated:(\w+) -->[^]*?<!-- \/generated:\1 -->/g, '')
  const methods = [...text.matchAll(/`(?:world|sandbox)\.((?:\w+\.)*\w+)\(/g)].map(([, path = '']) => path)
  const routes = [...text.matchAll(/`(GET|PUT|POST|PATCH|DELETE) \/_sandbox(\/[^`\s]*)`/g)].map(
    ([, method = '', path = '']) => `${method} ${path}`,
  )
  return { methods: [...new Set(methods)], routes: [...new Set(routes)] }
}
