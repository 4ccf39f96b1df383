// Owns the figures of growth: creating beside few and beside many stored transactions, in memory and with `--data`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processToReady, sandboxProgram } from '../bench.ts'
import { counted, figureOf } from '../figures.ts'
import { createCall, endWorld, openWorld, send, tokenCall } from '../gateway.ts'
import { callsOfRound, drive } from '../load.ts'
import { takeTurns } from '../rounds.ts'
import type { Bench, SandboxProgram } from '../bench.ts'
import type { Figure, Subject } from '../figures.ts'
import type { BenchWorld } from '../gateway.ts'
import type { Measure } from '../rounds.ts'
import type { Sizes } from '../sizes.ts'

/** Rounds by what was measured: `few` and `many` in memory, and the others with `--data`. */
type Taken = Record<'few' | 'many' | 'dataFew' | 'dataMany' | 'withFile' | 'withoutFile', number[]>

/** Measures creations by what is stored already. */
export async function stored(bench: Bench): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-bench-'))
  try {
    return figuresOf(bench.sizes, await measure(bench, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Stores transactions at once where that is possible; in a file is what calls have put there. */
async function fill(bench: Bench, sandbox: SandboxProgram, url: string, place: Place): Promise<void> {
  const { world, count, file } = place
  if (file === undefined) await sandbox.ask('store', world.id, { count, instants: 1 })
  else await drive(url, [createCall(world)], { connections: bench.sizes.connections, amount: count })
}

/** A world to be filled. */
interface Place {
  world: BenchWorld
  count: number
  file: string | undefined
}

/** Creates in a fresh world of few transactions in each round, since a round adds as many. */
async function besideFew(bench: Bench, sandbox: SandboxProgram, file?: string): Promise<Measure> {
  const { few: count, connections } = bench.sizes
  const url = await sandbox.ask('start', file === undefined ? {} : { data: file })
  const inFresh = async (run: (world: BenchWorld) => Promise<number>): Promise<number> => {
    const world = await openWorld(url)
    await fill(bench, sandbox, url, { world, count, file })
    const found = await run(world)
    await endWorld(url, world)
    return found
  }
  const amount = await inFresh((world) => callsOfRound(url, () => [createCall(world)], bench.sizes))
  return () => inFresh((world) => drive(url, [createCall(world)], { connections, amount }))
}

/** Creates in one world of many transactions, to which a round adds little. */
async function besideMany(bench: Bench, url: string, world: BenchWorld): Promise<Measure> {
  const { connections } = bench.sizes
  const calls = [createCall(world)]
  const amount = await callsOfRound(url, () => calls, bench.sizes)
  return () => drive(url, calls, { connections, amount })
}

/** Opens both sandboxes that keep nothing. */
async function inMemory<Found>(
  bench: Bench,
  run: (memory: Record<'few' | 'many', Measure>) => Promise<Found>,
): Promise<Found> {
  await using small = sandboxProgram(bench)
  await using large = sandboxProgram(bench)
  const url = await large.ask('start', {})
  const world = await openWorld(url)
  await fill(bench, large, url, { world, count: bench.sizes.many, file: undefined })
  return await run({ few: await besideFew(bench, small), many: await besideMany(bench, url, world) })
}

/** Measures in four sandboxes side by side: two that keep nothing, and two that keep their worlds in files. */
async function measure(bench: Bench, folder: string): Promise<Taken> {
  const [small, large] = [join(folder, 'small.json'), join(folder, 'large.json')]
  const world = await writeFile(bench, large)
  const starts = await takeTurns(bench.sizes.longRounds, {
    withoutFile: () => processToReady(bench),
    withFile: () => processToReady(bench, '--data', large),
  })
  await using few = sandboxProgram(bench)
  await using many = sandboxProgram(bench)
  const url = await many.ask('start', { data: large })
  const { data } = await send<{ data: { accessToken: string } }>(url, tokenCall(world))
  const dataMany = await besideMany(bench, url, { ...world, token: data.accessToken })
  const dataFew = await besideFew(bench, few, small)
  const taken = await inMemory(bench, (memory) =>
    takeTurns(bench.sizes.rounds, { ...memory, dataFew, dataMany }),
  )
  return { ...taken, ...starts }
}

/** Makes a file with a world of many transactions, all of them put there by calls. */
async function writeFile(bench: Bench, file: string): Promise<BenchWorld> {
  await using sandbox = sandboxProgram(bench)
  const url = await sandbox.ask('start', { data: file })
  const world = await openWorld(url)
  await fill(bench, sandbox, url, { world, count: bench.sizes.many, file })
  await sandbox.ask('stop')
  return world
}

function figuresOf(sizes: Sizes, taken: Taken): Figure[] {
  const [few, many] = [counted(sizes.few), counted(sizes.many)]
  const figure = (subject: Subject, values: keyof Taken, beside: keyof Taken): Figure =>
    figureOf(subject, taken[values], taken[beside])
  const creation = (id: string, what: string, beside: string): Subject => ({
    id: `stored.${id}`,
    what: `create with ${what}`,
    unit: 'calls/s',
    beside,
  })
  const withFile = `process to ready with a file of ${many} transactions`
  return [
    figure(creation('memoryMany', `${many} stored`, `with ${few} stored`), 'many', 'few'),
    figure(creation('dataFew', `${few} stored and \`--data\``, 'in memory'), 'dataFew', 'few'),
    figure(creation('dataMany', `${many} stored and \`--data\``, 'in memory'), 'dataMany', 'many'),
    figure(
      creation('dataGrowth', `${many} stored and \`--data\``, `with ${few} stored`),
      'dataMany',
      'dataFew',
    ),
    figure(
      { id: 'stored.start', what: withFile, unit: 'ms', beside: 'without a file' },
      'withFile',
      'withoutFile',
    ),
  ]
}
