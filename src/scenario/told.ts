// Owns how a play reads as text for people: the failed step, its diff, and the story so far.
import { at } from './problems.ts'
import type { ScenarioResult } from './play.ts'

/** Why a scenario failed, on several lines: where, what, expected and actual as a diff, and what happened before. */
export function failureText({ file, failure, story }: ScenarioResult): string {
  if (!failure) return ''
  const { step, says, message, diff } = failure
  const head = `${at(file, failure)}  ${step === null ? '' : `step ${step}: `}${says}`
  return [
    head,
    ...message.split('\n'),
    ...(diff === '' ? [] : ['', '- expected  + actual', ...diff.split('\n')]),
    ...(story.length === 0 ? [] : ['', 'the story so far', ...story]),
  ].join('\n')
}
