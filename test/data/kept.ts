// Owns sandboxes whose worlds are kept in a file, without a socket, on a host whose time tests set; and what is on disk.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { loadData } from '../../src/world/dataLoad.ts'
import { openStore } from '../../src/world/dataStore.ts'
import { storeWorld } from '../../src/world/storedWorld.ts'
import { planWake } from '../../src/world/run.ts'
import { createWorlds } from '../../src/world/worlds.ts'
import { QUIET_SENDER } from '../properties/player.ts'
import { clientOf, START } from '../support/sandbox.ts'
import { fakeHost } from '../support/fakeHost.ts'
import type { DataStore } from '../../src/world/dataStore.ts'
import type { DataOptions } from '../../src/world/dataTurns.ts'
import type { StoredServer, Worlds } from '../../src/world/worlds.ts'
import type { FakeHost } from '../support/fakeHost.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** A sandbox whose worlds are kept. */
export interface KeptSandbox extends TestSandbox {
  time: FakeHost
  store: DataStore
  /** Receivers answer only while it is open. */
  gate: Gate
  /** What was said to people. */
  said: string[]
  /** Ends it as a process that is killed: nothing more is written. */
  die(): Promise<void>
  /** Ends it as a process that is told to. */
  end(): Promise<void>
}

/** Lets answers of receivers through, or holds them back. */
export interface Gate {
  passing: Promise<void>
  open(): void
  close(): void
}

function openGate(): Gate {
  let open = (): void => undefined
  return {
    passing: Promise.resolve(),
    open: () => open(),
    close() {
      this.open()
      this.passing = new Promise((resolve) => {
        open = resolve
      })
    },
  }
}

/** Options of a sandbox whose worlds are kept. */
export interface KeptOptions extends Partial<Omit<DataOptions, 'path' | 'time'>> {
  time?: FakeHost
  clock?: string
}

/** Opens a sandbox on a file. */
export async function openKept(path: string, options: KeptOptions = {}): Promise<KeptSandbox> {
  const { time = fakeHost(), clock = START, ...rest } = options
  const [defects, said]: [unknown[], string[]] = [[], []]
  const gate = openGate()
  const report = (defect: unknown): void => void defects.push(defect)
  const say = (line: string): void => void said.push(line)
  const store = await openStore({ path, time, durable: false, say, report, ...rest })
  const worlds = createWorlds(
    {
      time,
      sender: {
        async send(shipment) {
          await gate.passing
          return QUIET_SENDER.send(shipment)
        },
      },
      publicUrl: 'http://sandbox.test',
      secretStyle: 'byName',
      container: false,
      rewriteLocalhost: null,
      callbackAllow: null,
      autoConfirm: null,
      variation: null,
      keeper: store,
      report,
    },
    { seed: store.stored?.seed ?? 'test', clock: parseClockStart(clock), silences: { 'AU-13': 'off' } },
    store,
  )
  await store.begin(worlds)
  const app = createApp(worlds, { controlToken: null })
  for (const world of worlds.list()) planWake(world)
  const fetch = (request: Request): Promise<Response> => Promise.resolve(app.fetch(request))
  return {
    ...clientOf('http://sandbox.test', fetch),
    worlds,
    world: worlds.default,
    defects,
    time,
    store,
    gate,
    said,
    close: () => worlds.close(),
    die: () => store.drop(),
    async end() {
      gate.open()
      worlds.close()
      await store.close()
    },
  }
}

/** Runs something with a folder that is there only meanwhile. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-data-'))
  try {
    return await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The worlds of a sandbox as they are to be on disk, and as they are, as JSON text at one host time. */
export async function bothSides(
  path: string,
  { worlds, store, time }: KeptSandbox,
): Promise<{ memory: string; disk: string }> {
  for (;;) {
    await store.written()
    const memory = textAt(time, inMemory(worlds))
    const disk = await onDisk(path)
    // A delivery may have gone on meanwhile, or the file was just replaced.
    if (disk && memory === textAt(time, inMemory(worlds))) return { memory, disk: textAt(time, disk) }
  }
}

function inMemory(worlds: Worlds): StoredServer {
  return { seed: worlds.seed, ids: worlds.ids(), worlds: worlds.list().map(storeWorld) }
}

async function onDisk(path: string): Promise<StoredServer | null> {
  try {
    const { server } = await loadData(path, (line) => {
      throw new Error(line)
    })
    return server
  } catch (error) {
    if (error instanceof Error && error.message.includes('is missing')) return null
    throw error
  }
}

/** Jobs in one order, and flowing clocks as they show now. */
function textAt(time: FakeHost, server: StoredServer): string {
  const worlds = server.worlds.map(({ saved, savedAt, ...rest }) => {
    const { clock, scheduler } = saved
    const passed = clock.mode === 'flowing' ? (time.wallAt - savedAt) * clock.rate : 0
    const jobs = scheduler.jobs.toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
    const shown = { ...clock, at: clock.at + passed }
    return { ...rest, saved: { ...saved, clock: shown, scheduler: { ...scheduler, jobs } } }
  })
  return JSON.stringify({ ...server, worlds })
}
