// Checks with a real browser that a person can watch webhooks, choose the order in which held ones go, and switch what goes wrong.
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest'
import { EXAMPLE_SCENARIO } from '../../src/dashboard/scenarioPage.ts'
import { createPix } from '../support/sandbox.ts'
import { openReceiver, openServer } from '../support/server.ts'
import { hasBrowser } from '../support/tools.ts'
import { openBrowser, PATIENCE_MS, PHONE, seriousFindings, sidewaysScroll, visit } from './browsing.ts'
import type { Browser, Page } from 'playwright-core'
import type { Receiver, ReceiverAnswer, TestServer } from '../support/server.ts'

/** A play that failed, as the control API answers it. */
const PLAYED = {
  name: 'a payment <img src=x onerror=alert(1)>',
  file: 'scenario',
  passed: false,
  steps: [
    { step: '1', line: 4, verb: 'inbox', says: 'inbox shop', passed: true },
    { step: '2', line: 5, verb: 'expect', says: 'expect <b>delivery</b>', passed: false },
  ],
  failure: {
    step: '2',
    says: 'expect',
    line: 5,
    column: 5,
    message: 'status is scheduled',
    expected: {},
    actual: {},
    diff: '- status: delivered\n+ status: scheduled',
  },
  story: ['2030-01-01T12:00:00.000Z', '  POST /v1/transactions 201'],
  tookMs: 41.3,
}

