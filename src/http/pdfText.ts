// Owns text in PDF pages: which characters the two standard fonts have, how wide they are, how text is cut and wrapped.

/** How text looks: its height in points (1/72 inch), and whether it is bold. */
export interface TextStyle {
  readonly size: number
  readonly bold?: boolean
}

/** Millimetres in one point. */
export const POINT_MM = 25.4 / 72

/** The characters of the codes 128 to 159; a blank stands for a code without one. Source: ISO 32000, WinAnsiEncoding. */
const TYPOGRAPHY = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const ELLIPSIS = '…'
const UNKNOWN = '?'

/** Widths of the codes 32 to 255 in thousandths of the size. Source: Adobe's font metrics of Helvetica. */
const REGULAR = widths(`
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278
278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722
667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556
556 333 500 278 556 500 722 500 500 500 334 260 334 584 0 556 0 222 556 333 1000 556 556 333 1000 667 333
1000 0 611 0 0 222 222 333 333 350 556 1000 333 1000 500 333 944 0 500 667 278 333 556 556 556 556 260 556
333 737 370 556 584 0 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667
667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667
611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556
556 556 556 500 556 500`)
/** The same of Helvetica Bold. */
const BOLD = widths(`
278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333
333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722
667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611
611 389 556 333 611 556 778 556 556 500 389 280 389 584 0 556 0 278 556 500 1000 556 556 333 1000 667 333
1000 0 611 0 0 278 278 500 500 350 556 1000 333 1000 556 333 944 0 500 667 278 333 556 556 556 556 280 556
333 737 370 556 584 0 737 333 400 584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722
722 722 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667
611 556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611
611 611 611 556 611 556`)

function widths(table: string): readonly number[] {
  return table.trim().split(/\s+/).map(Number)
}

/** The code of a character in the fonts; null when they have none. */
function codeOf(character: string): number | null {
  const code = character.charCodeAt(0)
  if (character.length === 1 && ((code >= 32 && code <= 126) || (code >= 161 && code <= 255))) return code
  const place = TYPOGRAPHY.indexOf(character)
  return place === -1 ? null : 128 + place
}

/**
 * One line of text that the fonts can show: any blank, line break or control character becomes a space, runs of them
 * one; a letter they lack becomes its nearest form (`ő` is `o`), else a question mark. What has no width goes.
 */
export function printable(text: string): string {
  const clean = text
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .trim()
  return Array.from(clean, nearest).join('')
}

function nearest(character: string): string {
  if (codeOf(character) !== null) return character
  const parts = Array.from(character.normalize('NFKD')).filter((part) => codeOf(part) !== null)
  return parts.join('').trim() || UNKNOWN
}

/** The width of printable text in millimetres. */
export function textWidth(text: string, { size, bold = false }: TextStyle): number {
  let sum = 0
  for (const character of text) sum += (bold ? BOLD : REGULAR)[(codeOf(character) ?? 32) - 32] ?? 0
  return (sum / 1000) * size * POINT_MM
}

/** The longest beginning of printable text within a width in millimetres; one character at least. */
function beginning(text: string, width: number, style: TextStyle): string {
  let used = 0
  for (let index = 0; index < text.length; index++) {
    used += textWidth(text.charAt(index), style)
    if (used > width) return text.slice(0, Math.max(index, 1))
  }
  return text
}

function shortened(text: string, width: number, style: TextStyle): string {
  return beginning(text, width - textWidth(ELLIPSIS, style), style).trimEnd() + ELLIPSIS
}

/** Text as one printable line within a width in millimetres: what does not fit gives way to an ellipsis. */
export function fitted(text: string, width: number, style: TextStyle): string {
  const line = printable(text)
  return beginning(line, width, style) === line ? line : shortened(line, width, style)
}

/**
 * Text as printable lines within a width in millimetres, broken at its own line breaks, between words, and within a
 * word that is wider. At most `limit` lines: the last one ends with an ellipsis when there was more.
 */
export function wrapped(text: string, width: number, limit: number, style: TextStyle): string[] {
  const lines: string[] = []
  for (const paragraph of text.trim().split(/\r\n|[\n\r\u2028\u2029]/)) {
    let rest = printable(paragraph)
    do {
      if (lines.length === limit) return [...lines.slice(0, -1), shortened(lines.at(-1) ?? '', width, style)]
      const line = broken(rest, width, style)
      lines.push(line)
      rest = rest.slice(line.length).trimStart()
    } while (rest !== '')
  }
  return lines
}

/** The first line of printable text: all of it, or up to its last blank that fits, or as much of a word as fits. */
function broken(text: string, width: number, style: TextStyle): string {
  const most = beginning(text, width, style)
  if (most === text) return text
  const blank = text.lastIndexOf(' ', most.length)
  return blank > 0 ? text.slice(0, blank) : most
}

/** Text as a string of a PDF in the encoding of its fonts, in plain ASCII. */
export function textString(text: string): string {
  const codes = Array.from(printable(text), (character) => codeOf(character) ?? 32)
  const shown = codes.map((code) =>
    code > 126 ? `\\${code.toString(8)}` : String.fromCharCode(code).replace(/[()\\]/, String.raw`\$&`),
  )
  return `(${shown.join('')})`
}
