// Owns finding scenario files: paths, folders and globs, also where no shell expanded them.
import { filesIn, kindOfPath, readText } from '../world/disk.ts'
import { ScenarioError } from './problems.ts'
import type { Scenario } from './parse.ts'

/** Names of scenario files in a folder. */
const SCENARIO_FILE = /\.(?:ya?ml|json)$/

/** The files that a path, a folder or a glob means; empty when there are none. */
export async function expandPath(typed: string): Promise<string[]> {
  const path = typed.replaceAll('\\', '/')
  const kind = await kindOfPath(path)
  if (kind === 'file') return [path]
  if (kind === 'folder') {
    const files = await filesIn(path.replace(/\/+$/, '') || '/')
    return files.filter((file) => SCENARIO_FILE.test(file)).map((file) => joined(path, file))
  }
  if (!/[*?{[]/.test(path)) return []
  const parts = path.split('/')
  const fixed = parts.findIndex((part) => /[*?{[]/.test(part))
  const folder = parts.slice(0, fixed).join('/') || (path.startsWith('/') ? '/' : '.')
  if ((await kindOfPath(folder)) !== 'folder') return []
  const pattern = globPattern(parts.slice(fixed).join('/'))
  const files = (await filesIn(folder)).filter((file) => pattern.test(file))
  return files.map((file) => (fixed === 0 ? file : joined(folder, file)))
}

function joined(folder: string, file: string): string {
  return `${folder.replace(/\/+$/, '')}/${file}`
}

/** A glob as a pattern: `**` any folders, `*` and `?` within a name, `{a,b}` one of several, `[ab]` one of some letters. */
function globPattern(glob: string): RegExp {
  const source = glob.replaceAll(
    /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]]+\]|[.+^$()|\\{}[\]]/g,
    (found) => PARTS[found] ?? groupOf(found),
  )
  return new RegExp(`^${source}$`)
}

const PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

function groupOf(found: string): string {
  if (found.length === 1) return `\\${found}`
  if (found.startsWith('[')) return found.replace(/^\[!/, '[^')
  const inner = found.slice(1, -1).replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
  return `(?:${inner.replaceAll('*', '[^/]*').replaceAll('?', '[^/]').replaceAll(',', '|')})`
}

/**
 * Reads scenario files.
 * @throws {ScenarioError} naming every problem of every file that is no scenario, or cannot be read
 */
export async function readScenarios(files: readonly string[]): Promise<Scenario[]> {
  const scenarios: Scenario[] = []
  const broken: ScenarioError[] = []
  for (const file of files) {
    // Loaded with the first file: a server that is given none starts sooner.
    const { parseScenario } = await import('./parse.ts')
    try {
      scenarios.push(parseScenario(await textOf(file), file))
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error
      broken.push(error)
    }
  }
  const [first, ...others] = broken
  if (!first) return scenarios
  if (others.length === 0) throw first
  throw new BrokenScenarios(broken)
}

/** Several files that are no scenarios. */
class BrokenScenarios extends ScenarioError {
  constructor(broken: readonly ScenarioError[]) {
    super(broken.map(({ file }) => file).join(', '), [])
    this.message = broken.map(({ message }) => message).join('\n')
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readText(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const message = `cannot be read: ${code ?? String(error)}`
    throw new ScenarioError(file, [{ line: 1, column: 1, message }])
  }
}
