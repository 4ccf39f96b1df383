// Checks the data file through its life: begun, gone on from, torn, damaged, newer, in use, outgrown and cleanly left.
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadData } from '../../src/world/dataLoad.ts'
import { createPix } from '../support/sandbox.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { bothSides, inFolder, openKept } from './kept.ts'
import type { KeptOptions, KeptSandbox } from './kept.ts'

const HOOK = 'http://shop.test/hook'

/** Runs something with the path of a data file that is not there yet. */
const withPath = (run: (path: string, folder: string) => Promise<void>): Promise<void> =>
  inFolder((folder) => run(join(folder, 'sandbox.json'), folder))

/** The file of a sandbox that sold something and was killed. */
async function killed(path: string, options: KeptOptions = {}): Promise<string> {
  const sandbox = await openKept(path, options)
  const { id } = await createPix(sandbox)
  await sandbox.die()
  return id
}

/** What is stored under an id, as a server finds it that goes on from the file. */
async function foundBy<T>(path: string, read: (sandbox: KeptSandbox) => T, options: KeptOptions = {}): Promise<T> {
  const sandbox = await openKept(path, options)
  try {
    return read(sandbox)
  } finally {
    await sandbox.end()
  }
}

const statusOf =
  (id: string) =>
  ({ world }: KeptSandbox): string | undefined =>
    world.state.transactions[id]?.status

describe('a life', () => {
  test('begins with a file, and a clean end leaves it alone in its folder', () =>
    withPath(async (path, folder) => {
      const sandbox = await openKept(path)
      expect(await readdir(folder)).toEqual(['sandbox.json', 'sandbox.json.journal.1', 'sandbox.json.lock'])
      const { id } = await createPix(sandbox)
      await sandbox.end()
      expect(await readdir(folder)).toEqual(['sandbox.json'])
      expect(await foundBy(path, statusOf(id))).toBe('Pending')
    }))

  test('that changed nothing leaves the file byte for byte', () =>
    withPath(async (path) => {
      await killed(path)
      await foundBy(path, () => null)
      const before = await readFile(path, 'utf8')
      await foundBy(path, () => null)
      expect(await readFile(path, 'utf8')).toBe(before)
    }))

  test('goes on after a kill with records, tokens, worlds, snapshots, files and seed', () =>
    withPath(async (path) => {
      const first = await openKept(path)
      const token = await first.token()
      const { id } = await createPix(first)
      await first.control('POST', '/worlds', { id: 'shop', seed: 'own', silences: { 'AU-09': 'RS256' } })
      const shopToken = await first.token('pk_sandbox_shop')
      await first.control('PUT', '/snapshots/before')
      await first.control('POST', '/trigger', { on: id, do: 'confirm' })
      const { publicKey } = (await first.control('POST', '/credentials', {})).body
      await first.die()

      const second = await openKept(path)
      expect(statusOf(id)(second)).toBe('Completed')
      expect((await second.send('GET', `/v1/transactions/${id}`, { token })).status).toBe(200)
      expect((await second.send('GET', '/v1/balance', { token: shopToken })).status).toBe(200)
      expect(second.worlds.list().map((world) => world.id)).toEqual(['default', 'shop'])
      expect((await second.control('POST', '/snapshots/before/restore')).status).toBe(200)
      expect(statusOf(id)(second)).toBe('Pending')
      expect((await second.control('POST', '/worlds', {})).body.id).toBe('w1')
      expect(second.worlds.ofPublicKey(publicKey)).toBe(second.world)
      await second.end()
    }))

  test('goes on after a kill with records that were changed, or added beside the first ones', () =>
    withPath(async (path) => {
      const first = await openKept(path)
      const { id } = (await first.call('POST', '/v1/customers', { name: 'Ana', email: 'ana@example.com' })).body.data
      const { publicKey } = (await first.control('POST', '/credentials', {})).body
      // From here on nothing but the change itself tells that the record is to be written.
      await first.store.written()
      await first.call('PATCH', `/v1/customers/${id}`, { name: 'Ana Souza' })
      await first.control('PATCH', `/credentials/${publicKey}`, { active: false })
      await first.control('PATCH', '/balance', { requireFullWithdrawal: true })
      const organization = (await first.control('POST', '/organizations', { name: 'Padaria Sol' })).body
      await first.die()
      const found = await foundBy(path, ({ world: { state } }) => state)
      expect(found.customers[id]?.name).toBe('Ana Souza')
      expect(found.credentials[publicKey]?.active).toBe(false)
      expect(Object.values(found.accounts)).toMatchObject([{ requiresFullWithdrawal: true }])
      expect(found.organizations[organization.id]?.name).toBe('Padaria Sol')
    }))

  test('never gives an id of a world again that was given in an earlier one', () =>
    withPath(async (path) => {
      const first = await openKept(path)
      expect((await first.control('POST', '/worlds', {})).body.id).toBe('w1')
      await first.control('DELETE', '/worlds/w1')
      await first.die()
      const second = await openKept(path)
      expect((await second.control('POST', '/worlds', {})).body.id).toBe('w2')
      await second.end()
    }))

  test('finds a credential of a snapshot that was put back only after the restart', () =>
    withPath(async (path) => {
      const first = await openKept(path)
      await first.control('PUT', '/snapshots/without')
      const { publicKey, secretKey } = (await first.control('POST', '/credentials', {})).body
      await first.control('PUT', '/snapshots/with')
      await first.control('POST', '/snapshots/without/restore')
      await first.die()
      const second = await openKept(path)
      await second.control('POST', '/snapshots/with/restore')
      expect(await second.token(publicKey, secretKey)).toBeTypeOf('string')
      await second.end()
    }))
})

