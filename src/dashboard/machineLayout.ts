// Owns where the statuses of a machine stand in its diagram: in columns by how many steps they are from creation.
import { present } from '../kernel/assert.ts'
import type { AnyMachine } from '../kernel/machine.ts'

/** Size of a status, and the space around it, in picture elements. */
export const NODE = { width: 150, height: 34 } as const
const [COLUMN_GAP, ROW_GAP] = [168, 40]
/** Space for the start, for loops above the first row, and for arcs beside the last column. */
const [LEFT, TOP, RIGHT] = [32, 30, 210]

/** One status: the middle of its box, and its column from 0. */
export interface Place {
  status: string
  column: number
  x: number
  y: number
}

/** What leads from one status to another, and back where something does. */
export interface Edge {
  from: Place
  to: Place
  triggers: readonly string[]
  back: readonly string[]
}

/** A machine with a place for everything. */
export interface MachineLayout {
  width: number
  height: number
  places: readonly Place[]
  edges: readonly Edge[]
}

/** Lays a machine out. */
export function layOut(machine: AnyMachine): MachineLayout {
  const columns = columnsOf(machine)
  const rows = Math.max(...columns.map((column) => column.length))
  const height = TOP + rows * (NODE.height + ROW_GAP) - ROW_GAP / 2
  const places = columns.flatMap((statuses, column) =>
    statuses.map((status, row) => ({
      status,
      column,
      x: LEFT + NODE.width / 2 + column * (NODE.width + COLUMN_GAP),
      y: TOP + row * (NODE.height + ROW_GAP) + NODE.height / 2,
    })),
  )
  const width = LEFT + columns.length * (NODE.width + COLUMN_GAP) - COLUMN_GAP + RIGHT
  return { width, height, places, edges: edgesOf(machine, places) }
}

/** Statuses by their distance from creation, in the order in which the table first reaches them. */
function columnsOf({ rows }: AnyMachine): string[][] {
  const columns: string[][] = []
  const seen = new Set<string>()
  let reached: (string | null)[] = [null]
  while (reached.length > 0) {
    const from = reached
    const next = new Set(
      rows.filter((row) => from.includes(row.from) && !seen.has(row.to)).map(({ to }) => to),
    )
    for (const status of next) seen.add(status)
    reached = [...next]
    if (next.size > 0) columns.push([...next])
  }
  return columns
}

function edgesOf({ rows }: AnyMachine, places: readonly Place[]): Edge[] {
  const placeOf = (status: string): Place =>
    present(
      places.find((place) => place.status === status),
      status,
    )
  const between = (from: string, to: string): string[] => [
    ...new Set(rows.filter((row) => row.from === from && row.to === to).map(({ on }) => on)),
  ]
  const drawn = new Set<string>()
  return rows.flatMap(({ from, to }) => {
    if (from === null || drawn.has(`${from} ${to}`)) return []
    drawn.add(`${from} ${to}`).add(`${to} ${from}`)
    const back = from === to ? [] : between(to, from)
    return [{ from: placeOf(from), to: placeOf(to), triggers: between(from, to), back }]
  })
}
