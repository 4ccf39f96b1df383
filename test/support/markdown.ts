// Writes parts of a Markdown page.

/** A table; a bar in a cell is escaped. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