describe('time', () => {
  test('stands still for a frozen clock, and flows on for a flowing one', () =>
    withPath(async (path) => {
      const time = fakeHost()
      const first = await openKept(path, { time })
      await first.control('POST', '/worlds', { id: 'flowing', clock: 'flowing@2030-01-01T12:00:00Z' })
      await first.control('POST', '/worlds/flowing/clock/flow', { rate: 10 })
      await first.die()
      time.wallAt += 60_000
      const second = await openKept(path, { time })
      const now = async (id: string): Promise<string> =>
        (await second.control('GET', `/worlds/${id}/clock`)).body.now
      expect(await now('default')).toBe('2030-01-01T12:00:00.000Z')
      expect(await now('flowing')).toBe('2030-01-01T12:10:00.000Z')
      await second.end()
    }))

  test('that was due meanwhile is made up for at the start, in order', () =>
    withPath(async (path) => {
      const time = fakeHost()
      const first = await openKept(path, { time, clock: 'flowing@2030-01-01T12:00:00Z' })
      const later = await createPix(first, { pixExpirationMinutes: 20 })
      const sooner = await createPix(first, { pixExpirationMinutes: 10 })
      await createPix(first, { pixExpirationMinutes: 60 })
      await first.die()
      time.wallAt += 30 * 60_000
      const second = await openKept(path, { time })
      await second.control('POST', '/settle', {})
      const expired = second.world.state.journal.filter(({ on }) => on === 'expire').map(({ subject }) => subject)
      expect(expired).toEqual([sooner.id, later.id])
      await second.end()
    }))

  test('a delivery whose attempt was in flight is sent again under its number', () =>
    withPath(async (path) => {
      const first = await openKept(path)
      first.gate.close()
      const { id } = await createPix(first, { callbackUrl: HOOK })
      await first.control('POST', '/trigger', { on: id, do: 'confirm' })
      const isSending = (): boolean =>
        Object.values(first.world.state.deliveries).some(({ status }) => status === 'sending')
      while (!isSending() || first.store.written() !== null) await nextTurn()
      await first.die()
      const second = await openKept(path)
      await second.control('POST', '/clock/advance', { by: '10s' })
      const [delivery] = Object.values(second.world.state.deliveries)
      expect(delivery?.attempts[0]).toMatchObject({ number: 1, endedAt: expect.any(String) })
      expect(delivery?.attempts.map(({ number }) => number)).toEqual(delivery?.attempts.map((_, index) => index + 1))
      await second.end()
      first.gate.open()
    }))
})

