// Checks with a real browser that lengths of time on a page go on while the clock flows, and stand while it does not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { openServer } from '../support/server.ts'
import { hasBrowser } from '../support/tools.ts'
import { openBrowser, PATIENCE_MS, visit } from './browsing.ts'
import type { Browser } from 'playwright-core'
import type { TestServer } from '../support/server.ts'

describe.runIf(hasBrowser('lengths of time'))('lengths of time', { timeout: PATIENCE_MS }, () => {
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

  test('go on by themselves while the clock of the world flows', async () => {
    const { id } = await createPix(server)
    const { page, complaints } = await visit(browser, `${server.url}/_sandbox/ui`)
    await page.getByText('in 30 min').waitFor()
    await server.control('POST', '/clock/flow', {})
    await page.locator('#clock[data-mode=flowing]').waitFor()
    // Nothing happens from here on that would make the page be fetched again.
    for (const path of ['', `/transactions/${id}`]) {
      await page.goto(`${server.url}/_sandbox/ui${path}`)
      const left = page.locator('main [data-until]').first()
      const before = (await left.textContent()) ?? ''
      expect(before).toMatch(/^29 min \d+ s$/)
      await left.filter({ hasNotText: before }).waitFor()
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
