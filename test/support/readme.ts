// Renders the generated parts of the README from the tables and the command's own help, and finds the walk and the recipes that it shows.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { GATEWAY_ERRORS, SANDBOX_ERRORS } from '../../src/contract/errors.ts'
import { silence, SILENCE_IDS } from '../../src/contract/silences.ts'
import { VARIATIONS } from '../../src/contract/variations.ts'
import { CASHOUT_MACHINE } from '../../src/domain/cashoutMachine.ts'
import { DISPUTE_MACHINE } from '../../src/domain/disputeMachine.ts'
import { describeEffect } from '../../src/domain/effects.ts'
import { TRANSACTION_MACHINE } from '../../src/domain/transactionMachine.ts'
import { toMarkdown, toMermaid } from '../../src/kernel/machineDocs.ts'
import { FAULTS } from '../../src/world/faultKinds.ts'
import { runToMarkdown } from '../bench/report.ts'
import results from '../bench/results.json' with { type: 'json' }
import { lastRuns, lastRunsToMarkdown } from '../proofs/lastRuns.ts'
import { renderCoverage } from '../coverage/render.ts'
import { table } from './markdown.ts'
import { createPix, openSandbox } from './sandbox.ts'
import { renderLibrary, renderMismatch } from './scenarioParts.ts'
import { renderScenarioReference } from './scenarioReference.ts'
import type { ErrorRow } from '../../src/contract/errors.ts'
import type { Effect } from '../../src/domain/effects.ts'
import type { Machine } from '../../src/kernel/machine.ts'
import type { Run } from '../bench/report.ts'

type AnyMachine = Machine<string, string, string, Effect<string, string, string>>

/** Each generated part by the name of its markers. */
const PARTS: Record<string, () => string | Promise<string>> = {
  faults: renderFaults,
  story: renderStory,
  variations: renderVariations,
  mismatch: renderMismatch,
  library: renderLibrary,
  scenarios: renderScenarioReference,
  cli: renderCommandLine,
  ours: renderOurs,
  endpoints: renderEndpoints,
  machines: renderMachines,
  errors: renderErrors,
  silences: renderSilences,
  coverage: renderCoverage,
  bench: () => runToMarkdown(results as Run),
  proofs: () => lastRunsToMarkdown(lastRuns()),
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

/** The lines of the recipes of faults, one for each fault, as test code and for a shell. */
export function recipesOf(readme: string): { code: string[]; shell: string[] } {
  const [part = ''] = /<!-- generated:faults -->[^]*?<!-- \/generated:faults -->/.exec(readme) ?? []
  const linesIn = (language: string): string[] =>
    [...part.matchAll(new RegExp(`^\`\`\`${language}\n(.*)\n\`\`\`$`, 'gm'))].map(([, line = '']) => line)
  return { code: linesIn('ts'), shell: linesIn('bash') }
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

type FaultRow = (typeof FAULTS)[keyof typeof FAULTS]

/** Each fault with two lines that order it. */
function renderFaults(): string {
  const isOfDelivery = ({ recipe }: FaultRow): boolean => 'delivery' in recipe.on
  const rows = Object.entries(FAULTS)
  return [
    '#### Faults of a call',
    ...rows.filter(([, row]) => !isOfDelivery(row)).map(recipeOf),
    '#### Faults of a delivery',
    ...rows.filter(([, row]) => isOfDelivery(row)).map(recipeOf),
  ].join('\n\n')
}

function recipeOf([name, { summary, recipe, schema }]: [string, FaultRow]): string {
  const code = `await world.faults.arm(${literal(recipe)})`
  const shell = `curl -s $SANDBOX/_sandbox/faults -d '${JSON.stringify(recipe)}'`
  const words = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${wordsOf(schema)}`
  return `**${name}**. ${words}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`bash\n${shell}\n\`\`\``
}

/** Which words the fields of a fault can be, where there are several; codes have a table of their own. */
function wordsOf(schema: z.ZodType): string {
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape) : []
  return fields
    .filter((field): field is [string, z.ZodEnum] => field[1] instanceof z.ZodEnum)
    .map(
      ([field, { options }]) => ` \`${field}\` is one of ${options.map((word) => `\`${word}\``).join(', ')}.`,
    )
    .join('')
}

/** A value as test code writes it. Names are plain words, and texts have no quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** One payment whose first webhook fails, and whose second leads to a call, explained as text and as a diagram. */
async function renderStory(): Promise<string> {
  const sandbox = openSandbox()
  try {
    const { id } = await createPix(sandbox, { callbackUrl: 'http://localhost:3000/webhooks' })
    const receive = async (number: number): Promise<number> => {
      if (number === 1) return 500
      await sandbox.call('GET', `/v1/transactions/${id}`)
      return 204
    }
    let attempts = 0
    sandbox.world.host.sender = {
      async send() {
        attempts += 1
        return { status: await receive(attempts), answer: '' }
      },
    }
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/settle', {})
    await sandbox.control('POST', '/clock/advance', { by: '2s' })
    const app = createApp(sandbox.worlds, { controlToken: null })
    const told = async (format: string): Promise<string> => {
      const url = `http://sandbox.test/_sandbox/explain/${id}?format=${format}`
      return (await (await app.fetch(new Request(url))).text()).trimEnd()
    }
    return `\`\`\`text\n${await told('text')}\n\`\`\`\n\n\`\`\`mermaid\n${await told('mermaid')}\n\`\`\``
  } finally {
    sandbox.close()
  }
}

function renderVariations(): string {
  const rows = Object.entries(VARIATIONS).map(([name, what]) => [`\`${name}\``, what])
  return table(['Name', 'What varies'], rows)
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
