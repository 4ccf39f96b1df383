// Checks with a real browser that an order of release that was chosen outlives links, and that what is told of it goes away.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { openServer } from '../support/server.ts'
import { hasBrowser } from '../support/tools.ts'
import { openBrowser, PATIENCE_MS, visit } from './browsing.ts'
import type { Browser } from 'playwright-core'
import type { TestServer } from '../support/server.ts'

describe.runIf(hasBrowser('the order of release'))('the order of release', { timeout: PATIENCE_MS }, () => {
  let browser: Browser
  let server: TestServer

  beforeAll(async () => {
    server = await openServer()
    browser = await openBrowser()
  }, PATIENCE_MS)
  afterAll(async () => {
    await browser.close()
    await server.close()
  }, PATIENCE_MS)

  test('stays when language, theme or page are chosen, and what was told goes away', async () => {
    await server.control('POST', '/deliveries/hold', {})
    for (let made = 0; made < 21; made += 1) {
      const { id } = await createPix(server, { callbackUrl: 'http://127.0.0.1:9/hook' })
      await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    }
    const { page } = await visit(browser, `${server.url}/_sandbox/ui/deliveries`)
    const order = (): Promise<(string | null)[]> =>
      page
        .locator('#held li')
        .evaluateAll((rows) => rows.slice(0, 2).map((row) => row.getAttribute('data-id')))
    const [first = '', second = ''] = await order()
    await page
      .getByRole('button', { name: /^Move .* down$/ })
      .first()
      .click()
    await page.getByText(/is now 2 of/).waitFor()
    expect(await order()).toEqual([second, first])
    await page.getByText(/is now 2 of/).waitFor({ state: 'detached' })
    for (const link of ['PT', '☾', 'EN']) {
      await page.locator('.switches').getByText(link, { exact: true }).click()
      await page.locator('.switches [aria-current]', { hasText: link }).waitFor()
      expect(await order(), link).toEqual([second, first])
    }
    await page
      .getByRole('button', { name: /^Move .* down$/ })
      .nth(1)
      .click()
    await page.locator('.pager a[rel=next]').click()
    await page.locator('.pager a[rel=prev]').waitFor()
    expect((await order())[0]).toBe(second)
    expect((await order())[1]).not.toBe(first)
    await page.context().close()
  })
})
