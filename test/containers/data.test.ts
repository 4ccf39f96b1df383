// Checks that the image keeps its worlds in a volume: stopped and started again, killed, and never used by two at a time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasEngine } from '../support/tools.ts'
import {
  BUILD_MS,
  buildImage,
  containers,
  docker,
  exitCodeIn,
  inspect,
  PATIENCE_MS,
  urlOf,
} from './engine.ts'

const PORT = 4848
const VOLUME = `gateway-sandbox-test-${process.pid}`
const KEPT = ['--volume', `${VOLUME}:/data`, '--env', 'SANDBOX_DATA=/data/sandbox.json']

const running = containers()
let image = ''

/** The available money of a container's first merchant, after it was given some more. */
async function fund(id: string, cents: number): Promise<number> {
  const response = await fetch(`${await urlOf(id, PORT)}/_sandbox/balance`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ fund: cents }),
  })
  expect(response.status).toBe(200)
  const { balance } = (await response.json()) as { balance: { available: number } }
  return balance.available
}

/** Starts a container again, once it is found to answer. */
async function startAgain(id: string): Promise<void> {
  await docker('start', id)
  while ((await exitCodeIn(id, 'gateway-sandbox', 'health')) !== 0);
}

describe.runIf(hasEngine('the data of the container image'))('the image with a volume', () => {
  beforeAll(async () => {
    image = await buildImage()
  }, BUILD_MS)
  afterAll(async () => {
    await running.remove()
    await docker('volume', 'rm', '--force', VOLUME)
  }, PATIENCE_MS)

  test('keeps its worlds, stopped and started again, and killed', { timeout: 2 * PATIENCE_MS }, async () => {
    const first = await running.start(image, '--publish', `127.0.0.1::${PORT}`, ...KEPT)
    expect(await fund(first, 100)).toBe(100)

    const second = await docker('run', '--detach', ...KEPT, image)
    expect(await docker('wait', second)).toBe('1')
    await docker('rm', second)

    await docker('stop', first)
    expect(await inspect(first, '.State.ExitCode')).toBe(0)
    await startAgain(first)
    expect(await fund(first, 20)).toBe(120)

    await docker('kill', '--signal', 'KILL', first)
    const third = await running.start(image, '--publish', `127.0.0.1::${PORT}`, ...KEPT)
    expect(await fund(third, 3)).toBe(123)
    expect(await docker('exec', third, 'stat', '-c', '%u', '/data/sandbox.json')).toBe('1000')
  })
})
