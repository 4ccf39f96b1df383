// Checks with a real browser that texts without a place to break make no page wider than its screen.
import { beforeAll, describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { hasBrowser } from '../support/tools.ts'
import { openStage, PATIENCE_MS, PHONE, sidewaysScroll, visit } from './browsing.ts'

const LONG = 'x'.repeat(250)

describe.runIf(hasBrowser('long texts'))('pages with long texts', { timeout: PATIENCE_MS }, () => {
  const stage = openStage()
  let paths: string[]

  beforeAll(async () => {
    const { server } = stage
    await server.control('POST', '/worlds', { id: 'w'.repeat(40) })
    const name = LONG.slice(0, 200)
    const organizations = [{ as: 'long', name }]
    await server.control('POST', '/given', { organizations })
    const sent = { callbackUrl: `http://127.0.0.1:9/${LONG}`, description: LONG, customerName: name }
    const { id } = await createPix(server, sent)
    await server.control('POST', '/trigger', { on: id, do: 'fail', reason: LONG })
    await server.control('POST', '/settle')
    await server.call('GET', `/v1/${'p'.repeat(1_500)}`)
    const delivery = Object.keys(server.world.state.deliveries)[0] ?? ''
    const exchange = server.world.exchanges.list().at(-1)?.id ?? ''
    const lists = ['', '/transactions', '/customers', '/deliveries', '/exchanges']
    const records = [`/transactions/${id}`, `/deliveries/${delivery}`, `/exchanges/${exchange}`]
    const pages = [...lists, ...records].map((path) => `/_sandbox/ui${path}`)
    paths = [...pages, `/_sandbox/pay/${id}`, '/docs', '/docs/control']
  }, PATIENCE_MS)
  test.each([{ width: 1280, height: 900 }, PHONE])('fit a screen of %o', async (viewport) => {
    const { page } = await visit(stage.browser, stage.server.url, { viewport })
    const wide: string[] = []
    for (const path of paths) {
      await page.goto(stage.server.url + path)
      await page.locator('main details:not([name])').evaluateAll((all) => {
        for (const details of all) details.setAttribute('open', '')
      })
      const over = await sidewaysScroll(page)
      if (over > 0) wide.push(`${path.slice(0, 40)}: ${over}`)
    }
    expect(wide).toEqual([])
    await page.context().close()
  })
})
