// Owns the diagram of a machine: its statuses with the current one lit, and the triggers that lead from one to another.
import { html } from 'hono/html'
import { layOut, NODE } from './machineLayout.ts'
import type { AnyMachine } from '../kernel/machine.ts'
import type { Edge, Place } from './machineLayout.ts'
import type { Html } from './page.ts'

/** Height of a line of a label, in picture elements. */
const LINE = 13

/** An edge as drawn: its lines, and its label, which stands above the lines of all edges. */
interface Drawn {
  isLit: boolean
  lines: Html
  label: Html
}

/**
 * The diagram of a machine.
 * @param now the status to light
 * @param been statuses that the record has been in
 * @param label says in words what the picture shows
 */
export function machineDiagram(
  machine: AnyMachine,
  { now, been, label: said }: { now: string; been: ReadonlySet<string>; label: string },
): Html {
  const { width, height, places, edges } = layOut(machine)
  const drawn = edges
    .map((edge) => ({ ...drawEdge(edge, places), isLit: leaves(edge, now) }))
    .toSorted((a, b) => Number(a.isLit) - Number(b.isLit))
  const layer = (part: 'lines' | 'label'): Html[] =>
    drawn.map((edge) => html`<g class="edge ${edge.isLit ? 'lit' : ''}">${edge[part]}</g>`)
  return html`<div class="scroll" role="group" aria-label="${said}" tabindex="0">
    <svg
      class="machine"
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-label="${said}"
    >
      ${places.slice(0, 1).map(drawStart)} ${layer('lines')}
      ${places.map((place) => drawNode(place, now, been))} ${layer('label')}
    </svg>
  </div>`
}

/** Whether something on an edge leads away from a status. */
function leaves({ from, to, back }: Edge, status: string): boolean {
  return from.status === status || (to.status === status && back.length > 0)
}

function drawNode({ status, x, y }: Place, now: string, been: ReadonlySet<string>): Html {
  const past = been.has(status) ? 'been' : ''
  return html`<g class="node ${status === now ? 'now' : past}">
    <rect
      x="${x - NODE.width / 2}"
      y="${y - NODE.height / 2}"
      width="${NODE.width}"
      height="${NODE.height}"
      rx="8"
    />
    <text x="${x}" y="${y}" dy="0.35em" text-anchor="middle">${status}</text>
  </g>`
}

function drawStart({ x, y }: Place): Html {
  const left = x - NODE.width / 2
  return html`<g class="edge"
    ><circle class="start" cx="${left - 24}" cy="${y}" r="5" />
    <path d="M${left - 19} ${y}H${left}" />${head(left, y, 1)}</g
  >`
}

function drawEdge(edge: Edge, places: readonly Place[]): Omit<Drawn, 'isLit'> {
  const { from, to, triggers, back } = edge
  if (from === to) return loop(edge)
  if (from.column === to.column) return arc(edge, places)
  return from.column < to.column ? line(edge) : line({ from: to, to: from, triggers: back, back: triggers })
}

/** From the right side of one status to the left side of another, further on. What leads back is named below the line. */
function line({ from, to, triggers, back }: Edge): Omit<Drawn, 'isLit'> {
  const [x1, x2] = [from.x + NODE.width / 2, to.x - NODE.width / 2]
  const middle = x1 + (x2 - x1) * 0.3
  const there = triggers.join(', ')
  return {
    lines: html`<path d="M${x1} ${from.y}C${middle} ${from.y} ${x1} ${to.y} ${x1 + 52} ${to.y}H${x2}" />
      ${triggers.length > 0 && head(x2, to.y, 1)} ${back.length > 0 && head(x1, from.y, -1)}`,
    label: html`${text([there], x2 - 12, to.y - 5, 'end')}
    ${back.length > 0 && text([`← ${back.join(', ')}`], x2 - 12, to.y + LINE, 'end')}`,
  }
}

/** Between two statuses of one column, along its right side; the longer the way, the further out. */
function arc({ from, to, triggers, back }: Edge, places: readonly Place[]): Omit<Drawn, 'isLit'> {
  const span = Math.abs(to.y - from.y) / (NODE.height * 2)
  // Arcs that end at one side of a status stand a little apart.
  const shift = (place: Place, other: Place): number => (other.y > place.y ? 7 : -7)
  const x = from.x + NODE.width / 2
  const [y1, y2] = [from.y + shift(from, to), to.y + shift(to, from)]
  const out = x + 20 * span
  const isUp = to.y < from.y
  const mark = (each: readonly string[], goesUp: boolean): string[] =>
    each.length === 0 ? [] : [`${goesUp ? '↑' : '↓'} ${each.join(', ')}`]
  const words = [...mark(triggers, isUp), ...mark(back, !isUp)]
  const middle = (y1 + y2) / 2 - (LINE * (words.length - 1)) / 2 + 4
  // Lines to the next column run at the height of its statuses.
  const isCrossed = places.some(({ column, y }) => column === from.column + 1 && y === (from.y + to.y) / 2)
  const top = isCrossed ? middle + 20 : middle
  return {
    lines: html`<path d="M${x} ${y1}C${out} ${y1} ${out} ${y2} ${x} ${y2}" /> ${head(x, y2, -1)}
      ${back.length > 0 && head(x, y1, -1)}`,
    label: text(words, x + (out - x) * 0.75 + 6, top, 'start'),
  }
}

/** From a status to itself, above it. */
function loop({ from: { x, y }, triggers }: Edge): Omit<Drawn, 'isLit'> {
  const [left, top] = [x - NODE.width / 2 + 14, y - NODE.height / 2]
  return {
    lines: html`<path
        d="M${left + 18} ${top}C${left + 26} ${top - 20} ${left - 8} ${top - 20} ${left} ${top}"
      />
      <path class="head" d="M${left} ${top}l-5 -7h8z" />`,
    label: text([triggers.join(', ')], left + 24, top - 6, 'start'),
  }
}

/** The point of an arrow at a side of a status; 1 points to the right, -1 to the left. */
function head(x: number, y: number, direction: 1 | -1): Html {
  return html`<path class="head" d="M${x} ${y}l${-8 * direction} -4v8z" />`
}

function text(lines: readonly string[], x: number, y: number, anchor: 'start' | 'end'): Html {
  return html`<text text-anchor="${anchor}"
    >${lines.map((each, index) => html`<tspan x="${x}" y="${y + index * LINE}">${each}</tspan>`)}</text
  >`
}
