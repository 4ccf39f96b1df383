// Owns what a recording makes of a server that lets transactions be paid by themselves: a rule that does the same.
import { tell } from './recording.ts'
import type { Recording } from './recording.ts'

/** Fineness of a delay on a clock that flows, where jobs run some milliseconds late. */
const FLOWING_STEP_MS = 100

/** Adds the rule that pays transactions as the server did by itself, if it did. */
export function addAutoConfirm(recording: Recording): void {
  const { seen, rules } = recording
  const created = new Map(seen.transactions.map(({ id, createdAt }) => [id, createdAt]))
  const delays = unexplained(recording).map(
    ({ subject, at }) => Date.parse(at) - Date.parse(created.get(subject) ?? at),
  )
  if (delays.length === 0) return
  const shortest = Math.min(...delays)
  const step = seen.flowed ? FLOWING_STEP_MS : 1
  const after = `${Math.floor(shortest / step) * step}ms`
  rules.push({ when: { call: 'createTransaction' }, do: { trigger: 'confirm', after } })
  tell(recording, `the server paid transactions by itself after ${after}; a rule does it here.`)
}

/** Payments that nobody asked for: no trigger, no simulation, nothing given, no rule. */
function unexplained({ seen, unmade }: Recording): { subject: string; at: string }[] {
  const asked = new Set<string>(unmade['transactions'])
  for (const each of seen.happenings) {
    if (each.kind === 'call') {
      if (each.exchange.operation === 'simulateTransaction') {
        asked.add(String(each.exchange.subject).toLowerCase())
      }
      continue
    }
    const { route, body } = each.command
    if (route === 'POST /rules') return []
    if (route === 'POST /trigger') asked.add(String((body as { on?: unknown }).on).toLowerCase())
  }
  return seen.confirmed.filter(({ subject }) => !asked.has(subject))
}
