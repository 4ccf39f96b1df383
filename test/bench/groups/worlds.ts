// Owns the figures of worlds: how fast one is made and copied, and what it and its transactions weigh.
import packageJson from '../../../package.json' with { type: 'json' }
import { EMPTY_PROGRAM, emptyProgram, evaluate, sandboxProgram } from '../bench.ts'
import { counted, figureOf, medianOf } from '../figures.ts'
import { control, endWorld, openWorld } from '../gateway.ts'
import { takeTurns, timed } from '../rounds.ts'
import type { Bench } from '../bench.ts'
import type { Figure } from '../figures.ts'

/** Measures worlds. */
export async function worlds(bench: Bench): Promise<Figure[]> {
  return [...(await speeds(bench)), ...(await weights(bench))]
}

/** The median of many worlds in a process that has a sandbox already, in milliseconds. */
async function creation(bench: Bench): Promise<number> {
  const printed = await evaluate(
    bench,
    `
    const { startSandbox } = await import('${packageJson.name}')
    const sandbox = await startSandbox()
    const times = []
    for (let made = 0; made < ${bench.sizes.worlds}; made += 1) {
      const began = performance.now()
      await sandbox.world()
      times.push(performance.now() - began)
    }
    process.stdout.write(JSON.stringify(times))
    await sandbox.close()`,
  )
  return medianOf(JSON.parse(printed) as number[])
}

async function speeds(bench: Bench): Promise<Figure[]> {
  const { few, rounds } = bench.sizes
  await using sandbox = sandboxProgram(bench)
  const url = await sandbox.ask('start', {})
  const world = await openWorld(url)
  await sandbox.ask('store', world.id, { count: few, instants: 1 })
  const fork = async (): Promise<number> => {
    let copy = { id: '' }
    const ms = await timed(async () => {
      copy = await control<{ id: string }>(url, `/worlds/${world.id}/fork`)
    })
    await endWorld(url, copy)
    return ms
  }
  await fork()
  const taken = await takeTurns(rounds, {
    empty: () => emptyProgram(bench),
    creation: () => creation(bench),
    fork,
    clone: () => sandbox.ask('clone', world.id),
  })
  return [
    figureOf(
      { id: 'worlds.creation', what: 'make a world', unit: 'ms', beside: EMPTY_PROGRAM },
      taken.creation,
      taken.empty,
    ),
    figureOf(
      {
        id: 'worlds.fork',
        what: `fork a world of ${counted(few)} transactions`,
        unit: 'ms',
        beside: '`structuredClone` of its state',
      },
      taken.fork,
      taken.clone,
    ),
  ]
}

/** Weights do not waver as times do, so they are taken once, in a process that only gets heavier. */
async function weights(bench: Bench): Promise<Figure[]> {
  const { few, many, worlds: count } = bench.sizes
  await using sandbox = sandboxProgram(bench)
  const url = await sandbox.ask('start', {})
  const [idle, holder] = [await openWorld(url), await openWorld(url)]
  const store = (stored: number): Promise<unknown> =>
    sandbox.ask('store', holder.id, { count: stored, instants: 1 })
  await store(few)
  const savedIdle = await sandbox.ask('saved', idle.id)
  const savedEach = ((await sandbox.ask('saved', holder.id)) - savedIdle) / few

  const before = await sandbox.ask('heap')
  for (let made = 0; made < count; made += 1) await control(url, '/worlds')
  const withWorlds = await sandbox.ask('heap')
  await store(many)
  const withTransactions = await sandbox.ask('heap')

  return [
    figureOf(
      {
        id: 'worlds.memory',
        what: 'memory of an idle world',
        unit: 'bytes',
        beside: 'the world as JSON',
      },
      [(withWorlds - before) / count],
      [savedIdle],
    ),
    figureOf(
      {
        id: 'worlds.memoryOfTransaction',
        what: `memory of each of ${counted(many)} transactions`,
        unit: 'bytes',
        beside: 'what one adds to the world as JSON',
      },
      [(withTransactions - withWorlds) / many],
      [savedEach],
    ),
  ]
}