describe('what cannot be used', () => {
  const refusal = (path: string, options: KeptOptions = {}): Promise<string> =>
    openKept(path, options).then(
      async (sandbox) => {
        await sandbox.end()
        throw new Error('it was used')
      },
      (error: Error) => error.message,
    )

  /** Every file of a folder with its text. */
  const picture = async (folder: string): Promise<Record<string, string>> => {
    const names = (await readdir(folder)).filter((name) => !name.endsWith('.lock'))
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
    )
  }

  test.each<[string, (text: string) => string, RegExp]>([
    ['cut off', (text) => text.slice(0, 500), /is damaged: it is no whole JSON/],
    ['empty', () => '', /is damaged: it is no whole JSON/],
    ['changed by a bit', (text) => text.replace('Loja Exemplo', 'Loja Exemplp'), /is damaged: its checksum/],
    ['something else', () => '{"dependencies":{}}', /is no data file of gateway-sandbox/],
    ['no object', () => 'null', /is no data file of gateway-sandbox/],
    ['of a newer version', (text) => text.replace('"version":1', '"version":2'), /version 2.*reads version 1/],
  ])('a file that is %s is refused by name, and stays as it is', (_what, spoil, says) =>
    withPath(async (path, folder) => {
      await killed(path)
      await writeFile(path, spoil(await readFile(path, 'utf8')))
      const before = await picture(folder)
      const message = await refusal(path)
      expect(message).toMatch(says)
      expect(message).toContain(path)
      expect(await picture(folder)).toEqual(before)
    }),
  )

  test.each<[string, (text: string) => string, RegExp]>([
    [
      'damaged before its last line',
      (text) => text.replace('"amount":12990', '"amount":12991'),
      /journal\.1 is damaged: line \d+ does not fit its checksum/,
    ],
    ['of another generation', (text) => text, /journal\.2 says that it is journal 1/],
  ])('a journal that is %s is refused, and everything stays as it is', (what, spoil, says) =>
    withPath(async (path, folder) => {
      const sandbox = await openKept(path)
      await createPix(sandbox)
      await createPix(sandbox)
      await sandbox.die()
      const text = await readFile(`${path}.journal.1`, 'utf8')
      await writeFile(`${path}.journal.${what.startsWith('of') ? 2 : 1}`, spoil(text))
      const before = await picture(folder)
      expect(await refusal(path)).toMatch(says)
      expect(await picture(folder)).toEqual(before)
    }),
  )

  test('a journal without its file, or one that is missing between others, is refused', () =>
    withPath(async (path, folder) => {
      await killed(path)
      const text = await readFile(path, 'utf8')
      await writeFile(`${path}.journal.3`, '')
      expect(await refusal(path)).toMatch(/journal\.2 is missing/)
      await rm(path)
      expect(await refusal(path)).toMatch(/sandbox\.json is missing, but .*journal\.1 is there/)
      await writeFile(path, text)
      expect(await readdir(folder)).toContain('sandbox.json.journal.1')
    }))

  test('a folder that is not there, or one in place of the file, is refused', () =>
    withPath(async (path, folder) => {
      expect(await refusal(join(folder, 'nowhere', 'sandbox.json'))).toMatch(/ENOENT.*folder that is there/)
      expect(await refusal(folder)).toMatch(/EISDIR/)
      expect(await readdir(folder)).toEqual([])
      expect(path).toContain(folder)
    }))

  test('a file in use is refused with who uses it, and free again after the end', () =>
    withPath(async (path) => {
      const sandbox = await openKept(path)
      expect(await refusal(path)).toMatch(new RegExp(`in use by process ${process.pid} on .+; end it`))
      const { id } = await createPix(sandbox)
      await sandbox.end()
      expect(await foundBy(path, statusOf(id))).toBe('Pending')
    }))

  test('a lock that was left behind holds nobody up', () =>
    withPath(async (path) => {
      const id = await killed(path)
      await writeFile(`${path}.lock`, 'left behind')
      expect(await foundBy(path, statusOf(id))).toBe('Pending')
    }))
})

