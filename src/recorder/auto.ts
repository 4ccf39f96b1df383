// Owns what a recording makes of a server that lets transactions be paid by themselves: a rule that does the same.
import { METHODS } from '../contract/enums.ts'
import { tell } from './recording.ts'
import type { Recording } from './recording.ts'

/** Adds the rule that pays transactions as the server did by itself, if it did. */
export function addAutoConfirm(recording: Recording): void {
  const { rules, seen } = recording
  const { autoConfirm, silences } = seen.began
  if (autoConfirm === null) return
  const after = `${autoConfirm}ms`
  // A choice about cards goes before what the server does (TX-25).
  const others = METHODS.filter((method) => method !== 'CreditCard')
  const which = (silences['TX-25'] ?? 'pending') === 'pending' ? {} : { method: { oneOf: others } }
  rules.push({ when: { call: 'createTransaction', ...which }, do: { trigger: 'confirm', after } })
  tell(recording, `the server paid transactions by itself after ${after}; a rule does it here.`)
}
