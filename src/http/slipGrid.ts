// Owns the boxes of a slip: rows of cells, each with its small label above its value.
import { fitted, textWidth, wrapped } from './pdfText.ts'
import type { Mark } from './pdfPage.ts'
import type { TextStyle } from './pdfText.ts'

/** One cell of a row. Widths are millimetres; a value that is too long is cut, its tail never is. */
export interface Cell {
  width: number
  label: string
  value?: string
  /** Follows the value, such as the document after a name. */
  tail?: string
  align?: 'right'
  strong?: boolean
  shaded?: boolean
}

const LABEL: TextStyle = { size: 5.5 }
const VALUE: TextStyle = { size: 8.5 }
const STRONG: TextStyle = { size: 9.5, bold: true }
const PADDING = 1.2
const LABEL_DEPTH = 2.5
const LINE_HEIGHT = 3.6
const SHADE = 0.9
const LABEL_GREY = 0.25

/** A row of cells side by side with a line below and between them. Places and sizes are millimetres. */
export function row(left: number, top: number, height: number, cells: readonly Cell[]): Mark[] {
  let x = left
  const marks = cells.flatMap((cell, index) => {
    const made = [
      ...(cell.shaded === true
        ? [{ kind: 'box', x, y: top, width: cell.width, height, grey: SHADE } as const]
        : []),
      ...(index > 0 ? [{ kind: 'line', from: [x, top], to: [x, top + height] } as const] : []),
      label(x, top, cell.label),
      ...value(x, top + height - 1.5, cell),
    ]
    x += cell.width
    return made
  })
  return [...marks, { kind: 'line', from: [left, top + height], to: [x, top + height] }]
}

/** A box with a label and wrapped text under it, as many lines as its height holds; it draws no border. */
export function textBox(
  x: number,
  top: number,
  width: number,
  height: number,
  title: string,
  text: string,
): Mark[] {
  const limit = Math.floor((height - LABEL_DEPTH - 1) / LINE_HEIGHT)
  const lines = wrapped(text, width - 2 * PADDING, limit, VALUE)
  return [
    label(x, top, title),
    ...lines.map((line, index): Mark => ({
      kind: 'text',
      x: x + PADDING,
      y: top + LABEL_DEPTH + (index + 1) * LINE_HEIGHT,
      text: line,
      style: VALUE,
    })),
  ]
}

/** The small text at the top left of a box. */
function label(x: number, top: number, text: string): Mark {
  return { kind: 'text', x: x + PADDING, y: top + LABEL_DEPTH, text, style: LABEL, grey: LABEL_GREY }
}

function value(x: number, y: number, { width, value: text = '', tail = '', align, strong }: Cell): Mark[] {
  const style = strong === true ? STRONG : VALUE
  const room = width - 2 * PADDING - textWidth(tail, style)
  const shown = fitted(text, room, style) + tail
  if (shown === '') return []
  return [
    align === 'right'
      ? { kind: 'text', x: x + width - PADDING, y, text: shown, style, align }
      : { kind: 'text', x: x + PADDING, y, text: shown, style },
  ]
}
