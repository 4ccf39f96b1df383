// Reads pages of the dashboard as a browser without a script would: by their addresses, with cookies, as text.
import { createApp } from '../../src/app.ts'
import { openSandbox } from '../support/sandbox.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** A page as answered. */
export interface Page {
  status: number
  headers: Headers
  text: string
}

/** A sandbox whose pages tests read. */
export interface Pages extends TestSandbox {
  /** Sends any request, to this sandbox unless a whole address is given; answers the text of its answer, redirects included. */
  fetch(path: string, init?: RequestInit): Promise<Page>
  /** A page below the overview of the default world. */
  page(path: string, headers?: Record<string, string>): Promise<Page>
}

/** Opens a sandbox without a socket for its pages. */
export function openPages(options: { clock?: string; controlToken?: string } = {}): Pages {
  const sandbox = openSandbox(options)
  const app = createApp(sandbox.worlds, { controlToken: options.controlToken ?? null })
  const fetch = async (path: string, init: RequestInit = {}): Promise<Page> => {
    const address = new URL(path, 'http://sandbox.test')
    const response = await app.fetch(new Request(address, { redirect: 'manual', ...init }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { ...sandbox, fetch, page: (path, headers = {}) => fetch(`/_sandbox/ui${path}`, { headers }) }
}

/** The text of a page without its tags, spaces made one. */
export function wordsIn({ text }: Page): string {
  const plain = text
    .replaceAll(/<(?:script|style)\b.*?<\/(?:script|style)>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
  return plain.replaceAll(/\s+/g, ' ')
}
