// Owns reading a TypeScript file as text: which characters are code, comment or literal, and what the file imports and exports.
// A parser would be surer, but TypeScript 7 has none with a stable API; this scanner needs no dependency and has tests of its own.

/** A file to judge: its path from the repository root, with forward slashes, and its whole text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * A file with its parts told apart. All three texts have the same length and line breaks, so an index found in one is
 * valid in the others. `code` has comments and the insides of strings, templates and regular expressions blanked;
 * `comments` has everything but comments blanked.
 */
export interface Scanned extends SourceFile {
  readonly code: string
  readonly comments: string
}

/** One `import`, dynamic `import()` or `export … from`; `index` is where it starts in the text. */
export interface ImportSite {
  readonly specifier: string
  /** What stands between `import` or `export` and `from`; empty for side effects and dynamic imports. */
  readonly clause: string
  readonly kind: 'import' | 'dynamic' | 're-export'
  readonly typeOnly: boolean
  readonly index: number
}

/** One exported declaration: the keyword that declares it (`const`, `type` …), its name, and where `export` stands. */
export interface ExportSite {
  readonly keyword: string
  readonly name: string
  readonly index: number
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
// From a backtick, or from the brace that ends an embedded expression, up to the next expression or the end.
const TEMPLATE_PART = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)?/y
const CODE = /[\w$]+|\s+|[\s\S]/y
// A value ended here, so a slash means division. Keywords that expect a value are the exception.
const ENDS_VALUE = /[\w$)\]}'"`]$/
const EXPECTS_VALUE = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/

function matchAt(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

/** Blanks all but the first and the last `tail` characters, so that a string stays visible as a pair of quotes. */
function hollow(text: string, tail: number): string {
  if (text.length <= tail) return blank(text)
  return text.charAt(0) + blank(text.slice(1, text.length - tail)) + (tail > 0 ? text.slice(-tail) : '')
}

/** Tells code and comments apart. Never throws: text that is no TypeScript gives a useless but harmless answer. */
export function scan(file: SourceFile): Scanned {
  const { text } = file
  let at = text.startsWith('#!') ? Math.max(text.indexOf('\n'), 0) : 0
  let code = blank(text.slice(0, at))
  let comments = text.slice(0, at)
  let previous = ''
  // One entry for each open `${`: how many braces are open inside it.
  const embedded: number[] = []
  while (at < text.length) {
    const comment = matchAt(COMMENT, text, at)
    let raw = comment
    let shown = blank(comment)
    const depth = embedded.at(-1)
    const char = text.charAt(at)
    const regexMayStart = !ENDS_VALUE.test(previous) || EXPECTS_VALUE.test(previous)
    if (comment === '' && (char === '`' || (char === '}' && depth === 0))) {
      if (char === '}') embedded.pop()
      raw = matchAt(TEMPLATE_PART, text, at)
      const opens = raw.endsWith('${')
      if (opens) embedded.push(0)
      shown = hollow(raw, opens ? 2 : 1)
    } else if (comment === '' && (char === "'" || char === '"')) {
      raw = matchAt(STRING, text, at)
      shown = hollow(raw, 1)
    } else if (comment === '') {
      const regex = char === '/' && regexMayStart ? matchAt(REGEX, text, at) : ''
      raw = regex === '' ? matchAt(CODE, text, at) : regex
      shown = regex === '' ? raw : hollow(raw, 1)
      if (depth !== undefined && char === '{') embedded[embedded.length - 1] = depth + 1
      if (depth !== undefined && char === '}') embedded[embedded.length - 1] = depth - 1
    }
    if (comment === '' && raw.trim() !== '') previous = raw
    code += shown
    comments += comment === '' ? blank(raw) : comment
    at += raw.length
  }
  return { ...file, code, comments }
}

const IMPORT_FROM =
  /\bimport\b\s*((?:type\b(?!\s*from\b)\s*)?(?:[\w$]+\s*,?\s*)?(?:\{[^}]*\}|\*\s*as\s+[\w$]+)?)\s*from\s*['"]/g
const EXPORT_FROM = /\bexport\b\s*((?:type\b\s*)?(?:\{[^}]*\}|\*(?:\s*as\s+[\w$]+)?))\s*from\s*['"]/g
const IMPORT_EFFECT = /\bimport\s*['"]/g
const IMPORT_DYNAMIC = /\bimport\s*\(\s*['"`]/g

/** All imports of a file, static and dynamic, in the order of the text. `import('./x.ts').Type` counts as dynamic. */
export function importsOf(file: Scanned): ImportSite[] {
  const collect = (pattern: RegExp, kind: ImportSite['kind']): ImportSite[] =>
    [...file.code.matchAll(pattern)].map((match) => {
      const from = match.index + match[0].length
      const quote = file.code.charAt(from - 1)
      const clause = (match[1] ?? '').trim()
      const specifier = file.text.slice(from, file.code.indexOf(quote, from))
      return { specifier, clause, kind, typeOnly: /^type\b/.test(clause), index: match.index }
    })
  return [
    ...collect(IMPORT_FROM, 'import'),
    ...collect(IMPORT_EFFECT, 'import'),
    ...collect(IMPORT_DYNAMIC, 'dynamic'),
    ...collect(EXPORT_FROM, 're-export'),
  ].toSorted((a, b) => a.index - b.index)
}

const EXPORTED =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function|const|let|var|class|interface|type|enum|namespace)\b\s*\*?\s*([\w$]+)/gm

/** All exported declarations, in the order of the text; export lists and re-exports are not declarations. */
export function exportsOf(file: Scanned): ExportSite[] {
  return [...file.code.matchAll(EXPORTED)].map((match) => ({
    keyword: match[1] ?? '',
    name: match[2] ?? '',
    index: match.index,
  }))
}

/** Splits names and prose into lower-case words: `paymentId` and `payment-id` both give `payment`, `id`. */
export function wordsOf(text: string): string[] {
  return (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase())
}
