// Owns how one event of the live feed reads on a line for people.
import { shown } from './print.ts'
import type { WorldEvent } from '../client/events.ts'
import type { Colour, Paint } from './print.ts'

const COLOURS: Readonly<Record<WorldEvent['kind'], Colour>> = {
  call: 'cyan',
  transition: 'magenta',
  delivery: 'gray',
  attempt: 'yellow',
  clock: 'gray',
  setup: 'gray',
}
/** Widths of the kind and of what it is about, in characters. */
const [KIND_WIDTH, SUBJECT_WIDTH] = [10, 26]

/** One event on one line: when on the world's clock, what, how it went, and of which record. */
export function eventLine(event: WorldEvent, paint: Paint): string {
  const when = paint('gray', event.at.replace('T', ' ').replace('Z', ''))
  const kind = paint(COLOURS[event.kind], event.kind.padEnd(KIND_WIDTH))
  const { about, rest } = partsOf(event, paint)
  return `${when}  ${kind}  ${about.padEnd(SUBJECT_WIDTH)}  ${rest}`.trimEnd()
}

function partsOf(event: WorldEvent, paint: Paint): { about: string; rest: string } {
  const fact = (name: string): string => {
    const value = event[name]
    return value === null || value === undefined ? '' : shown(value)
  }
  switch (event.kind) {
    case 'call': {
      const answer = `${result(event['status'], paint)}  ${fact('method')} ${fact('path')}`
      return { about: fact('operation') || 'unknown', rest: `${answer}  ${paint('red', fact('code'))}` }
    }
    case 'transition': {
      const reason = fact('reason') === '' ? '' : `: ${fact('reason')}`
      const moved = `${fact('from') || 'new'} -> ${paint('green', fact('to'))}`
      return { about: `${fact('machine')} ${fact('on')}`, rest: `${moved}${reason}  ${fact('subject')}` }
    }
    case 'delivery':
      return { about: fact('type'), rest: `to ${fact('url')}  ${fact('subject')}` }
    case 'attempt': {
      const answer = event['status'] === null ? paint('red', fact('error')) : result(event['status'], paint)
      return { about: fact('type'), rest: `attempt ${fact('number')}: ${answer}  ${fact('subject')}` }
    }
    case 'clock': {
      const from = fact('from') === '' ? '' : `moved from ${fact('from')}`
      const mode = event['mode'] === 'flowing' ? `flowing at rate ${fact('rate')}` : fact('mode')
      return { about: mode, rest: from }
    }
    case 'setup':
      return { about: `${fact('changed')} changed`, rest: '' }
    default:
      event.kind satisfies never
      return { about: '', rest: '' }
  }
}

function result(status: unknown, paint: Paint): string {
  return paint(Number(status) < 400 && Number(status) >= 200 ? 'green' : 'red', String(status))
}
