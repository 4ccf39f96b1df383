// Checks the overview: the clock, what happens next, counts by status, the balance over time, the latest events.
import { afterAll, describe, expect, test } from 'vitest'
import { BUCKETS } from '../../src/domain/books.ts'
import { MACHINE_NAMES } from '../../src/domain/trail.ts'
import { createReads } from '../../src/dashboard/reads.ts'
import { toTimestamp } from '../../src/kernel/time.ts'
import { createPix } from '../support/sandbox.ts'
import { openPages, wordsIn } from './openPages.ts'
import type { Pages } from './openPages.ts'

const opened: Pages[] = []
afterAll(() => {
  for (const sandbox of opened) sandbox.close()
})

function open(): Pages {
  const sandbox = openPages()
  opened.push(sandbox)
  return sandbox
}

const overview = async (sandbox: Pages): Promise<string> =>
  wordsIn(await sandbox.page('')).replaceAll('\u00a0', ' ')

describe('the overview', () => {
  test('of a world without anything says so', async () => {
    const words = await overview(open())
    for (const said of [
      'Nothing waits for time.',
      'No money has moved',
      'Nothing has happened yet.',
      'none yet',
    ]) {
      expect(words).toContain(said)
    }
  })

  test('offers to freeze a clock that flows, and to let a frozen one flow', async () => {
    const sandbox = open()
    expect((await sandbox.page('')).text).toContain('action="/_sandbox/clock/flow"')
    await sandbox.control('POST', '/clock/flow', { rate: 60 })
    const { text } = await sandbox.page('')
    expect(text).toContain('action="/_sandbox/clock/freeze"')
    expect(text).not.toContain('action="/_sandbox/clock/flow"')
    expect(text).toMatch(/id="clock"[^>]*data-mode="flowing"\s+data-rate="60"/)
    expect(wordsIn({ text } as never)).toContain('60 times as fast')
  })

  test('runs what is overdue before it shows anything', async () => {
    const sandbox = open()
    const { id } = await createPix(sandbox)
    sandbox.world.clock.moveTo((sandbox.world.clock.now() + 3_600_000) as never)
    expect((await sandbox.page(`/transactions/${id}`)).text).toContain('Expired')
  })

  test('lists the next 20 jobs in order, and how many more wait', async () => {
    const sandbox = open()
    for (let number = 0; number < 25; number += 1) {
      await createPix(sandbox)
      await sandbox.control('POST', '/clock/advance', { by: '1s' })
    }
    const words = await overview(sandbox)
    expect(words.match(/expireTransaction/g)).toHaveLength(20)
    expect(words).toContain('in 29 min 35 s')
    expect(words.indexOf('12:30:00')).toBeLessThan(words.indexOf('12:30:19'))
    expect(words).toContain('5 more wait after these.')
  })

  test('says what each job does in both languages', async () => {
    const sandbox = open()
    await createPix(sandbox)
    expect(await overview(sandbox)).toContain('expireTransaction an unpaid payment expires')
    const page = await sandbox.page('', { 'Accept-Language': 'pt-BR' })
    expect(wordsIn(page)).toContain('expireTransaction um pagamento não pago expira')
  })

  test('leads from each delivery and attempt to the page of the delivery', async () => {
    const sandbox = open()
    const { id } = await createPix(sandbox, { callbackUrl: 'http://127.0.0.1:9/hook' })
    await sandbox.page('')
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/settle')
    const { text } = await sandbox.page('')
    const [delivery] = Object.keys(sandbox.world.state.deliveries)
    for (const kind of ['delivery', 'attempt']) {
      const [entry = ''] = new RegExp(`<li class="${kind}".*?</li>`, 's').exec(text) ?? []
      expect(entry, kind).toContain(`href="/_sandbox/ui/deliveries/${delivery}"`)
    }
  })

  test('shows the account that is asked for, and the first one for a name of none', async () => {
    const sandbox = open()
    await sandbox.control('PATCH', '/balance', { fund: 12_345 })
    expect(await overview(sandbox)).toContain('Available R$ 123,45')
    const [, other = ''] = Object.keys(sandbox.world.state.organizations)
    const page = await sandbox.page(`?account=${other}:Sandbox`)
    expect(wordsIn(page)).toContain('No money has moved')
    expect(wordsIn(await sandbox.page('?account=nobody'))).toContain('123,45')
  })
})

describe('what is counted', () => {
  /** Records of a machine by status, counted one by one. */
  function recount(sandbox: Pages, kind: 'transactions' | 'cashouts' | 'disputes'): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { status } of Object.values(sandbox.world.state[kind])) {
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }

  test('by status is what there is, however it came about', async () => {
    const sandbox = open()
    const reads = createReads()
    const kinds = { transaction: 'transactions', cashout: 'cashouts', dispute: 'disputes' } as const
    const check = (): void => {
      for (const machine of MACHINE_NAMES) {
        const some = [...reads.statuses(sandbox.world, machine)].filter(([, number]) => number > 0)
        expect(Object.fromEntries(some)).toEqual(recount(sandbox, kinds[machine]))
      }
    }
    check()
    const made = [await createPix(sandbox), await createPix(sandbox), await createPix(sandbox)]
    check()
    for (const { id } of made.slice(1)) await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/disputes', { paymentId: made[1].id })
    check()
    await sandbox.control('PUT', '/snapshots/here')
    await sandbox.control('POST', '/clock/advance', { by: '8d' })
    check()
    await sandbox.control('POST', '/snapshots/here/restore')
    check()
    await sandbox.control('POST', '/reset')
    check()
  })

  test('of the balance is exact at each instant that is shown, and bounded', async () => {
    const sandbox = open()
    const reads = createReads()
    const { world } = sandbox
    const [organizationId = ''] = Object.keys(world.state.organizations)
    const scope = { organizationId, environment: 'Sandbox' } as const
    const steps = ['1s', '7s', '2m', '1h', '3d', '40d', '1ms', '365d']
    for (let number = 0; number < 60; number += 1) {
      await sandbox.control('PATCH', '/balance', { fund: 100 + number })
      await sandbox.control('POST', '/clock/advance', {
        by: steps[number % (1 + Math.floor(number / 8))] ?? '1s',
      })
      const points = reads.balance(world, scope)
      expect(points.length).toBeLessThanOrEqual(48)
      for (const point of points) {
        const until = toTimestamp(point.at)
        const held = world.state.postings.filter(({ at }) => at <= until).flatMap(({ lines }) => lines)
        const sums = BUCKETS.map((bucket) => {
          const own = held.filter(({ account }) => account === `${bucket}:${organizationId}:Sandbox`)
          return [bucket, own.reduce((sum, { amount }) => sum + amount, 0)]
        })
        expect(point).toEqual({ ...Object.fromEntries(sums), at: point.at })
      }
    }
    expect(reads.balance(world, scope).length).toBeGreaterThan(10)
  })
})
