// Owns how a story is drawn as a Mermaid sequence diagram between the merchant, the gateway and the receiver.
import { plainLine } from './explainText.ts'
import type { Story } from '../world/story.ts'
import type { StepOf, StoryStep } from '../world/storySteps.ts'

/** Characters that mean nothing in Mermaid; any other is written as its code. */
const UNSAFE = /[^\p{L}\p{M}\p{N} /._,:()=+?*@-]/gu
/** Words in whose line Mermaid takes the end of a code away: their first letter is written as a code itself. */
const TOUCHY = /(?=style|classdef)./gi

/** A text that Mermaid shows as it is, whatever a merchant put into it. */
function label(text: string): string {
  const code = (character: string): string => `#${character.codePointAt(0)};`
  return plainLine(text).replaceAll(UNSAFE, code).replaceAll(TOUCHY, code)
}

/** A story as a Mermaid sequence diagram. */
export function storyMermaid({ id, kind, status, order, steps, waiting }: Story): string {
  const lines = [
    'sequenceDiagram',
    '  participant Merchant',
    '  participant Gateway',
    '  participant Receiver',
  ]
  const note = (text: string): void => void lines.push(`  Note over Gateway: ${label(text)}`)
  const all = (text: string): void => void lines.push(`  Note over Merchant,Receiver: ${label(text)}`)
  all(`${kind} ${id} is ${status}`)
  if (order === 'byTime') all('steps of one instant may have happened in another order')
  let shown: string | null = null
  const open: { attempt: StepOf<'attempt'>; last: number }[] = []
  for (const [index, step] of steps.entries()) {
    if (step.at !== shown) all(step.at)
    shown = step.at
    if (step.kind === 'call') {
      lines.push(`  Merchant->>Gateway: ${label(`${step.method} ${step.path}`)}`)
      lines.push(`  Gateway-->>Merchant: ${label(`${step.status} ${step.code ?? ''}`)}`)
    } else if (step.kind === 'attempt') {
      lines.push(`  Gateway->>Receiver: ${label(`${step.type}, attempt ${step.number}`)}`)
      open.push({ attempt: step, last: lastDuring(steps, step, index) })
    } else note(step.text.replaceAll('->', 'to'))
    for (const { attempt } of open.filter(({ last }) => last === index)) lines.push(outcome(attempt))
  }
  for (const { at, text } of waiting) all(`waits until ${at}: ${text}`)
  return `${lines.join('\n')}\n`
}

/** Where the last call stands that was made while an attempt was in flight; the attempt itself without one. */
function lastDuring(steps: readonly StoryStep[], attempt: StepOf<'attempt'>, from: number): number {
  const next = steps.findIndex(
    (step, index) => index > from && step.kind === 'attempt' && step.delivery === attempt.delivery,
  )
  const during = steps.findLastIndex(
    (step, index) =>
      index > from &&
      (next === -1 || index < next) &&
      step.kind === 'call' &&
      step.after === attempt.delivery &&
      step.during === attempt.number,
  )
  return Math.max(from, during)
}

function outcome({ status, error, endedAt }: StepOf<'attempt'>): string {
  if (status !== null) return `  Receiver-->>Gateway: ${status}`
  return `  Receiver--xGateway: ${label(error ?? (endedAt === null ? 'in flight' : 'no answer'))}`
}
