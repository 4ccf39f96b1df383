// Checks with a real browser that lengths of time on a page go on while the clock flows, and stand while it does not.
import { describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { hasBrowser } from '../support/tools.ts'
import { openStage, PATIENCE_MS, visit } from './browsing.ts'

describe.runIf(hasBrowser('lengths of time'))('lengths of time', { timeout: PATIENCE_MS }, () => {
  const stage = openStage()

  test('go on by themselves while the clock of the world flows', async () => {
    const { id } = await createPix(stage.server)
    const { page, complaints } = await visit(stage.browser, `${stage.server.url}/_sandbox/ui`)
    await page.getByText('in 30 min').waitFor()
    await stage.server.control('POST', '/clock/flow', {})
    await page.locator('#clock[data-mode=flowing]').waitFor()
    // Nothing happens from here on that would make the page be fetched again.
    for (const path of ['', `/transactions/${id}`]) {
      await page.goto(`${stage.server.url}/_sandbox/ui${path}`)
      const left = page.locator('main [data-until]').first()
      const before = (await left.textContent()) ?? ''
      expect(before).toMatch(/^29 min \d+ s$/)
      await left.filter({ hasNotText: before }).waitFor()
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
