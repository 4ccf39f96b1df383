// Owns how a run is told: plain lines, JSON, and the figures that are kept.
import type { Finding, Found, Observation } from './check.ts'

/** Counts of one or several runs. */
export interface Figures {
  held: number
  differs: number
  leftOut: number
  observations: number
  /** Observations that are not as the sandbox chose. */
  otherwise: number
}

/** Whether something was seen that is not as the sandbox chose. */
export function isOtherwise({ seen, ours }: Observation): boolean {
  return seen !== null && seen !== ours
}

/** Counts what was found. */
export function figuresOf({ findings, observations }: Found): Figures {
  const count = (outcome: Finding['outcome']): number =>
    findings.filter((finding) => finding.outcome === outcome).length
  return {
    held: count('held'),
    differs: count('differs'),
    leftOut: count('left out'),
    observations: observations.filter(({ seen }) => seen !== null).length,
    otherwise: observations.filter(isOtherwise).length,
  }
}

/** Several runs as one: a check that one of them left out is what another found of it. */
export function together(runs: readonly Found[]): Found {
  const weight = { differs: 2, held: 1, 'left out': 0 }
  const checks = new Map<string, Finding>()
  for (const finding of runs.flatMap(({ findings }) => findings)) {
    const known = checks.get(finding.check)
    if (!known || weight[finding.outcome] > weight[known.outcome]) checks.set(finding.check, finding)
  }
  const points = new Map<string, Observation>()
  for (const observation of runs.flatMap(({ observations }) => observations)) {
    const key = `${observation.id} ${observation.point}`
    const known = points.get(key)
    if (!known || known.seen === null || isOtherwise(observation)) points.set(key, observation)
  }
  return { findings: [...checks.values()], observations: [...points.values()] }
}

/** A run in plain lines, chapter by chapter, the silent points at the end. */
export function reportToText(found: Found): string {
  const chapters = [...new Set(found.findings.map(({ chapter }) => chapter))]
  const checks = chapters.flatMap((chapter) => [
    '',
    chapter,
    ...found.findings.filter((finding) => finding.chapter === chapter).map(findingToText),
  ])
  const { held, differs, leftOut, observations, otherwise } = figuresOf(found)
  return [
    ...checks,
    '',
    'Where the contract is silent',
    ...found.observations.map(observationToText),
    '',
    `${held} held, ${differs} differ, ${leftOut} left out; ${observations} silent points seen, ${otherwise} not as the sandbox chose`,
  ]
    .join('\n')
    .trimStart()
}

function findingToText(finding: Finding): string {
  if (finding.outcome === 'held') return `  held      ${finding.check}`
  if (finding.outcome === 'left out') return `  left out  ${finding.check}\n            ${finding.why}`
  return `  DIFFERS   ${finding.check}\n            expected ${finding.expected}\n            got      ${finding.got}`
}

function observationToText(observation: Observation): string {
  const { id, point, ours, seen, why } = observation
  if (seen === null) return `  ${id}  ${point}: not seen, ${why}`
  const choice = isOtherwise(observation) ? ` (the sandbox: ${ours})` : ''
  return `  ${id}  ${point}: ${seen}${choice}`
}

/** The text without these secrets, wherever an answer may have repeated them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((kept, secret) => kept.replaceAll(secret, '***'), text)
}
