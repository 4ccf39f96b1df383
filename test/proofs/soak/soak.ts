// Owns a soak from start to end: cycles of load and quiet, the end under load, and what all of it has shown.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from '../../../src/kernel/timers.ts'
import { createRandom, seedState } from '../../../src/kernel/random.ts'
import { comesToHold, PATIENCE_MS } from '../hostile/bounds.ts'
import { emptyTally } from './answers.ts'
import { createClient } from './client.ts'
import { clearAway, drive, openShops, SILENCES } from './load.ts'
import { openReceivers } from './receivers.ts'
import { startSoaked } from './server.ts'
import { sellPix } from './work.ts'
import type { Millis } from '../../../src/kernel/brands.ts'
import type { CycleSample, EndSample, Samples } from './judge.ts'
import type { Stage } from './load.ts'
import type { ServerOrder, SoakedServer } from './server.ts'
import type { Tally } from './answers.ts'

/** Loops of the load, each on a connection. */
const LOOPS = 16
/** Sales that are answered under load before the server is told to end. */
const SALES_BEFORE_END = 200

/** What is soaked, and for how long. */
export interface SoakOptions extends Pick<ServerOrder, 'folder' | 'program'> {
  seed: number
  /** Whether the server keeps its worlds in a file. */
  data: boolean
  /** Host milliseconds for which the server is left alone before the load, to see how late its loop is then. */
  idleMs: number
  /** Whether another cycle is begun, after so many. */
  another: (cycles: number) => boolean
  /** Begins the load of a cycle; answers what tells whether it goes on, from the calls that were answered in it. */
  beginLoad: () => (calls: number) => boolean
  /** Told of each cycle. */
  note?: (sample: CycleSample, number: number) => void
  /** Host milliseconds after which a quiet point, or the end, counts as never coming. */
  patience?: number
}

/** What a soak has shown. */
export interface SoakReport {
  samples: Samples
  tally: Tally
  deliveries: number
}

/** Soaks a server in a process of its own. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-sandbox-soak-'))
  try {
    await using receivers = await openReceivers()
    return await soakIn(folder, options, { receivers, tally: emptyTally() })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What lasts from the first cycle to the end. */
type Lasting = Pick<Stage, 'receivers' | 'tally'>

async function soakIn(folder: string, options: SoakOptions, lasting: Lasting): Promise<SoakReport> {
  const { another, idleMs, note = () => undefined } = options
  const flags = {
    silences: JSON.stringify(SILENCES),
    ...(options.data ? { data: join(folder, 'sandbox.json') } : {}),
  }
  const order = { ...options, flags: flags as ServerOrder['flags'] }
  await using server = await startSoaked(order)
  await new Promise<void>((resolve) => void after(idleMs as Millis, resolve))
  const idle = await server.ask('loop')
  const first = await server.ask('counts')
  const cycles: CycleSample[] = []
  while (another(cycles.length)) {
    const stage = stageOf(server, options, lasting, cycles.length)
    const sample = await cycle(server, stage, { ...options, folder, first })
    cycles.push(sample)
    note(sample, cycles.length)
  }
  const end = await endUnderLoad(server, order, stageOf(server, options, lasting, cycles.length))
  const { tally, receivers } = lasting
  const samples = { idle, first, cycles, badAnswers: tally.bad, end }
  return { samples, tally, deliveries: receivers.deliveries() }
}

function stageOf({ url }: SoakedServer, { seed }: SoakOptions, lasting: Lasting, number: number): Stage {
  const random = createRandom(seedState(`${seed}/${number}`))
  return { ...lasting, client: createClient(url, LOOPS), random, shops: [], streams: [], isEnding: false }
}

/** Load, everything reset, and what is left once as little is open as before, or patience is over. */
async function cycle(
  server: SoakedServer,
  stage: Stage,
  { folder, first, beginLoad, patience }: SoakOptions & { folder: string; first: Samples['first'] },
): Promise<CycleSample> {
  const { tally } = stage
  const before = tally.calls
  await openShops(stage)
  await server.ask('loop')
  const goesOn = beginLoad()
  await drive(stage, { loops: LOOPS, goesOn: () => goesOn(tally.calls - before) })
  const loop = await server.ask('loop')
  await clearAway(stage)
  let counts = await server.ask('counts')
  const isQuiet = async (): Promise<boolean> => {
    counts = await server.ask('counts')
    return Object.entries(counts).every(([name, open]) => open <= (first[name] ?? 0))
  }
  await comesToHold(isQuiet, patience)
  const held = { ...(await server.ask('held')), disk: bytesIn(folder) }
  return { calls: tally.calls - before, held, counts, loop }
}

/** Bytes of all files of a folder. One that is replaced meanwhile counts as nothing. */
function bytesIn(folder: string): number {
  const sizes = readdirSync(folder).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Tells the server to end while sales are made, and looks for the answered ones after the next start. */
async function endUnderLoad(
  server: SoakedServer,
  order: ServerOrder & SoakOptions,
  stage: Stage,
): Promise<EndSample> {
  await openShops(stage)
  const sold = stage.shops[0]
  const answered: string[] = []
  let enough = (): void => undefined
  const isEnough = new Promise<void>((resolve) => {
    enough = resolve
  })
  const selling = drive(stage, {
    loops: LOOPS,
    goesOn: () => !stage.isEnding,
    async only(tools) {
      const shop = { ...tools.shop, sales: [] }
      await sellPix({ ...tools, shop })
      answered.push(...shop.sales)
      if (answered.length >= SALES_BEFORE_END) enough()
    },
  })
  await isEnough
  const ending = server.end(order.patience ?? PATIENCE_MS)
  stage.isEnding = true
  await selling
  const end = await ending
  stage.client.close()
  const lost = order.data ? await lostOf(answered, sold?.token ?? '', order) : []
  return { ...end, lost }
}

/** Sales that the next server does not know. */
async function lostOf(sales: readonly string[], token: string, order: ServerOrder): Promise<string[]> {
  await using next = await startSoaked(order)
  const client = createClient(next.url, LOOPS)
  const lost: string[] = []
  for (const id of sales) {
    const { status } = await client.call({ method: 'GET', path: `/v1/transactions/${id}`, token })
    if (status !== 200) lost.push(id)
  }
  client.close()
  return lost
}
