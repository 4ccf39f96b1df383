// Renders for the README which test files prove which rows of the interface.
import { KINDS, ROWS } from './rows.ts'
import { readTags, readTestFiles } from './tags.ts'
import type { Kind, Row } from './rows.ts'
import type { Tag } from './tags.ts'

const TITLES: Record<Kind, string> = {
  endpoint: 'Endpoints',
  status: 'Statuses',
  row: 'Transitions',
  event: 'Events',
  error: 'Error codes',
  limit: 'Limits',
  enum: 'Listed values',
}

/** Files that are named for one row; the others are counted. */
const MAX_NAMED = 3

/** A row as it is shown: under which heading, and its own words. */
function shown({ kind, name }: Row): { group: string; label: string } {
  const [, first = '', ...rest] = name.split(' ')
  if (kind === 'status' || kind === 'row') {
    return { group: `${TITLES[kind]} of a ${first}`, label: rest.join(' ') }
  }
  if (kind === 'enum') return { group: `${TITLES[kind]}: ${first}`, label: rest.join(' ') }
  return { group: TITLES[kind], label: first }
}

function linked(paths: readonly string[]): string {
  if (paths.length === 0) return 'no test yet'
  const named = paths.slice(0, MAX_NAMED).map((path) => {
    const short = path.replace(/^test\//, '').replace(/\.test\.ts$/, '')
    return `[${short}](${path})`
  })
  const others = paths.length - named.length
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

/** The table of rows and the files that prove them; rows with the same files share a line. Pure. */
export function tableOf(rows: readonly Row[], tags: readonly Tag[]): string {
  const groups = new Map<string, Map<string, string[]>>()
  for (const kind of KINDS) {
    for (const row of rows.filter((each) => each.kind === kind)) {
      const { group, label } = shown(row)
      const paths = new Set(tags.filter((tag) => tag.row === row.name).map(({ path }) => path))
      const files = linked([...paths].toSorted())
      const lines = groups.get(group) ?? new Map<string, string[]>()
      groups.set(group, lines)
      lines.set(files, [...(lines.get(files) ?? []), `\`${label}\``])
    }
  }
  const body = [...groups].flatMap(([group, lines]) =>
    [...lines].map(
      ([files, labels], index) => `| ${index === 0 ? group : ''} | ${labels.join(', ')} | ${files} |`,
    ),
  )
  return ['| What | Row | Proven in |', '|---|---|---|', ...body].join('\n')
}

/** The table of this project. */
export function renderCoverage(): string {
  return tableOf(ROWS, readTags(readTestFiles()).tags)
}
