// Drives pages that follow their world in a real browser: out of sight, without their world, without their server, by keyboard.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { sell } from '../client/shop.ts'
import { hasBrowser } from '../support/tools.ts'
import { openBrowser, PATIENCE_MS, visit } from './browsing.ts'
import type { Browser, Page } from 'playwright-core'
import type { Sandbox } from '../../src/index.ts'
import type { Visit } from './browsing.ts'

/** Tells a page that it is in sight or out of it, as a browser does for its tabs. */
async function sight(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    const { document, Event: BrowserEvent } = globalThis as unknown as {
      document: EventTarget
      Event: typeof Event
    }
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new BrowserEvent('visibilitychange'))
  }, isHidden)
}

describe.runIf(hasBrowser('pages that follow their world'))(
  'pages that follow their world',
  { timeout: PATIENCE_MS },
  () => {
    let browser: Browser
    let sandbox: Sandbox

    beforeAll(async () => {
      browser = await openBrowser()
    }, PATIENCE_MS)
    afterAll(() => browser.close(), PATIENCE_MS)
    beforeEach(async () => {
      sandbox = await startSandbox()
    })
    afterEach(() => sandbox.close())

    async function open(path: string): Promise<Visit> {
      const visited = await visit(browser, sandbox.url + path, { locale: 'en-US' })
      await visited.page.locator('#connection.connected').waitFor()
      return visited
    }

    test('a page out of sight gives its connection back, and catches up once it is seen again', async () => {
      const { page: first, complaints } = await open('/_sandbox/ui/transactions')
      await sight(first, true)
      // A browser opens six connections to one server at most, for all its tabs.
      for (let count = 0; count < 6; count += 1) {
        const other = await first.context().newPage()
        await other.goto(first.url())
        await other.locator('#connection.connected').waitFor()
        await sight(other, true)
      }
      const id = await sell(sandbox, null, { amount: 4_500 })
      const row = first.locator(`#row-${id}`)
      expect(await row.count()).toBe(0)
      await sight(first, false)
      await row.waitFor()
      expect(complaints).toEqual([])
      await first.context().close()
    })

    test('a page whose world ends says so', async () => {
      const world = await sandbox.world()
      const { page } = await open(`/_sandbox/worlds/${world.id}/ui`)
      await world.delete()
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
      expect(await page.locator('#main').innerText()).not.toContain('Balance')
      await page.context().close()
    })

    test('a page whose server is gone asks ever less often', async () => {
      const { page } = await open('/_sandbox/ui')
      await page.clock.install()
      await page.reload()
      await page.locator('#connection.connected').waitFor()
      let asked = 0
      await page.route('**/_sandbox/ui', (route) => {
        asked += 1
        return route.abort()
      })
      await sandbox.clock.advance('1h')
      const minute = 60_000
      for (let past = 0; past < minute; past += 250) await page.clock.runFor(250)
      expect(asked).toBeGreaterThan(3)
      expect(asked).toBeLessThan(20)
      await page.context().close()
    })

    test('the focus stays where it was when the button that had it is gone', async () => {
      const id = await sell(sandbox, null, { amount: 4_500 })
      const { page } = await open(`/_sandbox/ui/transactions/${id}`)
      const confirm = page.getByRole('button', { name: 'confirm' })
      await confirm.focus()
      await page.keyboard.press('Enter')
      await page.locator('h1 .chip', { hasText: 'Completed' }).waitFor()
      await confirm.waitFor({ state: 'detached' })
      const focused = await page.evaluate(() => {
        const { document } = globalThis as unknown as {
          document: { activeElement: { localName: string } | null }
        }
        return document.activeElement?.localName
      })
      expect(focused).not.toBe('body')
      await page.context().close()
    })

    test('without scripts a button does nothing, and the page says why', async () => {
      await sandbox.deliveries.hold()
      const { page } = await visit(browser, `${sandbox.url}/_sandbox/ui/deliveries`, {
        locale: 'en-US',
        javaScriptEnabled: false,
      })
      expect(await page.locator('noscript').innerText()).toContain('Scripts are switched off')
      await page.getByRole('button', { name: 'Stop holding' }).click()
      expect(page.url()).toBe(`${sandbox.url}/_sandbox/ui/deliveries`)
      expect((await sandbox.faults.list()).length).toBe(1)
      await page.context().close()
    })
  },
)
