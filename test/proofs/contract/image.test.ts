// Checks that the container image keeps the contract as seen from outside it.
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILD_MS, buildImage, containers, PATIENCE_MS } from '../../containers/engine.ts'
import { hasEngine } from '../../support/tools.ts'
import { PUBLISHED_NAMES } from './names.ts'
import { clockOf, prepare } from './prepared.ts'
import { openReceiver } from './receiver.ts'
import { figuresOf, isOtherwise, reportToText } from './report.ts'
import { CHAPTER_NAMES, checkContract } from './run.ts'
import type { AddressInfo } from 'node:net'
import type { Receiver } from './receiver.ts'

const PORT = 4848
/** The instant at which its clock stands, so that it is waited for nothing. */
const START = '2030-01-01T12:00:00Z'
/** How a container calls the machine that it runs on. */
const MACHINE = 'host.docker.internal'

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const running = containers()
let image = ''
let receiver: Receiver | null = null

describe.runIf(hasEngine('the contract of the container image'))('the image', () => {
  beforeAll(async () => {
    image = await buildImage()
  }, BUILD_MS)
  afterAll(async () => {
    await receiver?.close()
    await running.remove()
  }, PATIENCE_MS)

  test('keeps every statement of the contract', { timeout: PATIENCE_MS }, async () => {
    const machine = ['--add-host', `${MACHINE}:host-gateway`]
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    // The links that the image hands out have to lead to where it is published.
    const settings = [
      '--publish',
      `127.0.0.1:${port}:${PORT}`,
      '--env',
      `SANDBOX_PUBLIC_URL=${url}`,
      '--env',
      `SANDBOX_CLOCK=${START}`,
    ]
    await running.start(image, ...settings, ...machine)
    const host = clockOf(url, START)
    receiver = await openReceiver({ host, address: MACHINE, port: 0, url: null })
    const found = await checkContract({
      url,
      keys: { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' },
      environment: 'Sandbox',
      host,
      receiver,
      names: PUBLISHED_NAMES,
      chapters: CHAPTER_NAMES,
      webhookPrefix: 'X-Service-',
      exhaustTokens: true,
      paceMs: 0,
      patienceS: 0,
      ...(await prepare(url)),
    })
    expect(figuresOf(found), reportToText(found)).toMatchObject({ differs: 0, otherwise: 0 })
    expect(found.observations.filter(isOtherwise)).toEqual([])
    const told = found.findings.filter(({ chapter }) => chapter === 'Webhooks')
    expect(told.some(({ outcome }) => outcome === 'held')).toBe(true)
  })
})