describe.runIf(hasBrowser('the pages of deliveries and knobs'))(
  'in a browser',
  { timeout: PATIENCE_MS },
  () => {
    let browser: Browser
    let opened: (TestServer | Receiver)[] = []

    beforeAll(async () => {
      browser = await openBrowser()
    }, PATIENCE_MS)
    afterAll(() => browser.close(), PATIENCE_MS)
    afterEach(async () => {
      const closing = opened
      opened = []
      await Promise.all(browser.contexts().map((context) => context.close()))
      await Promise.all(closing.map((each) => each.close()))
      const defects = closing.flatMap((each) => ('defects' in each ? each.defects : []))
      if (defects.length > 0) throw new AggregateError(defects, 'the sandbox reported defects')
    }, PATIENCE_MS)

    /** A server with a receiver that gives its answers in order. */
    async function shop(...answers: ReceiverAnswer[]): Promise<{ server: TestServer; receiver: Receiver }> {
      const [server, receiver] = [await openServer(), await openReceiver(...answers)]
      opened.push(server, receiver)
      return { server, receiver }
    }

    /** A paid transaction whose webhook goes to a receiver. */
    async function pay(server: TestServer, receiver: Receiver): Promise<void> {
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    }

    const at = (server: TestServer, path: string): string => `${server.url}/_sandbox/ui${path}`
    const gotOrder = ({ received }: Receiver): unknown[] =>
      received.map(({ headers }) => headers['x-service-delivery'])

    test('a webhook fails twice and arrives, and the page follows without being loaded again', async () => {
      const { server, receiver } = await shop(503, 500)
      const { page, complaints } = await visit(browser, at(server, '/deliveries'))
      await page.getByText('None yet.').waitFor()
      await page.evaluate('globalThis.sameDocument = true')
      await pay(server, receiver)
      await page.locator('tbody tr').getByText('503').waitFor()
      await server.control('POST', '/clock/advance', { by: '2s' })
      await page.locator('tbody tr').getByText('500').waitFor()
      await server.control('POST', '/clock/advance', { by: '4s' })
      await page.locator('tbody tr').getByText('delivered').waitFor()
      expect(await page.evaluate('globalThis.sameDocument')).toBe(true)
      await page.locator('tbody tr a').first().click()
      await page.locator('#attempt-2').waitFor()
      expect(await page.locator('.attempts .chip').allTextContents()).toEqual([
        ...['503', 'signature holds'],
        ...['500', 'signature holds'],
        ...['204', 'signature holds'],
      ])
      await page.locator('#request-2 summary').click()
      await page.getByText('X-Service-Attempt: 3').first().waitFor()
      expect(complaints).toEqual([])
    })

    test('a delivery is sent once more and copied as a command', async () => {
      const { server, receiver } = await shop()
      await pay(server, receiver)
      await server.control('POST', '/settle')
      const { page } = await visit(browser, at(server, '/deliveries'), {
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await page.locator('tbody tr a').first().click()
      await page.getByRole('button', { name: 'Resend' }).click()
      await page.locator('#attempt-1 .chip.good').first().waitFor()
      await page.getByRole('button', { name: 'Send a duplicate' }).click()
      await page.locator('#attempt-2 .chip.good').first().waitFor()
      expect(receiver.received).toHaveLength(3)
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await page.getByText('Copied.').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -i 'http/)
    })

    /** A page with two deliveries that are held, and their ids, oldest first. */
    async function held(): Promise<{ server: TestServer; receiver: Receiver; page: Page; ids: string[] }> {
      const { server, receiver } = await shop()
      const { page } = await visit(browser, at(server, '/deliveries'))
      await page.getByRole('button', { name: 'Hold all' }).click()
      await page.getByText('Every new delivery is held.').waitFor()
      await pay(server, receiver)
      await pay(server, receiver)
      await page.locator('#held li').nth(1).waitFor()
      expect(receiver.received).toEqual([])
      return { server, receiver, page, ids: Object.keys(server.world.state.deliveries) }
    }

    async function releaseInOrder(page: Page): Promise<void> {
      await page.getByRole('button', { name: 'Release in this order' }).click()
      await page.getByText('Nothing is held.').waitFor()
    }

    test('two held deliveries are released in reverse order by keys', async () => {
      const { server, receiver, page, ids } = await held()
      await page
        .getByRole('button', { name: /^Move .* up$/ })
        .last()
        .focus()
      await page.keyboard.press('Enter')
      await page.getByText(/is now 1 of 2\./).waitFor()
      // The focus stays with the row that moved.
      expect(await page.evaluate('document.activeElement.id')).toBe(`down-${ids[1]}`)
      // Something happens elsewhere: the order that was chosen stays.
      await server.call('GET', '/v1/balance')
      await pay(server, receiver)
      await page.locator('#held li').nth(2).waitFor()
      expect(await page.locator('#held li').first().getAttribute('data-id')).toBe(ids[1])
      await releaseInOrder(page)
      expect(gotOrder(receiver).slice(0, 2)).toEqual([ids[1], ids[0]])
    })

    test('two held deliveries are released in reverse order by drag', async () => {
      const { receiver, page, ids } = await held()
      const middle = async (which: number): Promise<{ x: number; y: number }> => {
        const box = await page.locator('#held .handle').nth(which).boundingBox()
        return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
      }
      const [from, to] = [await middle(1), await middle(0)]
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(to.x, to.y - 8, { steps: 6 })
      await page.mouse.up()
      await page.getByText(/is now 1 of 2\./).waitFor()
      await releaseInOrder(page)
      expect(gotOrder(receiver)).toEqual([ids[1], ids[0]])
    })

    test('a fault is switched on and off, and the tail shows whom it befell', async () => {
      const { server } = await shop()
      const { page } = await visit(browser, at(server, '/faults'))
      await page.locator('#fault-refuse summary').first().click()
      const form = page.locator('#arm-refuse')
      await form.getByLabel('Operation').selectOption('getBalance')
      await form.getByLabel('code').selectOption('internal_error')
      await form.getByLabel('Times').fill('5')
      await form.getByRole('button', { name: 'Arm' }).click()
      await page.locator('#armed tbody tr').getByText('0 of 5').waitFor()
      expect((await server.call('GET', '/v1/balance')).status).toBe(500)
      await page.locator('#armed tbody tr').getByText('1 of 5').waitFor()
      await page.locator('#armed').getByRole('button', { name: 'Clear', exact: true }).click()
      await page.getByText('No fault is armed').waitFor()
      expect((await server.call('GET', '/v1/balance')).status).toBe(200)
      await page.goto(at(server, '/exchanges?refused=yes'))
      expect(await page.locator('tbody tr').count()).toBe(1)
      await server.call('POST', '/v1/transactions', { method: 'Pix', amout: 100 })
      await page.locator('tbody tr').nth(1).waitFor()
      await page.locator('tbody tr a').first().click()
      await page.getByText('The nearest accepted form').waitFor()
    })

    test('another alternative of a silence is chosen, and the default again', async () => {
      const { server } = await shop()
      const { page } = await visit(browser, at(server, '/silences'))
      const row = page.locator('#row-TX-02')
      await row.locator('summary').click()
      await row.locator('select').selectOption('200')
      await row.getByRole('button', { name: 'Choose' }).click()
      await row.getByText('changed').waitFor()
      expect(server.world.choices.overrides()).toEqual({ 'TX-02': 200 })
      await row.getByRole('button', { name: 'Back to 201' }).click()
      await row.getByText('changed').waitFor({ state: 'detached' })
      expect(server.world.choices.overrides()).toEqual({})
    })

    test('a scenario shows its steps, the line that failed, the difference and the story, all of it as text', async () => {
      const { server } = await shop()
      const { page, complaints } = await visit(browser, at(server, '/scenarios'))
      const sent: (string | null)[] = []
      await page.route('**/_sandbox/scenarios?*', (route) => {
        sent.push(route.request().postData())
        const events = [...PLAYED.steps.map((step) => ['step', step] as const), ['ended', PLAYED] as const]
        const body = [['begun', { name: PLAYED.name, world: 'w1' }] as const, ...events]
          .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          .join('')
        return route.fulfill({ contentType: 'text/event-stream', body })
      })
      expect(await page.getByRole('textbox').inputValue()).toBe(EXAMPLE_SCENARIO)
      await page
        .getByRole('textbox')
        .fill('name: mine\nsteps:\n  - settle\n  - settle\n  - expect: { <b>: 1 }\n')
      await page.getByRole('button', { name: 'Run' }).click()
      await page.locator('#outcome').getByText('The story so far').waitFor()
      expect(sent[0]).toContain('name: mine')
      const said = await page.locator('#outcome').innerText()
      expect(said).toContain('a payment <img src=x onerror=alert(1)>')
      expect(said).toContain('expect <b>delivery</b>')
      expect(said).toContain('  - expect: { <b>: 1 }')
      expect(await page.locator('#outcome .mark').allTextContents()).toEqual(['✓', '✗'])
      expect(await page.locator('#outcome .found').innerText()).toContain('+ status: scheduled')
      // An update of the page leaves the result where it is.
      await server.control('POST', '/clock/advance', { by: '1h' })
      await page.locator('#clock').getByText('13:00:00').waitFor()
      expect(await page.locator('#outcome .mark').count()).toBe(2)
      expect(complaints).toEqual([])
    })

    test('a scenario is watched while it plays: each step as it ends, and its world beside it', async () => {
      const { server } = await shop()
      const { page, complaints } = await visit(browser, at(server, '/scenarios'))
      const text = 'name: slow\nsteps:\n  - note: first\n  - note: second\n  - note: third\n'
      await page.getByRole('textbox').fill(text)
      // Long enough that nothing but leaving ends it.
      await page.route('**/_sandbox/scenarios?*', (route) =>
        route.continue({ url: `${server.url}/_sandbox/scenarios?pauseMs=10000` }),
      )
      await page.getByRole('button', { name: 'Run' }).click()
      await page.locator('#outcome .mark').first().waitFor()
      expect(await page.locator('#outcome .mark').allTextContents()).toEqual(['✓'])
      expect(await page.locator('#outcome').innerText()).toContain('Running')
      const address = await page.getByRole('link', { name: 'See its world' }).getAttribute('href')
      const { body } = await server.control('GET', '/worlds')
      const { id } = body.items.find((world: { id: string }) => world.id !== 'default')
      expect(address).toBe(`/_sandbox/worlds/${id}/ui`)
      expect(complaints).toEqual([])
    })

    test('a text that is no scenario is told with each of its problems', async () => {
      const { server } = await shop()
      const { page } = await visit(browser, at(server, '/scenarios'))
      const problems = [{ line: 2, column: 3, message: "Did you mean 'expect'?" }]
      const error = { code: 'sandbox_bad_scenario', message: 'The text is no scenario.', problems }
      await page.route('**/_sandbox/scenarios?*', (route) => route.fulfill({ status: 400, json: { error } }))
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('The text is no scenario.').waitFor()
      expect(await page.locator('#outcome .problems li').allTextContents()).toEqual([
        "2:3  Did you mean 'expect'?",
      ])
    })

    test.each([
      { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
      { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
      { colorScheme: 'light', viewport: PHONE },
      { colorScheme: 'dark', viewport: PHONE },
    ] as const)('axe-core finds nothing serious, and nothing is too wide: %j', async (look) => {
      const { server, receiver } = await shop(503)
      await pay(server, receiver)
      await server.control('POST', '/settle')
      await server.control('POST', '/deliveries/hold', {})
      await pay(server, receiver)
      await server.call('POST', '/v1/transactions', { method: 'Pix', amout: 100 })
      await server.control('POST', '/faults', { on: { delivery: {} }, do: { signature: 'damaged' } })
      await server.control('POST', '/rules', {
        when: { call: 'createTransaction' },
        do: { trigger: 'confirm' },
      })
      const [first] = Object.keys(server.world.state.deliveries)
      const last = server.world.exchanges.list().at(-1)?.id
      const paths = ['/deliveries', `/deliveries/${first}`, '/exchanges', `/exchanges/${last}`]
      const { page } = await visit(browser, at(server, ''), look)
      for (const path of [...paths, '/faults', '/silences', '/scenarios']) {
        await page.goto(at(server, path))
        for (const details of await page.locator('main details:not([name])').all()) {
          await details.evaluate((element) => element.setAttribute('open', ''))
        }
        expect([path, await seriousFindings(page), await sidewaysScroll(page)]).toEqual([path, [], 0])
      }
    })
  },
)
