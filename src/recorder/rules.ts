// Owns the rules of a recording: what of each can be said again, and what is told of those that cannot.
import { publicNumber } from './cards.ts'
import { isAllThere } from './data.ts'
import { leaveOut, tell } from './recording.ts'
import type { Recording } from './recording.ts'
import type { Seen } from './seen.ts'

/** Adds a rule, unless it holds what no recording has: secrets, or the id of a record that has no name yet. */
export function recordRule(recording: Recording, rule: Record<string, unknown>): void {
  const when = withPublicNumbers(rule['when'])
  if (!isAllThere(when)) {
    return leaveOut(recording, 'a rule looks at whole card numbers or codes, which no recording has.')
  }
  if (!isAllThere(rule['do'])) {
    return leaveOut(recording, 'a rule does something with what is never kept.')
  }
  const said = recording.names.said({ ...rule, when })
  if (namesRecord(recording.seen, said)) {
    return leaveOut(recording, 'a rule names a record by its id, which is another one in every world.')
  }
  if (rule['probability'] !== undefined) {
    tell(recording, 'a rule acts by chance, which falls otherwise in another world.')
  }
  recording.rules.push(said)
}

/** A condition with the card numbers that everybody knows in the place of what is shown of them. */
function withPublicNumbers(value: unknown): unknown {
  if (typeof value === 'string') return publicNumber(value) ?? value
  if (Array.isArray(value)) return value.map(withPublicNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPublicNumbers(each)]))
}

/** Whether something names a record of the recorded world that is not given: rules begin before the world has names. */
function namesRecord(seen: Seen, value: unknown): boolean {
  if (typeof value === 'string') {
    const { transactions, cashouts, disputes, customers, organizations, credentials } = seen
    const records = [...transactions, ...cashouts, ...disputes, ...customers, ...organizations]
    return (
      value.startsWith('$world.') ||
      records.some(({ id }) => id === value.toLowerCase()) ||
      credentials.some(({ publicKey }) => publicKey === value)
    )
  }
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((each) => namesRecord(seen, each))
  )
}
