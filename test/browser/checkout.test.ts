// Checks with a real browser what a merchant's checkout page shows of the gateway.
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { post, tokenOf } from '../client/shop.ts'
import { BROWSER, hasBrowser } from '../support/tools.ts'
import type { Browser } from 'playwright-core'
import type { Sandbox } from '../../src/index.ts'

const PATIENCE_MS = 60_000

describe.runIf(hasBrowser('the checkout page'))('a checkout page in a browser', () => {
  let browser: Browser
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
    browser = await chromium.launch({
      executablePath: BROWSER,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--no-first-run'],
    })
  }, PATIENCE_MS)
  afterAll(async () => {
    await browser.close()
    await sandbox.close()
  }, PATIENCE_MS)

  test('shows the QR picture of a PIX transaction', { timeout: PATIENCE_MS }, async () => {
    const token = await tokenOf(sandbox)
    const { id } = await post(sandbox, '/v1/transactions', { method: 'Pix', amount: 12_990 }, token)
    const answered = await sandbox.fetch(`/v1/transactions/${String(id)}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const { data } = (await answered.json()) as { data: { pix: { qrCode: string } } }
    const page = await browser.newPage()
    await page.setContent(`<img alt="PIX" src="${data.pix.qrCode}">`)
    const [width, height] = await page.locator('img').evaluate(async (image) => {
      const shown = image as unknown as {
        decode(): Promise<void>
        naturalWidth: number
        naturalHeight: number
      }
      await shown.decode()
      return [shown.naturalWidth, shown.naturalHeight]
    })
    expect(width).toBeGreaterThan(100)
    expect(height).toBe(width)
  })
})
