// Drives the dashboard in a real browser: live updates, buttons, the clock, typed input that stays, themes, a phone, axe.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { present } from '../../src/kernel/assert.ts'
import { post, sell, tokenOf } from '../client/shop.ts'
import { openReceiver } from '../support/server.ts'
import { hasBrowser } from '../support/tools.ts'
import {
  openBrowser,
  PHONE,
  seriousFindings,
  sidewaysScroll,
  STRANGE_NAME,
  under,
  visit,
} from './browsing.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Sandbox } from '../../src/index.ts'
import type { Visit } from './browsing.ts'

/** Host milliseconds that a test may take that looks at many pages. */
const PATIENCE_MS = 120_000
const WIDE = { width: 1280, height: 900 }

describe.runIf(hasBrowser('the dashboard'))('the dashboard in a browser', { timeout: PATIENCE_MS }, () => {
  let browser: Browser
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
    browser = await openBrowser()
  }, PATIENCE_MS)
  afterAll(async () => {
    await browser.close()
    await sandbox.close()
  }, PATIENCE_MS)

  /** Opens a page and waits until it follows its world. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const address = `${sandbox.url}/_sandbox/ui${path}`
    const visited = await visit(browser, address, { viewport: WIDE, locale: 'en-US', ...options })
    await visited.page.locator('#connection.connected').waitFor()
    return visited
  }

  async function end({ page, complaints }: Visit): Promise<void> {
    expect(complaints).toEqual([])
    await page.context().close()
  }

  const statusShown = (page: Page, status: string): Promise<void> =>
    page.locator('h1 .chip', { hasText: status }).waitFor()

  test('a transaction appears by itself, is paid with a button, and its money shows', async () => {
    const visited = await open('/transactions')
    const { page } = visited
    const id = await sell(sandbox, null, { externalId: 'live-1', amount: 45_000 })
    const row = page.locator(`#row-${id}`)
    await row.waitFor()
    expect(await row.innerText()).toContain('Pending')
    await row.getByRole('link').click()
    await page.locator('#connection.connected').waitFor()
    await page.getByRole('button', { name: 'confirm' }).click()
    await statusShown(page, 'Completed')
    await page.locator('.machine .now', { hasText: 'Completed' }).waitFor()
    expect(await page.locator('#told').innerText()).toBe('Done.')
    expect((await sandbox.transactions.get(id)).status).toBe('Completed')
    await page.getByRole('link', { name: 'Overview' }).click()
    expect(await page.locator('#counts').innerText()).toContain('Completed')
    expect(await page.locator('.bars rect.available').count()).toBeGreaterThan(0)
    await end(visited)
  })

  test('a part of the money goes back, typed in reais, in a field that was out of sight', async () => {
    const id = await sell(sandbox)
    await sandbox.trigger(id, 'confirm')
    const visited = await open(`/transactions/${id}`)
    const { page } = visited
    const form = page.locator('#fire-refund')
    await form.locator('summary').click()
    await form.getByLabel('amount').fill('29,90')
    await form.getByRole('button').click()
    await statusShown(page, 'PartiallyRefunded')
    expect((await sandbox.transactions.get(id)).refundedAmount).toBe(2_990)
    await end(visited)
  })

  test('the clock moves by buttons, by a length and to an instant, and says why it does not', async () => {
    const visited = await open('')
    const { page } = visited
    const told = page.locator('#told')
    const shown = async (): Promise<string> =>
      (await page.locator('#clock').innerText()).replaceAll(/\s+/g, ' ')
    const at = async (by: number): Promise<string> => {
      const { now } = await sandbox.clock.read()
      return new Date(Date.parse(now) + by).toISOString().slice(11, 19)
    }
    const time = (text: string) => page.locator('#clock .time', { hasText: text }).waitFor()
    const hour = await at(3_600_000)
    await page.getByRole('button', { name: '+ 1 h' }).click()
    await time(hour)
    const later = await at(90_000)
    await page.getByLabel('Advance by').fill('90s')
    await page.getByLabel('Advance by').press('Enter')
    await time(later)
    await page.getByLabel('Advance to').fill('1999-01-01')
    await page.getByLabel('Advance to').press('Enter')
    await page.locator('#told.bad').waitFor()
    expect(await told.innerText()).toContain('A clock only moves forward')
    await page.getByLabel('Advance to').fill('2060-02-03')
    await page.getByLabel('Advance to').press('Enter')
    await page.locator('#clock .date', { hasText: '2060-02-03' }).waitFor()
    expect(await shown()).toContain('frozen')
    await page.getByRole('button', { name: 'Let it flow' }).click()
    await page.locator('#clock[data-mode="flowing"]').waitFor()
    await page.locator('#clock .time', { hasNotText: '00:00:00' }).waitFor()
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.locator('#clock[data-mode="frozen"]').waitFor()
    await end(visited)
  })

  test('what a test arms, chooses or clears appears by itself', async () => {
    const faults = await open('/faults')
    const row = faults.page.locator('#armed').getByText('503')
    await sandbox.faults.arm({ on: {}, do: { status: 503 }, after: '2099-01-01T00:00:00Z' })
    await row.waitFor()
    await sandbox.faults.clear()
    await row.waitFor({ state: 'detached' })
    expect(await sandbox.faults.list()).toEqual([])
    await end(faults)
  })

  test('a dispute is answered with a typed text', async () => {
    const paymentId = await sell(sandbox)
    await sandbox.trigger(paymentId, 'confirm')
    const { id } = await sandbox.disputes.open({ paymentId })
    const visited = await open(`/disputes/${id}`)
    const { page } = visited
    const form = page.locator('#fire-respond')
    await form.getByRole('textbox').fill('The parcel arrived.')
    await form.getByRole('button', { name: 'respond' }).click()
    await statusShown(page, 'MerchantResponded')
    expect(await sandbox.disputes.get(id)).toMatchObject({ responseText: 'The parcel arrived.' })
    await end(visited)
  })

  test('a scenario is run from its page, and a text that is none is told with its line', async () => {
    const visited = await open('/scenarios')
    const { page } = visited
    const run = page.getByRole('button', { name: 'Run' })
    await run.click()
    await page.locator('#outcome .mark').last().waitFor()
    await page.locator('#outcome').getByText('passed').first().waitFor()
    expect(new Set(await page.locator('#outcome .mark').allTextContents())).toEqual(new Set(['✓']))
    await page.getByRole('textbox').fill('name: mine\nsteps:\n  - cal: getBalance\n')
    await run.click()
    await page.locator('#outcome .problems li').first().waitFor()
    expect(await page.locator('#outcome .problems li').allTextContents()).toEqual([
      expect.stringMatching(/^3:5 .*'cal' is no verb\. Did you mean 'call'\?/),
    ])
    await end(visited)
  })

  test('an update takes away nothing: focus, typed text, what is open', async () => {
    const id = await sell(sandbox)
    const visited = await open(`/transactions/${id}`)
    const { page } = visited
    await page.locator('#stored summary').click()
    await page.locator('#fire-cancel summary').click()
    const field = page.locator('#fire-cancel').getByLabel('reason')
    await field.pressSequentially('half of a sen')
    await sandbox.clock.advance('1m')
    await page.locator('.time-line .clock').or(page.getByText('in 29 min')).first().waitFor()
    await field.pressSequentially('tence')
    expect(await field.inputValue()).toBe('half of a sentence')
    expect(await page.locator(':focus').getAttribute('id')).toBe('fire-cancel-reason')
    expect(await page.locator('#stored').getAttribute('open')).toBe('')
    await end(visited)
  })

  test('the keyboard reaches the content and its buttons', async () => {
    const id = await sell(sandbox)
    const visited = await open(`/transactions/${id}`)
    const { page } = visited
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe('confirm')
    await page.keyboard.press('Enter')
    await statusShown(page, 'Completed')
    await end(visited)
  })

  test('a page of another origin cannot advance the clock', async () => {
    const elsewhere = await openReceiver((_request, response) => response.end('<p>hi'))
    const { page } = await visit(browser, elsewhere.url)
    const before = (await sandbox.clock.read()).now
    const address = JSON.stringify(`${sandbox.url}/_sandbox/clock/advance`)
    const sent = await page.evaluate(
      `fetch(${address}, { method: 'POST', mode: 'no-cors', body: '{"by":"1h"}' }).then(() => 'sent', String)`,
    )
    expect(sent).toBe('sent')
    expect((await sandbox.clock.read()).now).toBe(before)
    await page.context().close()
    await elsewhere.close()
  })

  test('a page whose name was made to lead here reads nothing and changes nothing', async () => {
    const { page } = await visit(browser, under(STRANGE_NAME, `${sandbox.url}/_sandbox/ui`))
    await page.getByText('sandbox_cross_site').waitFor()
    const before = (await sandbox.clock.read()).now
    const ask = (path: string, init: string): Promise<unknown> =>
      page.evaluate(`fetch('/_sandbox${path}', ${init}).then(({ status }) => status)`)
    expect(await ask('/info', '{}')).toBe(403)
    expect(await ask('/clock/advance', `{ method: 'POST', body: '{"by":"1h"}' }`)).toBe(403)
    expect((await sandbox.clock.read()).now).toBe(before)
    await page.context().close()
  })

  test('the language and the theme are chosen by links and stay', async () => {
    const visited = await open('')
    const { page } = visited
    await page.getByRole('link', { name: 'PT' }).click()
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor()
    await page.getByRole('link', { name: 'Tema escuro' }).click()
    await page.getByRole('link', { name: 'Transações' }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('heading', { name: 'Transações' }).waitFor()
    await end(visited)
  })

  describe('whatever the look', () => {
    let paths: string[]
    beforeAll(async () => {
      const id = await sell(sandbox, null, { description: 'Uma descrição', customerName: 'Ana Souza' })
      await sandbox.trigger(id, 'confirm')
      const dispute = await sandbox.disputes.open({ paymentId: id })
      await sandbox.changeBalance({ fund: 100_000 })
      const sent = { amount: 5_000, pixKeyType: 'CPF', pixKey: '12345678909' }
      const cashout = String((await post(sandbox, '/v1/cashouts', sent, await tokenOf(sandbox)))['id'])
      const customer = present((await sandbox.customers.list())[0], 'no customer').id
      const lists = ['', '/transactions', '/cashouts', '/disputes', '/customers', '/nowhere']
      const records = [`/disputes/${dispute.id}`, `/cashouts/${cashout}`, `/customers/${customer}`]
      paths = [...lists, `/transactions/${id}`, ...records]
    })

    describe.each([
      ['light', WIDE],
      ['dark', WIDE],
      ['light', PHONE],
      ['dark', PHONE],
    ] as const)('in the %s theme at %o', (colorScheme, viewport) => {
      test('every page passes axe, fits the screen, and breaks no policy', async () => {
        for (const path of paths) {
          const visited = await open(path, { colorScheme, viewport })
          const { page } = visited
          expect(await seriousFindings(page), path).toEqual([])
          expect(await sidewaysScroll(page), path).toBe(0)
          await end(visited)
        }
      })

      test('so do the page that asks for the control token and the one that refuses', async () => {
        const guarded = await startSandbox({ controlToken: 'let-me-in' })
        const pages = [
          ['Sign in', `${guarded.url}/_sandbox/ui`],
          ['Refused', under(STRANGE_NAME, `${guarded.url}/_sandbox/ui`)],
        ] as const
        for (const [heading, address] of pages) {
          const visited = await visit(browser, address, { colorScheme, viewport, locale: 'en-US' })
          const { page } = visited
          await page.getByRole('heading', { name: heading }).waitFor()
          expect(await seriousFindings(page), heading).toEqual([])
          expect(await sidewaysScroll(page), heading).toBe(0)
          await end(visited)
        }
        await guarded.close()
      })
    })
  })
})
