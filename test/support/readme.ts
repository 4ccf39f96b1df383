// Renders the generated parts of the README from the tables and the command's own help, and finds the walk that it shows.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { GATEWAY_ERRORS, SANDBOX_ERRORS } from '../../src/contract/errors.ts'
import { silence, SILENCE_IDS } from '../../src/contract/silences.ts'
import { CASHOUT_MACHINE } from '../../src/domain/cashoutMachine.ts'
import { DISPUTE_MACHINE } from '../../src/domain/disputeMachine.ts'
import { describeEffect } from '../../src/domain/effects.ts'
import { TRANSACTION_MACHINE } from '../../src/domain/transactionMachine.ts'
import { toMarkdown, toMermaid } from '../../src/kernel/machineDocs.ts'
import { renderCoverage } from '../coverage/render.ts'
import type { ErrorRow } from '../../src/contract/errors.ts'
import type { Effect } from '../../src/domain/effects.ts'
import type { Machine } from '../../src/kernel/machine.ts'

type AnyMachine = Machine<string, string, string, Effect<string, string, string>>

/** Each generated part by the name of its markers. */
const PARTS: Record<string, () => string | Promise<string>> = {
  cli: renderCommandLine,
  ours: renderOurs,
  endpoints: renderEndpoints,
  machines: renderMachines,
  errors: renderErrors,
  silences: renderSilences,
  coverage: renderCoverage,
}

/** A text with every generated part written anew. */
export async function withParts(readme: string): Promise<string> {
  let text = readme
  for (const [name, render] of Object.entries(PARTS)) {
    const markers = new RegExp(`(<!-- generated:${name} -->\n)[^]*?(<!-- /generated:${name} -->)`)
    if (!markers.test(text)) throw new Error(`no markers for ${name}`)
    const part = await render()
    text = text.replace(markers, (_, open: string, close: string) => `${open}\n${part}\n\n${close}`)
  }
  return text
}

/** The commands under `<!-- walk -->` marks, in order. */
export function walksOf(readme: string): string[] {
  return [...readme.matchAll(/<!-- walk -->\n```bash\n([^]*?)```/g)].map(([, commands = '']) => commands)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function renderEndpoints(): string {
  const rows = ENDPOINTS.map(({ id, method, path, permission, summary, authority }) => [
    `\`${method} ${path}\``,
    `\`${id}\``,
    permission === null ? 'none' : `\`${permission}\``,
    summary,
    authority,
  ])
  return table(['Endpoint', 'Operation', 'Permission', 'What it does', 'Authority'], rows)
}

function renderMachines(): string {
  const machines: AnyMachine[] = [TRANSACTION_MACHINE, CASHOUT_MACHINE, DISPUTE_MACHINE]
  return machines
    .map((machine) => {
      const title = machine.name.charAt(0).toUpperCase() + machine.name.slice(1)
      return `#### ${title}\n\n\`\`\`mermaid\n${toMermaid(machine)}\n\`\`\`\n\n${toMarkdown(machine, describeEffect)}`
    })
    .join('\n\n')
}

function renderErrors(): string {
  const gateway = Object.entries<ErrorRow>(GATEWAY_ERRORS).map(([code, { status, when, authority }]) => [
    `\`${code}\``,
    typeof status === 'number'
      ? String(status)
      : `${String(silence(status.choice).choice)} (${status.choice})`,
    when,
    authority,
  ])
  const sandbox = Object.entries(SANDBOX_ERRORS).map(([code, { status, when }]) => [
    `\`${code}\``,
    String(status),
    when,
    'the control API',
  ])
  return table(['Code', 'Status', 'When', 'Authority'], [...gateway, ...sandbox])
}

function renderSilences(): string {
  const rows = SILENCE_IDS.map((id) => {
    const { topic, choice, alternatives, authority } = silence(id)
    const isKnob = alternatives !== null
    const chosen = isKnob || typeof choice !== 'string' ? `\`${JSON.stringify(choice)}\`` : choice
    return [id, topic, chosen, alternatives ?? '', authority]
  })
  return table(['Id', 'Point', 'Choice', 'Alternatives', 'Authority'], rows)
}

/** The silences that this project answered itself, in whole or in part. */
function renderOurs(): string {
  const ids = SILENCE_IDS.filter((id) => /\bours\b/.test(silence(id).authority))
  return `${ids.length} of ${SILENCE_IDS.length}: ${ids.join(', ')}.`
}

let helps: Promise<string> | null = null

/** What `--help` of every verb says. Asked once for all pages. */
function renderCommandLine(): Promise<string> {
  helps ??= askForHelp()
  return helps
}

async function askForHelp(): Promise<string> {
  const all = await helpOf()
  const verbs = [...all.matchAll(/^ {2}(\w+) +(\S.*)$/gm)]
  const parts = verbs.map(async ([, verb = '', summary = '']) => {
    const help = (await helpOf(verb)).replace(/^Each flag is also .*$/m, '').trim()
    return `#### \`${verb}\`\n\n\`${verb}\` ${summary}.\n\n\`\`\`text\n${help}\n\`\`\``
  })
  return (await Promise.all(parts)).join('\n\n')
}

async function helpOf(...words: string[]): Promise<string> {
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const args = ['--import', 'tsx', program, ...words, '--help']
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '' },
  })
  return stdout
}
