// Owns the tidy rules: what the compiler and the linter cannot say about this project, as pure functions over file texts.
import { perFile, places } from './findings.ts'
import { importCircles, upwardImports } from './layers.ts'
import { checkPowers } from './powers.ts'
import { exportsOf, importsOf, scan } from './sourceText.ts'
import { checkKernelWords, checkProviders, checkWords } from './words.ts'
import type { Check, Finding } from './findings.ts'
import type { Scanned, SourceFile } from './sourceText.ts'

/** A finding together with the rule that made it. */
export interface RuledFinding extends Finding {
  readonly rule: string
}

/** A rule, the files it reads, and its check over all of them at once. */
interface Rule {
  readonly name: string
  readonly reads: (path: string) => boolean
  readonly check: Check
}

const inSource = (path: string): boolean => /^src\/.*\.ts$/.test(path)
const inKernel = (path: string): boolean => path.startsWith('src/kernel/')
const inDomain = (path: string): boolean => path.startsWith('src/domain/')
const inTests = (path: string): boolean => /^test\/.*\.ts$/.test(path)
/** All but the one file in which a command, not a test, waits for a program elsewhere. */
const mustNotWait = (path: string): boolean => inTests(path) && path !== 'test/proofs/contract/hostTime.ts'
const inTypeScript = (path: string): boolean => inSource(path) || inTests(path)
const inPages = (path: string): boolean => /^src\/dashboard\/.*\.(?:ts|js)$/.test(path)
const outsideTests = (path: string): boolean => !path.startsWith('test/')

// ---- domain

const ASYNC_WORD = /(?<![.\w$])(?:async|await|Promise|PromiseLike)\b/g
const HTTP_WORD = /(?<![.\w$])(?:Request|RequestInit|Response|ResponseInit|Headers|Hono|fetch)\b(?!\s*:)/g

const checkDomain = perFile((file) => [
  ...places(file.code, ASYNC_WORD, (found) => `domain is synchronous, but here is ${found}`),
  ...places(file.code, HTTP_WORD, (found) => `domain knows no HTTP, but here is ${found}`),
  ...importsOf(file)
    .filter(({ specifier }) => /^(?:node:|hono\b|@hono\/)/.test(specifier))
    .map(({ specifier, index }) => ({ index, message: `domain must not import ${specifier}` })),
])

// ---- the form of a file

const checkHeader = perFile((file) => {
  const body = file.text.replace(/^#![^\n]*\n/, '')
  const owns = /^(?:\/\/|\/\*\*(?:\s*\n\s*\*)?)\s*(?!oxlint-|eslint-|@ts-)[^\s*/][^\n]{9,}/.test(body)
  return owns ? [] : [{ index: 0, message: 'the first line must be a comment that says what the file owns' }]
})

/** Whether a docstring with words in it, other than the header of the file, stands directly before an index. */
function isDocumented(file: Scanned, index: number): boolean {
  const before = file.text
    .slice(0, index)
    .trimEnd()
    .replace(/\n\s*\/\/ oxlint-disable-next-line[^\n]*$/, '')
  const start = before.lastIndexOf('/**')
  return start > 0 && before.endsWith('*/') && before.indexOf('*/', start) === before.length - 2
    ? /\p{L}{2}/u.test(before.slice(start))
    : false
}

const checkDocstrings = perFile((file) => {
  const documented = new Set<string>()
  const missing = exportsOf(file).flatMap(({ name, index }) => {
    // Further signatures of an overloaded function are covered by the docstring of the first one.
    if (documented.has(name)) return []
    if (isDocumented(file, index)) {
      documented.add(name)
      return []
    }
    return [{ index, message: `the export ${name} has no docstring directly before it` }]
  })
  const lists = places(
    file.code,
    /^export\s+(?:type\s+)?\{[^}]*\}(?!\s*from\b)/gm,
    () => 'export a thing where it is declared, not in a list',
  )
  return [...missing, ...lists]
})

