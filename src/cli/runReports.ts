// Owns how a run of scenarios is reported: for people, for CI servers as JUnit, and as JSON.
import { failureText } from '../scenario/told.ts'
import { counted } from './print.ts'
import type { ScenarioResult } from '../scenario/play.ts'
import type { Paint } from './print.ts'

/** A scenario that was not played to its end: the run was stopped before. */
export type LeftOut = Pick<ScenarioResult, 'name' | 'file'>

/** How a run is reported. `one` is told as soon as a scenario has ended, in the order of the files; `all` at the end. */
export interface Reporter {
  one(result: ScenarioResult): string | null
  all(results: readonly ScenarioResult[], leftOut: readonly LeftOut[]): string
}

/** The reporters by name. */
export const REPORTERS = { spec, junit, json } as const
/** Name of a reporter. */
export type ReporterName = keyof typeof REPORTERS

function spec(paint: Paint): Reporter {
  return {
    one(result) {
      const { passed, file, name, steps, tookMs } = result
      const mark = passed ? paint('green', '✓') : paint('red', '✗')
      const head = `${mark} ${file}  ${name}  ${paint('gray', `(${counted(steps.length, 'step')}, ${tookMs} ms)`)}`
      return passed ? head : `${head}\n${indented(coloured(failureText(result), paint))}\n`
    },
    all(results, leftOut) {
      const failed = results.filter(({ passed }) => !passed).length
      const told = [
        paint('green', `${results.length - failed} passed`),
        ...(failed === 0 ? [] : [paint('red', `${failed} failed`)]),
        ...(leftOut.length === 0 ? [] : [paint('yellow', `${leftOut.length} not played`)]),
      ]
      const lines = leftOut.map(
        ({ file, name }) => `${paint('yellow', '-')} ${file}  ${name}  ${paint('gray', '(not played)')}\n`,
      )
      return `${lines.join('')}\n${counted(results.length + leftOut.length, 'scenario')}: ${told.join(', ')}`
    },
  }
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n')
}

function coloured(text: string, paint: Paint): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('- ')) return paint('green', line)
      return line.startsWith('+ ') ? paint('red', line) : line
    })
    .join('\n')
}

function json(): Reporter {
  return {
    one: () => null,
    all(scenarios, leftOut) {
      const failed = scenarios.filter(({ passed }) => !passed).length
      return JSON.stringify(
        { passed: scenarios.length - failed, failed, notPlayed: leftOut.length, leftOut, scenarios },
        null,
        2,
      )
    },
  }
}

function junit(): Reporter {
  return {
    one: () => null,
    all(results, leftOut) {
      const failures = results.filter(({ passed }) => !passed).length
      const total = seconds(results.reduce((sum, { tookMs }) => sum + tookMs, 0))
      const skipped = leftOut.length
      const tests = results.length + skipped
      const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}" time="${total}"`
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="gateway-sandbox" ${counts}>`,
        `  <testsuite name="gateway-sandbox" ${counts}>`,
        ...results.map(testCase),
        ...leftOut.map((each) => `${caseHead(each, 0)}>\n      <skipped/>\n    </testcase>`),
        '  </testsuite>',
        '</testsuites>',
      ].join('\n')
    },
  }
}

function testCase(result: ScenarioResult): string {
  const { failure, tookMs } = result
  const head = caseHead(result, tookMs)
  if (!failure) return `${head}/>`
  const body = xml(failureText(result))
  const [message = ''] = failure.message.split('\n')
  return `${head}>\n      <failure message="${xml(message)}" type="StepFailure">${body}</failure>\n    </testcase>`
}

/** The beginning of a test case, without what closes it. */
function caseHead({ name, file }: LeftOut, tookMs: number): string {
  const folder = file.replace(/\.[^./]+$/, '').replaceAll('/', '.')
  return `    <testcase name="${xml(name)}" classname="${xml(folder)}" file="${xml(file)}" time="${seconds(tookMs)}"`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** A text inside XML, without the characters that XML does not have. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? found)
}
