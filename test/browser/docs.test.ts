// Checks with a real browser that the API pages can be read, searched and tried.
import { describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { hasBrowser } from '../support/tools.ts'
import {
  openStage,
  PATIENCE_MS,
  PHONE,
  seriousFindings,
  sidewaysScroll,
  sendTrial,
  visit,
} from './browsing.ts'
import type { Page } from 'playwright-core'

describe.runIf(hasBrowser('the API pages'))('the API pages in a browser', { timeout: PATIENCE_MS }, () => {
  const stage = openStage()

  /** Opens the form of an operation and sends it as it is; answers what is shown. */
  async function send(page: Page, operation: string): Promise<{ status: string; body: string }> {
    const form = await sendTrial(page, operation)
    const answer = form.locator('.answer')
    await answer.waitFor()
    return {
      status: (await form.locator('.status .chip').textContent()) ?? '',
      body: (await answer.textContent()) ?? '',
    }
  }

  test('an operation is tried with its example, by a token that nobody had to ask for', async () => {
    const { page, complaints } = await visit(stage.browser, `${stage.server.url}/docs`)
    const { status, body } = await send(page, 'createTransaction')
    expect(status).toBe('201 Created')
    const { id } = JSON.parse(body).data
    const { body: kept } = await stage.server.control('GET', '/exchanges')
    expect(kept.items[0]).toMatchObject({ operation: 'createTransaction', subject: id, status: 201 })
    await page.locator('#createTransaction .result summary').click()
    expect(await page.locator('#createTransaction .result details pre').textContent()).toContain(
      `/_sandbox/pay/${id}`,
    )
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('another example takes the place of the first', async () => {
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await page.locator('#createTransaction .try > summary').click()
    await page.locator('#createTransaction').getByRole('button', { name: 'Boleto' }).click()
    expect(JSON.parse((await send(page, 'createTransaction')).body).data.method).toBe('Boleto')
    await page.context().close()
  })

  test('one token serves many calls and a reload, and a new one is taken when it has expired', async () => {
    const tokens = async (): Promise<number> =>
      (await stage.server.control('GET', '/exchanges?operation=createToken')).body.items.length
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    const before = await tokens()
    await send(page, 'getBalance')
    await send(page, 'listTransactions')
    await page.reload()
    await send(page, 'getBalance')
    expect(await tokens()).toBe(before + 1)
    await stage.server.control('POST', '/clock/advance', { by: '2h' })
    const answer = page.locator('#listCashouts-try')
    expect((await send(page, 'listCashouts')).status).toBe('200 OK')
    expect(await answer.locator('.answer').textContent()).toContain('"items"')
    expect(await tokens()).toBe(before + 2)
    await page.context().close()
  })

  test('wrong keys show the refusal of the gateway', async () => {
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await page.getByLabel('Secret key').fill('sk_sandbox_wrong')
    const { status, body } = await send(page, 'getBalance')
    expect(status).toBe('401 Unauthorized')
    expect(JSON.parse(body).error.code).toBe('invalid_credentials')
    await page.context().close()
  })

  test('a body that is no JSON is not sent', async () => {
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await page.locator('#createCustomer .try > summary').click()
    await page.locator('#createCustomer-try-body').fill('{"name":')
    await page.locator('#createCustomer-try').getByRole('button', { name: 'Send' }).click()
    await page.locator('#createCustomer .wrong', { hasText: 'The body is no JSON' }).waitFor()
    const { body } = await stage.server.control('GET', '/exchanges?operation=createCustomer')
    expect(body.items).toEqual([])
    await page.context().close()
  })

  test('evidence is sent as a file, also when nobody chose one', async () => {
    const sold = await createPix(stage.server)
    await stage.server.call('POST', `/v1/transactions/${sold.id}/simulate`, { action: 'complete' })
    await stage.server.control('POST', '/disputes', { paymentId: sold.id })
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    const { status, body } = await send(page, 'addDisputeEvidence')
    expect(status).toBe('201 Created')
    expect(JSON.parse(body).data).toMatchObject({
      contentType: 'application/pdf',
      fileName: 'comprovante.pdf',
    })
    await page.context().close()
  })

  test('hostile texts in an answer show as text', async () => {
    const description = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    await createPix(stage.server, { description })
    const { page, complaints } = await visit(stage.browser, `${stage.server.url}/docs`)
    const title = await page.title()
    const { body } = await send(page, 'getTransaction')
    expect(JSON.parse(body).data.description).toBe(description)
    expect(await page.locator('.result img').count()).toBe(0)
    expect([await page.title(), complaints]).toEqual([title, []])
    await page.context().close()
  })

  test('the filter leaves what fits, and says when nothing does', async () => {
    const { page } = await visit(stage.browser, `${stage.server.url}/docs`)
    await page.getByLabel('Filter operations').fill('dispute evidence')
    const left = await page.locator('.operation:visible').evaluateAll((all) => all.map(({ id }) => id))
    expect(left).toEqual(['getDispute', 'addDisputeEvidence'])
    expect(await page.locator('.contents li:visible').count()).toBe(2)
    await page.getByLabel('Filter operations').fill('nothing of the kind')
    await page.getByText('No operation fits.').waitFor()
    await page.context().close()
  })

  test('the control API is tried in the chosen world', async () => {
    await stage.server.control('POST', '/worlds', { id: 'other' })
    const { page } = await visit(stage.browser, `${stage.server.url}/docs/control?world=other`)
    await page.locator('#advanceClock .try > summary').click()
    await page.locator('#advanceClock-try-body').fill('{"by":"1h"}')
    expect((await send(page, 'advanceClock')).status).toBe('200 OK')
    expect((await stage.server.control('GET', '/worlds/other/clock')).body.now).toBe(
      '2030-01-01T13:00:00.000Z',
    )
    await page.context().close()
  })

  const looks = ['/docs', '/docs/control'].flatMap((path) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ path, colorScheme })),
  )
  test.each(looks)(
    '$path in the $colorScheme theme fits a phone, and axe-core finds nothing serious',
    async ({ path, colorScheme }) => {
      const { page, complaints } = await visit(stage.browser, stage.server.url + path, {
        viewport: PHONE,
        colorScheme,
      })
      const operation = path === '/docs' ? 'createTransaction' : 'getClock'
      await send(page, operation)
      expect(await sidewaysScroll(page)).toBe(0)
      expect(await seriousFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )
})
