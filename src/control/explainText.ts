// Owns how a story reads as plain text: one line a step, under the instant at which it happened.
import type { Story } from '../world/story.ts'
import type { StoryStep } from '../world/storySteps.ts'

/** Characters that end a line, drive a terminal or turn the direction of a text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu
/** Longest part of a step that is shown, in characters. */
const MAX_SHOWN = 300

/** A text that stays on its line, whatever a merchant put into it. */
export function plainLine(text: string): string {
  const line = text.replaceAll(UNPRINTABLE, ' ').trim()
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}...`
}

/** A story as text. */
export function storyText(story: Story): string {
  const { id, kind, status, order, steps, waiting } = story
  const lines = [`${kind} ${id} is ${status}`]
  if (order === 'byTime') {
    lines.push(
      '(the history of this world began later: steps of one instant may have happened in another order)',
    )
  }
  let shown: string | null = null
  for (const step of steps) {
    if (step.at !== shown) lines.push('', step.at)
    shown = step.at
    lines.push(`  ${step.kind.padEnd(10)}  ${plainLine(step.text)}${followed(step, steps)}`)
  }
  lines.push('', waiting.length === 0 ? 'nothing waits for time' : 'waits for time')
  for (const { at, text } of waiting) lines.push(`  ${at}  ${plainLine(text)}`)
  return `${lines.join('\n')}\n`
}

/** What a call followed, in words. */
function followed(step: StoryStep, steps: readonly StoryStep[]): string {
  if (step.kind !== 'call' || step.after === null) return ''
  const webhook = steps.find((each) => each.kind === 'delivery' && each.delivery === step.after)
  const type = webhook?.kind === 'delivery' ? webhook.type : 'delivery'
  const when = step.during === null ? 'after' : `while attempt ${step.during} was in flight of`
  return `  (${when} ${type} ${step.after})`
}
