// Owns the little Markdown that the documents are written in: paragraphs, lists and code. Everything else stays text.
import { html } from 'hono/html'
import type { Html } from './page.ts'

/** The blocks of a text: paragraphs, and lists of lines that begin with `- `. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = []
  let isNew = true
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const isItem = line.startsWith('- ')
    if (line.trim() === '') isNew = true
    else if (isNew || !last || isItem !== last[0]?.startsWith('- ')) {
      blocks.push([line])
      isNew = false
    } else last.push(line)
  }
  return blocks
}

/** A text with its code marked. */
export function inline(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** A text as paragraphs and lists. */
export function prose(text: string): Html[] {
  return blocksOf(text).map((lines) =>
    lines[0]?.startsWith('- ') === true
      ? html`<ul>
          ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
        </ul>`
      : html`<p>${inline(lines.join(' '))}</p>`,
  )
}

/** A text in two: its first paragraph, and the rest. */
export function firstAndRest(text: string): [first: string, rest: string] {
  const end = text.indexOf('\n\n')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
}
