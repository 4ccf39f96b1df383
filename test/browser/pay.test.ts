// Checks with a real browser that a payer can pay, and that the page follows what happens elsewhere.
import { describe, expect, test } from 'vitest'
import { openServer } from '../support/server.ts'
import { createPix } from '../support/sandbox.ts'
import { hasBrowser } from '../support/tools.ts'
import {
  openStage,
  OWN_NAME,
  PATIENCE_MS,
  PHONE,
  seriousFindings,
  sidewaysScroll,
  under,
  visit,
} from './browsing.ts'

const CARD = { cardNumber: '4111111111111111', cardHolderName: 'ANA SOUZA', cardCvv: '123' }
const FIELDS = {
  Pix: { description: 'Pedido 7' },
  Boleto: { customerName: 'Ana Souza', customerDocument: '52998224725', boletoDueDate: '2030-01-10' },
  CreditCard: { ...CARD, cardExpirationMonth: '12', cardExpirationYear: '2031', installments: 3 },
}
type Method = keyof typeof FIELDS

describe.runIf(hasBrowser('the pay page'))('the pay page in a browser', { timeout: PATIENCE_MS }, () => {
  const stage = openStage()

  async function sell(method: Method = 'Pix'): Promise<{ id: string; address: string }> {
    const { id } = await createPix(stage.server, { method, ...FIELDS[method] })
    return { id, address: `${stage.server.url}/_sandbox/pay/${id}` }
  }
  const statusOf = async (id: string): Promise<string> =>
    (await stage.server.call('GET', `/v1/transactions/${id}`)).body.data.status

  test('a button pays, and the page shows it without being loaded again', async () => {
    const { id, address } = await sell()
    const { page, complaints } = await visit(stage.browser, address)
    await page.evaluate('window.isSamePage = true')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByRole('main').getByText('Paid', { exact: true }).waitFor()
    expect(await page.locator('#decide button').count()).toBe(0)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    expect(await statusOf(id)).toBe('Completed')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a reason that was typed is what the page says', async () => {
    const { address } = await sell()
    const { page } = await visit(stage.browser, address)
    await page.getByLabel('Reason').fill('Saldo insuficiente')
    await page.getByRole('button', { name: 'Fail' }).click()
    await page.getByRole('main').getByText('Saldo insuficiente').waitFor()
    expect(await page.locator('#status').getAttribute('data-status')).toBe('Failed')
    await page.context().close()
  })

  test('the button beside the code copies it', async () => {
    const { id, address } = await sell()
    const { page } = await visit(stage.browser, address, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('button', { name: 'Copy code' }).click()
    await page.getByText('Copied.').waitFor()
    const { body } = await stage.server.call('GET', `/v1/transactions/${id}`)
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body.data.pix.copyAndPaste)
    await page.context().close()
  })

  test('where the browser keeps its clipboard from pages, the button copies all the same, or says that it cannot', async () => {
    const { id, address } = await sell()
    const { page, complaints } = await visit(stage.browser, address, { permissions: ['clipboard-read'] })
    await page.evaluate('window.clipboard = navigator.clipboard')
    // As on plain HTTP at another name than localhost.
    await page.evaluate("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    const button = page.getByRole('button', { name: 'Copy code' })
    await button.click()
    await page.getByText('Copied.').waitFor()
    const { body } = await stage.server.call('GET', `/v1/transactions/${id}`)
    expect(await page.evaluate('window.clipboard.readText()')).toBe(body.data.pix.copyAndPaste)
    expect(await page.locator(':focus').textContent()).toBe('Copy code')
    await page.evaluate('document.execCommand = () => false')
    await button.click()
    await page.locator('#told.bad', { hasText: 'Select the text and copy it' }).waitFor()
    expect(await page.locator('textarea').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('without scripts, and under a name without HTTPS, a button pays too', async () => {
    const { id, address } = await sell()
    const { page } = await visit(stage.browser, under(OWN_NAME, address), { javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.locator('#status[data-status=Completed]').waitFor()
    expect(await statusOf(id)).toBe('Completed')
    await page.context().close()
  })

  test('an expiry by the clock of the world is shown live', async () => {
    const { address } = await sell()
    const { page } = await visit(stage.browser, address)
    await page.locator('#connection.connected').waitFor()
    await stage.server.control('POST', '/clock/advance', { by: '29m' })
    await page.locator('#left', { hasText: /^1 min$/ }).waitFor()
    await stage.server.control('POST', '/clock/advance', { by: '1m' })
    await page.locator('#status[data-status=Expired]').waitFor()
    expect(await page.locator('#how').count()).toBe(0)
    await page.context().close()
  })

  test('a payment from elsewhere is shown live', async () => {
    const { id, address } = await sell()
    const { page } = await visit(stage.browser, address)
    await page.locator('#connection.connected').waitFor()
    await stage.server.call('POST', `/v1/transactions/${id}/simulate`, { action: 'complete' })
    await page.locator('#status[data-status=Completed]').waitFor()
    expect(await page.locator('#status').textContent()).toContain('Paid')
    await page.context().close()
  })

  test('the time that is left goes on while the clock flows', async () => {
    const flowing = await openServer({ clock: { mode: 'flowing', rate: 60, at: null } })
    const { id } = await createPix(flowing)
    const { page } = await visit(stage.browser, `${flowing.url}/_sandbox/pay/${id}`)
    const before = (await page.locator('#left').textContent()) ?? ''
    await page.locator('#left').filter({ hasNotText: before }).waitFor()
    expect(before).toMatch(/ (?:min|s)$/)
    await flowing.control('POST', '/clock/advance', { by: '30m' })
    await page.locator('#status[data-status=Expired]').waitFor()
    await page.context().close()
    await flowing.close()
  })

  test('a typed card is refused in place until it is right, and then forgotten', async () => {
    const { id, address } = await sell('CreditCard')
    const { page } = await visit(stage.browser, address)
    await page.getByText('Type the card', { exact: true }).click()
    await page.getByLabel('Card number').fill('4111 1111 1111 1112')
    await page.getByLabel('Name on the card').fill('Ana Souza')
    await page.getByLabel('Expiry').fill('12/2031')
    await page.getByLabel('Security code').fill('123')
    await page.getByRole('button', { name: 'Pay with this card' }).click()
    await page.locator('#told.bad', { hasText: 'Card number' }).waitFor()
    expect(await statusOf(id)).toBe('Pending')
    await page.getByLabel('Card number').fill('4111 1111 1111 1111')
    await page.getByRole('button', { name: 'Pay with this card' }).click()
    await page.locator('#status[data-status=Completed]').waitFor()
    expect(await page.content()).not.toContain('4111 1111')
    await page.context().close()
  })

  test('the keyboard alone reaches the code and pays', async () => {
    const { id, address } = await sell()
    const { page } = await visit(stage.browser, address)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Copy code')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('#status[data-status=Completed]').waitFor()
    expect(await statusOf(id)).toBe('Completed')
    await page.context().close()
  })

  test('on a phone a barcode is large enough to be read', async () => {
    const { address } = await sell('Boleto')
    const { page } = await visit(stage.browser, address, { viewport: PHONE })
    const bars = page.locator('.bars-picture')
    const modules = Number((await bars.getAttribute('viewBox'))?.split(' ')[2])
    const shown = await bars.boundingBox()
    expect(Math.max(shown?.width ?? 0, shown?.height ?? 0)).toBeGreaterThanOrEqual(modules)
    expect(shown?.x).toBeGreaterThanOrEqual(0)
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(PHONE.width)
    await page.context().close()
  })

  const looks = (['Pix', 'Boleto', 'CreditCard'] as const).flatMap((method) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ method, colorScheme })),
  )
  test.each(looks)(
    '$method in the $colorScheme theme fits a phone, and axe-core finds nothing serious',
    async ({ method, colorScheme }) => {
      const { address } = await sell(method)
      const { page, complaints } = await visit(stage.browser, address, {
        viewport: PHONE,
        colorScheme,
        locale: 'pt-BR',
      })
      expect(await sidewaysScroll(page)).toBe(0)
      expect(await seriousFindings(page)).toEqual([])
      await page.locator('#expire button').click()
      await page.locator('#status[data-status=Expired]').waitFor()
      expect(await seriousFindings(page)).toEqual([])
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )
})
