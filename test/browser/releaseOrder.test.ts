// Checks with a real browser that an order of release that was chosen outlives links, and that what is told of it goes away.
import { describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { hasBrowser } from '../support/tools.ts'
import { openStage, PATIENCE_MS, visit } from './browsing.ts'

describe.runIf(hasBrowser('the order of release'))('the order of release', { timeout: PATIENCE_MS }, () => {
  const stage = openStage()

  test('stays when language, theme or page are chosen, and what was told goes away', async () => {
    await stage.server.control('POST', '/deliveries/hold', {})
    for (let made = 0; made < 21; made += 1) {
      const { id } = await createPix(stage.server, { callbackUrl: 'http://127.0.0.1:9/hook' })
      await stage.server.control('POST', '/trigger', { on: id, do: 'confirm' })
    }
    const { page } = await visit(stage.browser, `${stage.server.url}/_sandbox/ui/deliveries`)
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
