// Drives Debian's Chromium for tests of pages, and lets axe-core judge what it shows.
import axeCore from 'axe-core'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openServer } from '../support/server.ts'
import { BROWSER } from '../support/tools.ts'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { TestServer } from '../support/server.ts'

/** Host milliseconds that a test with a browser may take. */
export const PATIENCE_MS = 60_000

/** Width of a phone, with a usual height. */
export const PHONE = { width: 390, height: 844 }

/** Names that lead to this machine, as a name server may say: one that is not its own, and one that is. */
export const [STRANGE_NAME, OWN_NAME] = ['strange.com', 'gateway.test'] as const

/** The browser, which asks nobody for anything. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-gpu',
      '--no-first-run',
      `--host-resolver-rules=${[STRANGE_NAME, OWN_NAME].map((name) => `MAP ${name} 127.0.0.1`).join()}`,
    ],
  })
}

/** What tests of pages share. */
export interface Stage {
  browser: Browser
  server: TestServer
}

/** A browser and a server for all tests of a `describe`; they are there once its tests run. */
export function openStage(): Stage {
  const stage = {} as Stage
  beforeAll(async () => {
    stage.server = await openServer()
    stage.browser = await openBrowser()
  }, PATIENCE_MS)
  afterAll(async () => {
    await stage.browser.close()
    await stage.server.close()
  }, PATIENCE_MS)
  return stage
}

/** Opens the form of an operation of the API pages and sends it as it is; what is shown of the answer is in `.result`. */
export async function sendTrial(page: Page, operation: string): Promise<Locator> {
  const form = page.locator(`#${operation}-try`)
  if (!(await form.isVisible())) await page.locator(`#${operation} .try > summary`).click()
  await form.getByRole('button', { name: 'Send' }).click()
  return form
}

/** A page with its complaints: what it threw, and what its policy refused. */
export interface Visit {
  page: Page
  complaints: string[]
}

/** Opens an address in a fresh context. */
export async function visit(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
  await page.goto(address)
  return { page, complaints }
}

/** An address of a server of this machine under another name. */
export function under(name: string, address: string): string {
  const url = new URL(address)
  url.hostname = name
  return url.href
}

/** What axe-core finds serious or critical, as `rule: place`. It is evaluated, since the policy of pages bars other scripts. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeCore.source)
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; impact: string; nodes: { target: unknown[] }[] }[] }>
      }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      at: nodes.map((node) => String(node.target)),
    }))
  })
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, at }) => `${id}: ${at.join(' ')}`)
}

/** How far a page can be scrolled sideways, in picture elements: none on a page that fits. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; clientWidth: number } }
    }
    return document.documentElement.scrollWidth - document.documentElement.clientWidth
  })
}
