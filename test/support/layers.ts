// Owns the shape of src: which folder may import which, and that files do not import in circles.
import { posix } from 'node:path'
import { lineAt } from './findings.ts'
import { importsOf } from './sourceText.ts'
import type { Finding } from './findings.ts'
import type { Scanned } from './sourceText.ts'

/** The name that stands for files directly in src: composition and the public API. */
const COMPOSITION = '(composition)'

/** From top to bottom; folders in one row are siblings and never see each other. Source: design, Shape. */
const LAYERS: readonly (readonly string[])[] = [
  ['cli'],
  [COMPOSITION],
  // What was done to a world, written out as a scenario.
  ['recorder'],
  // A scenario is played through the typed client, in this process and against a running server alike, so it stands above it.
  ['scenario'],
  ['client'],
  ['control', 'dashboard'],
  ['http'],
  ['world'],
  ['webhooks'],
  ['domain'],
  ['contract'],
  ['kernel'],
]

/** The only file outside src that src may import, and the folder that may do it. */
const MANIFEST = { path: 'package.json', folder: 'cli' }

function folderOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/')
  return rest.length === 0 ? COMPOSITION : folder
}

function depthOf(folder: string): number {
  return LAYERS.findIndex((row) => row.includes(folder))
}

/** The file a relative specifier means; null for packages and `node:` modules. */
function resolve(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

function whyNot(from: string, to: string): string | null {
  const [source, target] = [folderOf(from), folderOf(to)]
  if (!to.startsWith('src/')) {
    return to === MANIFEST.path && source === MANIFEST.folder
      ? null
      : `src imports ${to}, which is outside src`
  }
  if (source === target || depthOf(target) < 0) return null
  if (depthOf(source) < depthOf(target)) return null
  return depthOf(source) === depthOf(target)
    ? `${source} and ${target} are siblings and never see each other`
    : `${source} is below ${target} and must not import it`
}

/** Imports that go up or sideways, folders without a layer, and imports that leave src. Types count. */
export function upwardImports(files: readonly Scanned[]): Finding[] {
  return files.flatMap((file) => {
    if (depthOf(folderOf(file.path)) < 0) {
      const message = `the folder ${folderOf(file.path)} has no layer: put it into the table of layers`
      return [{ path: file.path, line: 1, message }]
    }
    return importsOf(file).flatMap((site) => {
      const target = resolve(file.path, site.specifier)
      const message = target === null ? null : whyNot(file.path, target)
      return message === null ? [] : [{ path: file.path, line: lineAt(file.text, site.index), message }]
    })
  })
}

/** The shortest way from a file back to itself, both ends included; null when there is none. */
function wayBack(start: string, edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const seen = new Set<string>()
  let ways: string[][] = [[start]]
  while (ways.length > 0) {
    const longer: string[][] = []
    for (const way of ways) {
      for (const next of edges.get(way.at(-1) ?? start) ?? []) {
        if (next === start) return [...way, next]
        if (!seen.has(next)) longer.push([...way, next])
        seen.add(next)
      }
    }
    ways = longer
  }
  return null
}

/** Circles of imports, each reported once, at its alphabetically first file. Types count: a circle of types is one too. */
export function importCircles(files: readonly Scanned[]): Finding[] {
  const edges = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap((site) => resolve(file.path, site.specifier) ?? []),
    ]),
  )
  const reported = new Set<string>()
  return files
    .map((file) => file.path)
    .toSorted()
    .flatMap((path) => {
      const way = wayBack(path, edges)
      if (way === null || way.some((step) => reported.has(step))) return []
      for (const step of way) reported.add(step)
      return [{ path, line: 1, message: `imports in a circle: ${way.join(' > ')}` }]
    })
}
