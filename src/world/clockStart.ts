// Owns reading how a clock begins: `frozen`, `flowing`, an instant, or `flowing@` an instant.
import { parseInstant } from '../kernel/time.ts'
import { Misuse } from './misuse.ts'
import type { ClockStart } from './runningWorld.ts'

/**
 * How a clock begins, as people type it. A bare instant is frozen there.
 * @throws {Misuse} for anything else
 */
export function parseClockStart(text: string): ClockStart {
  if (text === 'frozen' || text === 'flowing') return { mode: text, at: null, rate: 1 }
  const [, flowing, instant = ''] = /^(flowing@|frozen@)?(.*)$/.exec(text) ?? []
  const at = parseInstant(instant)
  if (at !== null) return { mode: flowing === 'flowing@' ? 'flowing' : 'frozen', at, rate: 1 }
  throw new Misuse(
    'sandbox_bad_request',
    `'${text}' is no clock; use frozen, flowing, an instant such as 2030-01-01T12:00:00Z, or flowing@2030-01-01T12:00:00Z.`,
  )
}
