// Checks with a real browser what trying an operation shows of broken answers, and when it takes another token.
import { describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/tools.ts'
import { openStage, PATIENCE_MS, sendTrial, visit } from './browsing.ts'
import type { Locator, Page } from 'playwright-core'

describe.runIf(hasBrowser('trying an operation'))('trying an operation', { timeout: PATIENCE_MS }, () => {
  const stage = openStage()

  /** Opens the form of an operation and sends it as it is. */
  async function send(page: Page, operation: string): Promise<Locator> {
    const form = await sendTrial(page, operation)
    await form.locator('.result > *:not(.faint)').first().waitFor()
    return form.locator('.result')
  }

  const tokens = async (): Promise<number> =>
    (await stage.server.control('GET', '/exchanges?operation=createToken')).body.items.length

  test('shows an answer that is no JSON as it came, with its status', async () => {
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await stage.server.control('POST', '/faults', {
      on: { operation: 'getBalance' },
      do: { body: 'malformed' },
    })
    const result = await send(page, 'getBalance')
    expect(await result.innerText()).not.toContain('The body is no JSON')
    expect(await result.locator('.status .chip').textContent()).toBe('200 OK')
    expect(await result.locator('.answer').textContent()).toContain('{"data":{"currency":"BRL"')
    await page.context().close()
  })

  test('takes no other token for a refusal that no token would change', async () => {
    await stage.server.control('PATCH', '/silences', { 'AU-06': 401 })
    const { publicKey, secretKey } = stage.server.world.origin.keys.production
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await page.getByLabel('Public key').fill(publicKey)
    await page.getByLabel('Secret key').fill(secretKey)
    const before = await tokens()
    for (const _ of [1, 2]) {
      await page.locator('#simulateTransaction-try .result').evaluate((element) => element.replaceChildren())
      if (_ === 1) await page.locator('#simulateTransaction .try > summary').click()
      await page
        .locator('#simulateTransaction-try-path-transactionId')
        .fill('3f2b8c1e-6f0a-4c58-9d3e-5a1b7c2d4e6f')
      const result = await send(page, 'simulateTransaction')
      expect(await result.locator('.answer').textContent()).toContain('sandbox_only')
    }
    expect(await tokens()).toBe(before + 1)
    await page.context().close()
  })

  test('takes no other token when a fresh one does not hold', async () => {
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await stage.server.control('POST', '/faults', {
      on: { operation: 'getBalance' },
      do: { code: 'unauthorized' },
    })
    const before = await tokens()
    const result = await send(page, 'getBalance')
    expect(await result.locator('.answer').textContent()).toContain('unauthorized')
    expect(await tokens()).toBe(before + 1)
    await stage.server.control('DELETE', '/faults')
    await page.context().close()
  })
})