const checkForms = perFile((file) => [
  ...places(file.code, /^export\s+default\b|\bas\s+default\b/gm, () => 'no default exports'),
  ...places(file.code, /^(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w+/gm, () => 'no enums'),
  ...places(file.code, /^(?:export\s+)?(?:declare\s+)?namespace\s+\w/gm, () => 'no namespaces'),
])

const checkBarrels = perFile((file) =>
  file.path === 'src/index.ts'
    ? []
    : importsOf(file)
        .filter(({ kind }) => kind === 're-export')
        .map(({ index }) => ({ index, message: 'only src/index.ts exports what another file declares' })),
)

const MUTABLE =
  /^(?:export\s+)?const\s+[\w$]+\s*(:[^=]*(?:=>[^=]*)*)?=\s*(?:new\s+(?:Map|Set|WeakMap|WeakSet)\b|(?:\[\s*\]|\{\s*\})(?!\s*as\s+const)\s*(?:;|\n|$))/gm

const checkModuleState = perFile((file) => [
  ...places(file.code, /^(?:export\s+)?(?:let|var)\s+[\w$]+/gm, (found) => `no module-level state: ${found}`),
  // A collection that is declared read-only is a table, not state.
  ...[...file.code.matchAll(MUTABLE)]
    .filter((match) => !/\breadonly\b|\bReadonly/.test(match[1] ?? ''))
    .map((match) => ({
      index: match.index,
      message: 'no module-level state: this can only be filled later (declare it read-only if it is a table)',
    })),
])

const checkLeftovers = perFile((file) =>
  places(file.comments, /\b(?:TODO|FIXME|XXX|HACK)\b/g, (found) => `unfinished work: ${found}`),
)

// ---- pages

const RAW_HTML =
  /(?<![.\w$])raw\b|\b(?:innerHTML|outerHTML|srcdoc|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment)\b|\bdocument\s*\.\s*write(?:ln)?\b/g
const INLINE = /(?<=<[^<>]*\s)(?:style|on[a-z]+)=(?=["'$])/g

/** What a merchant sends stands in pages, so nothing but the tag `html` may make HTML, and nothing in it may run. */
const checkPages = perFile((file) => [
  ...places(file.code, RAW_HTML, (found) => `pages are made by the tag html alone, but here is ${found}`),
  ...places(file.text, INLINE, (found) => `the policy of pages forbids ${found}`),
])

// ---- tests

/** Whether the timers of a test file are fake ones, which wait for nobody. */
const FAKES_TIMERS = /\buseFakeTimers\s*\(/

const waits = (found: string): string => `tests must not wait on host time: ${found}`

const checkWaiting = perFile((file) => [
  ...places(
    FAKES_TIMERS.test(file.code) ? '' : file.code,
    /\b(?:setTimeout|setInterval|setImmediate)\b(?=\s*\()/g,
    waits,
  ),
  ...places(
    file.code,
    /(?<![.\w$])(?:sleep|delay)\b(?=\s*\()|\bvi\s*\.\s*(?:waitFor|waitUntil)\b|\bexpect\s*\.\s*poll\b/g,
    waits,
  ),
  ...importsOf(file)
    .filter(({ specifier }) => /^(?:node:)?timers(?:\/|$)/.test(specifier))
    .map(({ specifier, index }) => ({ index, message: waits(specifier) })),
])

const LEFT_OUT =
  /\b(?:describe|it|test|context)\s*(?:\.\s*\w+\s*)*\.\s*(?:skip|only|todo)\b|(?<![.\w$])(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(|\{\s*(?:skip|only|todo)\s*:\s*true\b/g

const checkAllRun = perFile((file) => places(file.code, LEFT_OUT, (found) => `every test runs: ${found}`))

// ---- all of them

/** Every rule. The names are what the planted violations and the findings call them by. */
export const RULES: readonly Rule[] = [
  { name: 'import only downwards', reads: inSource, check: upwardImports },
  { name: 'no import circles', reads: inSource, check: importCircles },
  { name: 'kernel knows no payment word', reads: inKernel, check: checkKernelWords },
  { name: 'domain is synchronous and alone', reads: inDomain, check: checkDomain },
  { name: 'one owner for each power', reads: inSource, check: checkPowers },
  { name: 'first line says what the file owns', reads: inSource, check: checkHeader },
  { name: 'every export has a docstring', reads: inSource, check: checkDocstrings },
  { name: 'no default exports, enums or namespaces', reads: inSource, check: checkForms },
  { name: 'no barrels', reads: inSource, check: checkBarrels },
  { name: 'no module-level state', reads: inSource, check: checkModuleState },
  { name: 'nothing unfinished', reads: inTypeScript, check: checkLeftovers },
  { name: 'nothing is raw HTML', reads: inPages, check: checkPages },
  { name: 'one word for one thing', reads: inSource, check: checkWords },
  { name: 'no real provider', reads: outsideTests, check: checkProviders },
  { name: 'tests do not wait', reads: mustNotWait, check: checkWaiting },
  { name: 'every test runs', reads: inTests, check: checkAllRun },
]

/** Everything untidy in a set of files, by rule and then in the order of the files. Pure. */
export function tidy(files: readonly SourceFile[]): RuledFinding[] {
  const scanned = files.map((file) => scan(file))
  return RULES.flatMap(({ name, reads, check }) =>
    check(scanned.filter((file) => reads(file.path))).map((finding) => ({ ...finding, rule: name })),
  )
}
