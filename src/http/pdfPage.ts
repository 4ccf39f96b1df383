// Owns the PDF file: one A4 page of text, lines and filled boxes. Equal pages have equal bytes.
import { POINT_MM, printable, textString, textWidth } from './pdfText.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { TextStyle } from './pdfText.ts'

/** Something on the page. Lengths and places are millimetres from the top left corner; 0 is black, 1 white. */
export type Mark =
  /** Text that begins at `x`, or ends there, and stands on `y`. */
  | { kind: 'text'; x: number; y: number; text: string; style: TextStyle; align?: 'right'; grey?: number }
  /** A straight line, its width in points. */
  | {
      kind: 'line'
      from: readonly [number, number]
      to: readonly [number, number]
      dashed?: boolean
      width?: number
    }
  | { kind: 'box'; x: number; y: number; width: number; height: number; grey?: number }

/** The whole page. */
export interface PdfPage {
  /** What a reader shows as the title of its window; plain ASCII. */
  title: string
  createdAt: Timestamp
  marks: readonly Mark[]
}

const WIDTH = 595.276
const HEIGHT = 841.89
const LINE_WIDTH = 0.5

/** The bytes of a PDF 1.7 file. Its fonts are Helvetica and Helvetica Bold, which every reader brings along. */
export function pdfBytes({ title, createdAt, marks }: PdfPage): Uint8Array {
  const content = marks.map((mark) => operators(mark)).join('\n')
  const date = createdAt.slice(0, 19).replaceAll(/\D/g, '')
  return file([
    '<< /Type /Catalog /Pages 2 0 R /Lang (pt-BR) /ViewerPreferences << /DisplayDocTitle true >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title ${textString(title)} /Producer (gateway-sandbox) /CreationDate (D:${date}Z) >>`,
  ])
}

/** Objects 1 to n, of which the first is the catalog and the last says what the file is. All of it is ASCII. */
function file(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.7\n'
  const entries = objects.map((object, index) => {
    const entry = `${String(text.length).padStart(10, '0')} 00000 n \n`
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}` +
      `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'ascii',
  )
}

function operators(mark: Mark): string {
  switch (mark.kind) {
    case 'text': {
      const text = printable(mark.text)
      const left = mark.align === 'right' ? mark.x - textWidth(text, mark.style) : mark.x
      const font = `/${mark.style.bold === true ? 'F2' : 'F1'} ${mark.style.size} Tf`
      return `${mark.grey ?? 0} g BT ${font} ${place(left, mark.y)} Td ${textString(text)} Tj ET`
    }
    case 'line': {
      const dashes = mark.dashed === true ? '[3 3] 0 d' : '[] 0 d'
      return `${mark.width ?? LINE_WIDTH} w ${dashes} ${place(...mark.from)} m ${place(...mark.to)} l S`
    }
    case 'box': {
      const size = `${points(mark.width)} ${points(mark.height)}`
      return `${mark.grey ?? 0} g ${place(mark.x, mark.y + mark.height)} ${size} re f`
    }
    default:
      return mark satisfies never
  }
}

/** A place as PDF counts it: in points from the bottom left corner. */
function place(x: number, y: number): string {
  return `${points(x)} ${rounded(HEIGHT - y / POINT_MM)}`
}

function points(millimetres: number): string {
  return rounded(millimetres / POINT_MM)
}

function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
