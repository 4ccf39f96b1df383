// Renders the parts of the README that show scenarios at work: a check that fails, and the library.
import { readdirSync, readFileSync } from 'node:fs'
import { startSandbox } from '../../src/sandbox.ts'
import { playText } from '../../src/scenario/play.ts'
import { failureText } from '../../src/scenario/told.ts'
import { examplesOf } from '../readmeExamples/examples.ts'
import { table } from './markdown.ts'

const ROOT = new URL('../../', import.meta.url)

/** The example of the page with one cent more in its last balance: what a failed check looks like. */
export async function renderMismatch(): Promise<string> {
  const file = 'scenarios/refund.yaml'
  const { scenario } = examplesOf(readFileSync(new URL('README.md', ROOT), 'utf8'))
  const text = scenario?.files[file] ?? ''
  const changed = text.replace('available: 7387', 'available: 7388')
  if (changed === text) throw new Error(`the page has no ${file} with a balance of 7387`)
  const sandbox = await startSandbox({ seed: 'readme', publicUrl: 'http://localhost:4848' })
  try {
    return `\`\`\`text\n${failureText(await playText(sandbox, changed, { file }))}\n\`\`\``
  } finally {
    await sandbox.close()
  }
}

/** The files of the library with the questions that they answer. */
export function renderLibrary(): string {
  const folder = new URL('scenarios/', ROOT)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
  const rows = files.map((file) => {
    const [, question = ''] = readFileSync(new URL(file, folder), 'utf8').split('\n')
    return [`\`${file}\``, question.replace(/^# /, '')]
  })
  return table(['File', 'Question'], rows)
}
