// Prints how long it takes until there is a sandbox, as medians over rounds, beside an empty program of Node of the same run.
//
//   npm run bench:start [-- --rounds 10] [--json] [--from FOLDER] [--without container]
//
// `--from` names a project in which the package is installed; this one, built, when left out.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { buildImage, containers, urlOf } from '../containers/engine.ts'
import { hasEngine } from '../support/tools.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const WORLDS = 1000

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
    from: { type: 'string', default: ROOT },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const rounds = Number(values.rounds)
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds} is no count`)
const folder = resolve(values.from)
const command = join(
  folder === ROOT ? ROOT : join(folder, 'node_modules', packageJson.name),
  packageJson.bin['gateway-sandbox'],
)

/** Runs a script as a program of its own in the measured project, and answers what it printed. */
async function evaluate(script: string): Promise<string> {
  const args = ['--input-type=module', '-e', script]
  return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout
}

/** The whole life of the least that Node can run. */
async function emptyProgram(): Promise<number> {
  const began = performance.now()
  await promisify(execFile)(process.execPath, ['-e', ''], { cwd: folder })
  return performance.now() - began
}

/** In a fresh process, from before the import to a sandbox that listens. */
async function importToListening(): Promise<number> {
  const printed = await evaluate(`
    const began = performance.now()
    const { startSandbox } = await import('${packageJson.name}')
    const sandbox = await startSandbox()
    process.stdout.write(String(performance.now() - began))
    await sandbox.close()`)
  return Number(printed)
}

/** From the start of the command to its line. */
async function processToReady(): Promise<number> {
  const began = performance.now()
  const args = [command, 'start', '--port', '0', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const ready = once(createInterface({ input: child.stdout }), 'line').then(() => performance.now() - began)
  const took = await Promise.race([ready, ended.then(() => null)])
  child.kill()
  await ended
  if (took === null) throw new Error('the command ended before it was ready')
  return took
}

/** The median of many worlds in a process that has a sandbox already. */
async function worldCreation(): Promise<number> {
  const printed = await evaluate(`
    const { startSandbox } = await import('${packageJson.name}')
    const sandbox = await startSandbox()
    const times = []
    for (let made = 0; made < ${WORLDS}; made += 1) {
      const began = performance.now()
      await sandbox.world()
      times.push(performance.now() - began)
    }
    process.stdout.write(JSON.stringify(times))
    await sandbox.close()`)
  return medianOf(JSON.parse(printed) as number[])
}

/** From the start of a container to an answer of `readyz` on its published port. */
async function containerToReady(image: string): Promise<number> {
  const running = containers()
  try {
    const began = performance.now()
    const id = await running.start(image, '--publish', '127.0.0.1::4848')
    const { status } = await fetch(`${await urlOf(id, 4848)}/_sandbox/readyz`)
    if (status !== 200) throw new Error(`readyz answered ${status}`)
    return performance.now() - began
  } finally {
    await running.remove()
  }
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** What is measured, in the order in which each round does it. */
const MEASURES: Record<string, { what: string; measure: (() => Promise<number>) | null }> = {
  node: { what: '`node -e ""`, from start to end', measure: emptyProgram },
  importToListening: { what: 'import to listening', measure: importToListening },
  processToReady: { what: 'process to ready (`start --json`)', measure: processToReady },
  containerToReady: { what: 'container to ready (`docker run` to `readyz`)', measure: await ofContainer() },
  worldCreation: { what: `world creation (each of ${WORLDS})`, measure: worldCreation },
}

async function ofContainer(): Promise<(() => Promise<number>) | null> {
  if (values.without.includes('container') || !hasEngine('container to ready')) return null
  const image = await buildImage()
  return () => containerToReady(image)
}

/** The median of one measure, and how often the empty program fits into it. */
interface Median {
  ms: number
  ratio: number
}

async function measureAll(): Promise<Record<string, Median | null>> {
  const taken = Object.values(MEASURES).map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { measure }] of Object.values(MEASURES).entries()) {
      if (measure !== null) taken[index]?.push(await measure())
    }
  }
  const empty = medianOf(taken[0] ?? [])
  const round = (value: number): number => Number(value.toPrecision(3))
  return Object.fromEntries(
    Object.keys(MEASURES).map((name, index) => {
      const times = taken[index] ?? []
      const ms = medianOf(times)
      return [name, times.length === 0 ? null : { ms: round(ms), ratio: round(ms / empty) }]
    }),
  )
}

const machine = {
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  system: `${process.platform} ${process.arch}`,
}
const medians = await measureAll()

function table(): string {
  const rows = Object.entries(MEASURES).map(([name, { what }]) => {
    const median = medians[name]
    return median ? `| ${what} | ${median.ms} | ${median.ratio} |` : `| ${what} | left out | |`
  })
  const { cpu, cores, memoryGiB, node, system } = machine
  return [
    `Medians of ${rounds} rounds of gateway-sandbox ${packageJson.version} on ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}:`,
    '',
    '| | ms | times `node -e ""` |',
    '|---|---:|---:|',
    ...rows,
  ].join('\n')
}

process.stdout.write(`${values.json ? JSON.stringify({ machine, rounds, ...medians }) : table()}\n`)
