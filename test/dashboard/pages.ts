// Reads and posts to pages of a sandbox as a browser does, and says what no page may hold.
import { createApp } from '../../src/app.ts'
import type { Hono } from 'hono'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** A text that would run if any page took it for HTML. */
export const HOSTILE = `"'><img src=x onerror=alert(1)><script>alert(2)</script>\${3}{{4}}`

/** A page as answered; `body` is what it holds as JSON, null for anything else. */
interface PageAnswer extends Answered {
  text: string
}

/** Pages of a sandbox. */
export interface Pages {
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>
  /** Posts an object or list as JSON; a text is posted as a form of a browser without scripts. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<PageAnswer>
  /** The answer itself, for those that do not end. */
  raw(path: string): Promise<Response>
}

/** Pages of a sandbox, or of another app over its worlds. */
export function pagesOf(
  { worlds }: Pick<TestSandbox, 'worlds'>,
  app: Hono = createApp(worlds, { controlToken: null }),
): Pages {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(`http://sandbox.test${path}`, init)))
  const read = async (response: Response): Promise<PageAnswer> => {
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    }
  }
  return {
    get: async (path, headers = {}) => read(await ask(path, { headers })),
    async post(path, body, headers = {}) {
      const isForm = typeof body === 'string'
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
      const sent = {
        method: 'POST',
        headers: { 'Content-Type': type, ...headers },
        body: isForm ? body : JSON.stringify(body),
      }
      return read(await ask(path, sent))
    },
    raw: (path) => ask(path),
  }
}

/** Everything in a page that would run or look by itself: scripts without an address, handlers, styles. None may be there. */
export function inlineCode(text: string): string[] {
  const tags = text.match(/<[a-z][^<>]*>/gi) ?? []
  const names = tags.map((tag) => tag.replaceAll(/=\s*"[^"]*"|=\s*'[^']*'/g, '='))
  return names.filter((tag) => /^<script(?![^>]*\ssrc=)|^<style|\s(?:style|on\w+)\s*=/i.test(tag))
}
