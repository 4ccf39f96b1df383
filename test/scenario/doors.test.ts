// Plays every file of the library through three doors, in an order by chance, and compares what they answer.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { builtCommand } from '../cli/command.ts'
import { strongHex } from '../../src/kernel/entropy.ts'
import { createRandom, seedState } from '../../src/kernel/random.ts'
import type { ScenarioResult } from '../../src/index.ts'

const LIBRARY = fileURLToPath(new URL('../../scenarios', import.meta.url))
const FILES = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `${LIBRARY}/${file}`)

/** Seed of the orders; a failed run prints it, and `ORDER_SEED` sets it. */
const SEED = process.env['ORDER_SEED'] ?? strongHex(4)
/** Host time for all rounds on a busy machine, in milliseconds. */
const ALL_ROUNDS_MS = 300_000
const { run, started } = builtCommand()

/** How a scenario went, without what differs from run to run. */
type Outcome = Omit<ScenarioResult, 'tookMs'>
/** Plays files in their order. */
type Door = (files: readonly string[]) => Promise<Outcome[]>

function outcome({ tookMs, ...rest }: ScenarioResult): Outcome {
  expect(tookMs).toBeGreaterThan(0)
  return rest
}

/** The files in an order that follows from a seed. */
function shuffled(seed: string): string[] {
  const random = createRandom(seedState(`${SEED}/${seed}`))
  return FILES.map((file) => ({ file, at: random.fraction() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ file }) => file)
}

/** The verb `run`, with the address of a server or with one of its own. */
const throughRun =
  (...to: string[]): Door =>
  async (files) => {
    const { stdout, stderr } = await run(['run', ...files, '--reporter', 'json', ...to]).ended
    expect(stderr).toBe('')
    return (JSON.parse(stdout) as { scenarios: ScenarioResult[] }).scenarios.map(outcome)
  }

/** `POST /_sandbox/scenarios`, all files at the same time. */
const throughPost =
  (url: string): Door =>
  (files) =>
    Promise.all(
      files.map(async (file) => {
        const headers = { 'Content-Type': 'application/yaml' }
        const init = { method: 'POST', headers, body: readFileSync(file) }
        const answer = await fetch(`${url}/_sandbox/scenarios?file=${encodeURIComponent(file)}`, init)
        return outcome((await answer.json()) as ScenarioResult)
      }),
    )

test(
  'every file of the library has one result through run, POST scenarios and --url, twice, in any order',
  async () => {
    const { told } = await started()
    const doors: Record<string, Door> = {
      run: throughRun(),
      post: throughPost(told.url),
      url: throughRun('--url', told.url),
    }
    const played: { name: string; outcomes: Outcome[] }[] = []
    for (const round of ['first', 'second']) {
      const opened = Object.entries(doors).map(async ([door, playAll]) => {
        const name = `${round} ${door}`
        return { name, outcomes: await playAll(shuffled(name)) }
      })
      played.push(...(await Promise.all(opened)))
    }
    for (const file of FILES) {
      for (const { name, outcomes } of played) {
        const found = outcomes.find((each) => each.file === file)
        const about = `${name} (ORDER_SEED=${SEED})`
        expect(found, about).toMatchObject({ file, passed: true, failure: null, story: [] })
        expect(found, about).toEqual(played[0]?.outcomes.find((each) => each.file === file))
      }
    }
    const orders = played.map(({ outcomes }) => outcomes.map(({ file }) => file).join())
    expect(new Set(orders).size).toBeGreaterThan(1)
  },
  ALL_ROUNDS_MS,
)
