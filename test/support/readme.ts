// Renders the generated parts of the README from the tables, and finds the commands that it shows.
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
const PARTS: Record<string, () => string> = {
  endpoints: renderEndpoints,
  machines: renderMachines,
  errors: renderErrors,
  silences: renderSilences,
  coverage: renderCoverage,
}

/** A text with every generated part written anew. */
export function withParts(readme: string): string {
  return Object.entries(PARTS).reduce((text, [name, render]) => {
    const markers = new RegExp(`(<!-- generated:${name} -->\n)[^]*?(<!-- /generated:${name} -->)`)
    if (!markers.test(text)) throw new Error(`no markers for ${name}`)
    return text.replace(markers, (_, open: string, close: string) => `${open}\n${render()}\n\n${close}`)
  }, readme)
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
