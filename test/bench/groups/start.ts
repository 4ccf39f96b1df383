// Owns the figures of starting: until a program of a merchant, a shell and a container have a sandbox, beside an empty program.
import packageJson from '../../../package.json' with { type: 'json' }
import { buildImage, containers, urlOf } from '../../containers/engine.ts'
import { hasEngine } from '../../support/tools.ts'
import { EMPTY_PROGRAM, emptyProgram, evaluate, processToReady } from '../bench.ts'
import { figureOf, leftOut } from '../figures.ts'
import { takeTurns, timed } from '../rounds.ts'
import type { Bench } from '../bench.ts'
import type { Figure, Subject } from '../figures.ts'
import type { Measure } from '../rounds.ts'

/** In a fresh process, from before the import to a sandbox that listens, in milliseconds. */
async function importToListening(bench: Bench): Promise<number> {
  const printed = await evaluate(
    bench,
    `
    const began = performance.now()
    const { startSandbox } = await import('${packageJson.name}')
    const sandbox = await startSandbox()
    process.stdout.write(String(performance.now() - began))
    await sandbox.close()`,
  )
  return Number(printed)
}

/** From the start of a container to an answer of `readyz` on its published port, in milliseconds. */
async function containerToReady(image: string): Promise<number> {
  const running = containers()
  try {
    return await timed(async () => {
      const id = await running.start(image, '--publish', '127.0.0.1::4848')
      const { status } = await fetch(`${await urlOf(id, 4848)}/_sandbox/readyz`)
      if (status !== 200) throw new Error(`readyz answered ${status}`)
    })
  } finally {
    await running.remove()
  }
}

async function ofContainer(bench: Bench): Promise<Measure | null> {
  if (!bench.containers || !hasEngine('container to ready')) return null
  const image = await buildImage()
  return () => containerToReady(image)
}

/** Measures starts. */
export async function start(bench: Bench): Promise<Figure[]> {
  const container = await ofContainer(bench)
  const taken = await takeTurns(bench.sizes.rounds, {
    empty: () => emptyProgram(bench),
    import: () => importToListening(bench),
    process: () => processToReady(bench),
    container: container ?? (() => Promise.resolve(Number.NaN)),
  })
  const subject = (id: string, what: string): Subject => ({
    id: `start.${id}`,
    what,
    unit: 'ms',
    beside: EMPTY_PROGRAM,
  })
  const inContainer = subject('container', 'container to ready (`docker run` to `readyz`)')
  return [
    figureOf(subject('import', 'import to listening'), taken.import, taken.empty),
    figureOf(subject('process', 'process to ready (`start --json`)'), taken.process, taken.empty),
    container === null
      ? leftOut(inContainer, bench.containers ? 'no container engine answers' : 'containers were left out')
      : figureOf(inContainer, taken.container, taken.empty),
  ]
}
