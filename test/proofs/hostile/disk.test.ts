// Checks the data file when its disk is full, read-only, or gone: calls are refused instead of lost, and what was answered is kept.
import { existsSync, openSync, writeSync } from 'node:fs'
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inFolder, openKept } from '../../data/kept.ts'
import { createPix } from '../../support/sandbox.ts'
import { openServer } from '../../support/server.ts'
import { mountSmallDisk, unmountSmallDisk } from '../../support/smallDisk.ts'
import { hasSmallDisks } from '../../support/tools.ts'
import type * as NodeFs from 'node:fs'
import type { KeptOptions, KeptSandbox } from '../../data/kept.ts'

vi.mock(import('node:fs'), async (original) => {
  const real = await original()
  return { ...real, openSync: vi.fn(real.openSync), writeSync: vi.fn(real.writeSync) } as never
})
const real = await vi.importActual<typeof NodeFs>('node:fs')

// Some hundred sales, each written to the disk.
vi.setConfig({ testTimeout: 60_000 })

const opens = vi.mocked(openSync)
const writes = vi.mocked(writeSync as (file: number, bytes: Uint8Array, from: number) => number)

afterEach(() => {
  opens.mockImplementation(real.openSync)
  writes.mockImplementation(real.writeSync)
})

const noSpace = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

const idsOf = ({ world }: KeptSandbox): string[] => Object.keys(world.state.transactions)

/** The ids of what a server finds that goes on from a file. */
async function foundIn(path: string, options: KeptOptions = {}): Promise<string[]> {
  const sandbox = await openKept(path, options)
  try {
    return idsOf(sandbox)
  } finally {
    await sandbox.end()
  }
}

/** Why a server cannot start on a file. */
function refusalOf(data: string): Promise<string> {
  return openServer({ data, say: () => {} }).then(
    async (server) => {
      await server.close()
      return 'it was used'
    },
    (error: unknown) => (error as Error).message,
  )
}

describe('a journal that has outgrown its file while the disk is full', () => {
  /** Sells while new journals cannot be made, then while they can; answers what was sold. */
  async function sellThrough(path: string, breakDisk: () => void): Promise<string[]> {
    const sandbox = await openKept(path, { rewriteAbove: 1 })
    const sold: string[] = []
    const sell = async (times: number): Promise<void> => {
      for (let count = 0; count < times; count += 1) sold.push((await createPix(sandbox)).id)
    }
    breakDisk()
    await sell(40)
    expect(sandbox.defects).toContainEqual(expect.objectContaining({ code: 'ENOSPC' }))
    opens.mockImplementation(real.openSync)
    writes.mockImplementation(real.writeSync)
    // A snapshot that is never finished leaves its journals to count together.
    const { renaming, release } = holdSnapshots(path)
    await renaming
    await sell(200)
    await sandbox.die()
    await release()
    return sold
  }

  /** Keeps every later snapshot from taking the place of the file: a folder stands in the way of what is written first. */
  function holdSnapshots(path: string): { renaming: Promise<unknown>; release: () => Promise<unknown> } {
    const passing = join(path, '..', `.${path.slice(path.lastIndexOf('/') + 1)}.tmp`)
    return {
      renaming: mkdir(passing),
      release: () => rm(passing, { recursive: true }),
    }
  }

  test('goes on in the old journal when a new one cannot be made, and loses nothing', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'sandbox.json')
      const sold = await sellThrough(path, () => {
        opens.mockImplementation((name, ...rest) => {
          if (String(name).includes('.journal.')) throw noSpace()
          return real.openSync(name, ...rest)
        })
      })
      expect(await foundIn(path)).toEqual(sold)
    }))

  test('goes on in the old journal when the new one cannot be begun, and loses nothing', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'sandbox.json')
      const sold = await sellThrough(path, () => {
        const made = new Set<number>()
        opens.mockImplementation((name, ...rest) => {
          const file = real.openSync(name, ...rest)
          if (String(name).includes('.journal.')) made.add(file)
          return file
        })
        writes.mockImplementation((file, bytes, from) => {
          if (made.has(file)) throw noSpace()
          return real.writeSync(file, bytes, from)
        })
      })
      expect(await foundIn(path)).toEqual(sold)
    }))
})

describe('a name that is no file', () => {
  test.each(['/dev/full', '/dev/zero'])('such as %s is refused before anything is read', async (device) => {
    if (!existsSync(device)) return
    expect(await refusalOf(device)).toMatch(new RegExp(`^${device} cannot be used: .*no file.*Name a file`))
  })
})