describe('a clean end', () => {
  test('loses no delivery, neither in flight nor waiting for its turn', () =>
    withPath(async (path) => {
      const first = await openKept(path)
      first.gate.close()
      for (let count = 0; count < 40; count += 1) {
        const { id } = await createPix(first, { callbackUrl: HOOK })
        await first.control('POST', '/trigger', { on: id, do: 'confirm' })
      }
      first.worlds.close()
      await first.store.close()
      const second = await openKept(path)
      expect((await second.control('POST', '/settle', {})).status).toBe(200)
      const sent = Object.values(second.world.state.deliveries).map(({ attempts }) => attempts[0]?.status)
      expect(sent.filter((status) => typeof status === 'number')).toHaveLength(40)
      await second.end()
    }))

  test('leaves a file that only its owner may read', () =>
    withPath(async (path) => {
      await foundBy(path, () => null)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    }))
})

describe('a journal', () => {
  test('whose last line is whole but changed is damaged: it was acknowledged', () =>
    withPath(async (path) => {
      await killed(path)
      const journal = await readFile(`${path}.journal.1`)
      journal[journal.length - 20] = (journal[journal.length - 20] ?? 0) ^ 1
      await writeFile(`${path}.journal.1`, journal)
      await expect(openKept(path)).rejects.toThrow(/journal\.1 is damaged: line \d+ does not fit/)
      expect(await readFile(`${path}.journal.1`)).toEqual(journal)
    }))

  test('whose last line is torn loses that line with one warning, and nothing else', () =>
    withPath(async (path) => {
      const id = await killed(path)
      await appendFile(`${path}.journal.1`, '0badc0de {"at":1,"worlds":[{"id":"defau')
      const said: string[] = []
      const say = (line: string): void => void said.push(line)
      for (let times = 0; times < 2; times += 1) await loadData(path, say)
      expect(said).toEqual([expect.stringMatching(/journal\.1: the last line was not written whole/)])
      expect(await foundBy(path, statusOf(id))).toBe('Pending')
    }))

  test('that has outgrown the file begins a generation, and calls go on meanwhile', () =>
    withPath(async (path, folder) => {
      const sandbox = await openKept(path, { rewriteAbove: 1 })
      const ids: string[] = []
      for (let count = 0; count < 40; count += 1) ids.push((await createPix(sandbox)).id)
      const { memory, disk } = await bothSides(path, sandbox)
      expect(disk).toBe(memory)
      await sandbox.die()
      const [journal = ''] = (await readdir(folder)).filter((name) => name.includes('.journal.'))
      expect(Number(journal.split('.').at(-1))).toBeGreaterThan(1)
      expect(await foundBy(path, ({ world }) => Object.keys(world.state.transactions))).toEqual(ids)
    }))

  test('of a generation before the file is taken away and counts for nothing', () =>
    withPath(async (path, folder) => {
      const id = await killed(path)
      const old = await readFile(`${path}.journal.1`)
      await foundBy(path, () => null)
      await writeFile(`${path}.journal.1`, old)
      expect(await foundBy(path, ({ world }) => Object.keys(world.state.transactions))).toEqual([id])
      expect(await readdir(folder)).toEqual(['sandbox.json'])
    }))

  test('counts together with the next one while the file between them was never finished', () =>
    withPath(async (path) => {
      const id = await killed(path)
      const [file, journal] = await Promise.all([readFile(path), readFile(`${path}.journal.1`)])
      const second = await openKept(path)
      const other = await createPix(second)
      await second.die()
      await Promise.all([writeFile(path, file), writeFile(`${path}.journal.1`, journal)])
      expect(await foundBy(path, ({ world }) => Object.keys(world.state.transactions))).toEqual([id, other.id])
    }))
})
