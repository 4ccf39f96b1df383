// Owns how one thing that happened in a world reads on a line of a story.
import type { WorldEvent } from '../client/events.ts'

/** Width of the kind, in characters. */
const KIND_WIDTH = 10

/** One thing that happened, on one line, without its instant. */
export function worldLine(event: WorldEvent): string {
  return `${event.kind.padEnd(KIND_WIDTH)}  ${textOf(event)}`
}

function textOf(event: WorldEvent): string {
  const fact = (name: string, instead = ''): string => {
    const value = event[name]
    if (value === null || value === undefined) return instead
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  switch (event.kind) {
    case 'call': {
      const code = fact('code') === '' ? '' : ` ${fact('code')}`
      return `${fact('operation', 'unknown')} ${fact('status')}${code}  ${fact('method')} ${fact('path')}`
    }
    case 'transition': {
      const reason = fact('reason') === '' ? '' : ` (${fact('reason')})`
      return `${fact('machine')} ${fact('on')}: ${fact('from', 'new')} -> ${fact('to')}${reason}  ${fact('subject')}`
    }
    case 'delivery':
      return `${fact('type')} to ${fact('url')}  ${fact('subject')}`
    case 'attempt':
      return `${fact('type')} ${fact('number')}: ${fact('status', fact('error', 'in flight'))}  ${fact('subject')}`
    case 'clock':
      return `${fact('mode')}${fact('from') === '' ? '' : `, moved from ${fact('from')}`}`
    case 'setup':
      return `${fact('changed')} changed`
    default:
      event.kind satisfies never
      return ''
  }
}