describe('a folder that vanishes under a running server', () => {
  test('has calls refused, since their answers could not be kept, and says why', () =>
    inFolder(async (folder) => {
      const inside = join(folder, 'inside')
      await mkdir(inside)
      const sandbox = await openKept(join(inside, 'sandbox.json'))
      await createPix(sandbox)
      await rm(inside, { recursive: true })
      const refused = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 700 })
      expect([refused.status, refused.body.error.code]).toEqual([500, 'internal_error'])
      expect(sandbox.defects).toContainEqual(
        expect.objectContaining({
          code: 'ENOENT',
          message: expect.stringMatching(/journal\.1 was deleted$/),
        }),
      )
      await sandbox.end()
    }))

  test('and is there again at the end has everything', () =>
    inFolder(async (folder) => {
      const inside = join(folder, 'inside')
      const path = join(inside, 'sandbox.json')
      await mkdir(inside)
      const sandbox = await openKept(path)
      const { id } = await createPix(sandbox)
      await rm(inside, { recursive: true })
      await mkdir(inside)
      await sandbox.end()
      expect(await foundIn(path)).toEqual([id])
    }))
})

describe.runIf(hasSmallDisks('tests of full and read-only disks'))('a small disk', () => {
  /** Runs something in a folder that is a disk of its own. */
  const onDisk = (run: (folder: string) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      mount(folder, 'size=512k')
      try {
        await run(folder)
      } finally {
        unmountSmallDisk(folder)
      }
    })

  function mount(folder: string, options: string): void {
    expect(mountSmallDisk(folder, options)).toBe(true)
  }

  /** Takes all the space that is left; answers how it is given back. */
  async function fill(folder: string): Promise<() => Promise<void>> {
    const ballast = join(folder, 'ballast')
    await expect(writeFile(ballast, Buffer.alloc(1_048_576, 1))).rejects.toMatchObject({ code: 'ENOSPC' })
    return () => truncate(ballast, 0)
  }

  test('that is full has calls refused, goes on once there is space, and has what was answered', () =>
    onDisk(async (folder) => {
      const path = join(folder, 'sandbox.json')
      const sandbox = await openKept(path)
      const { id } = await createPix(sandbox)
      const free = await fill(folder)
      const statuses: number[] = []
      // The last page of the journal takes some.
      for (let count = 0; count < 20; count += 1) {
        const { status } = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 700 })
        statuses.push(status)
      }
      expect(statuses.slice(-5)).toEqual([500, 500, 500, 500, 500])
      expect(sandbox.defects.at(-1)).toMatchObject({ code: 'ENOSPC' })
      await free()
      const later = await createPix(sandbox)
      await sandbox.die()
      const found = await foundIn(path)
      expect(found).toEqual([id, ...found.slice(1, -1), later.id])
    }))

  test('that is full at a clean end keeps what was answered, and nothing half written', () =>
    onDisk(async (folder) => {
      const path = join(folder, 'sandbox.json')
      const sandbox = await openKept(path)
      const { id } = await createPix(sandbox)
      const free = await fill(folder)
      await sandbox.end()
      expect(sandbox.defects.at(-1)).toMatchObject({ code: 'ENOSPC' })
      expect(await readdir(folder)).toEqual(['ballast', 'sandbox.json', 'sandbox.json.journal.1'])
      await free()
      expect(await foundIn(path)).toEqual([id])
      expect(await readdir(folder)).toEqual(['ballast', 'sandbox.json'])
    }))

  test('that is full at the start refuses to begin, says so, and leaves nothing', () =>
    onDisk(async (folder) => {
      const path = join(folder, 'sandbox.json')
      await fill(folder)
      expect(await refusalOf(path)).toMatch(/sandbox\.json cannot be written: ENOSPC\. .*space/)
      expect(await readdir(folder)).toEqual(['ballast'])
    }))

  test('that is read-only refuses to begin and says so; the file stays as it is', () =>
    onDisk(async (folder) => {
      const path = join(folder, 'sandbox.json')
      const sandbox = await openKept(path)
      const { id } = await createPix(sandbox)
      await sandbox.end()
      const { size } = await stat(path)
      mount(folder, 'remount,ro')
      expect(await refusalOf(path)).toMatch(/sandbox\.json cannot be written: EROFS\. Let this user write/)
      mount(folder, 'remount,rw')
      expect([(await stat(path)).size, await readdir(folder)]).toEqual([size, ['sandbox.json']])
      expect(await foundIn(path)).toEqual([id])
    }))
})
