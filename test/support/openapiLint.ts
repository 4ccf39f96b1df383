// Owns asking a linter whether an OpenAPI document is sound: the real tool, offline, with its recommended rules.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const LINTER = require.resolve('@redocly/cli/bin/cli.js')

/** Host time that one run may take, in milliseconds. */
export const LINT_TIMEOUT_MS = 60_000

interface Report {
  problems: { ruleId: string; severity: string; location: { pointer?: string }[] }[]
}

/** What is wrong with a document, as `severity rule pointer`, sorted; nothing when it is sound. */
export async function lintOpenApi(document: unknown): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document, null, 2))
    const { problems } = JSON.parse(await runLinter(folder)) as Report
    return problems
      .map(({ ruleId, severity, location }) => `${severity} ${ruleId} ${location[0]?.pointer ?? ''}`)
      .toSorted()
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The report as JSON text. The working folder is the document's own, so that no other configuration is found. */
function runLinter(folder: string): Promise<string> {
  const args = [LINTER, 'lint', 'openapi.json', '--extends', 'recommended', '--format', 'json']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      args,
      { cwd: folder, env, timeout: LINT_TIMEOUT_MS },
      (error, stdout, stderr) => {
        // It ends with 1 when it found errors; only without a report did it fail itself.
        if (stdout.startsWith('{')) done(stdout)
        else fail(new Error(`the linter gave no report: ${error?.message ?? ''} ${stderr}`))
      },
    )
  })
}
