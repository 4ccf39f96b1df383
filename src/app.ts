// Owns the whole app behind one fetch function: the gateway at once, and what the sandbox adds to it at its first call.
import { Hono } from 'hono'
import { createFiles } from './http/files.ts'
import { ConnectionReset } from './http/misanswer.ts'
import { answerDefect, answerUnknown, createGateway } from './http/gateway.ts'
import { lazy } from './kernel/lazy.ts'
import { sayWhere } from './sayWhere.ts'
import type { Context } from 'hono'
import type { Worlds } from './world/worlds.ts'

/** What the app needs besides its worlds. */
export interface AppOptions {
  /** Guards the control API and the dashboard when not null. */
  controlToken: string | null
  /** Aborted when the server ends: what it plays stops. */
  ending?: AbortSignal
}

/** Paths of what the sandbox adds to the gateway: control API, dashboard, pay page and reference. */
const ADDED_PATHS = ['/', '/_sandbox', '/_sandbox/*', '/docs', '/docs/*', '/openapi.json']

/** The app of a server. Reachable without a socket through its `fetch`. */
export function createApp(
  worlds: Worlds,
  { controlToken, ending = new AbortController().signal }: AppOptions,
): Hono {
  const app = new Hono()
  const { keeper } = worlds.host
  if (keeper) {
    app.use(async (c, next) => {
      await next()
      // Whoever hears of something may rely on it; what is refused anyway tells nothing.
      if (c.res.status < 500) await keeper.written()
    })
  }
  // Only what no world answers: everything else says so itself, and looking into each answer would slow it down.
  for (const path of ['/.well-known/*', '/files/*']) app.use(path, sayWhere(worlds))
  const answer = async (request: Request): Promise<Response> => app.fetch(request)
  // Loaded when it is first asked for: its schemas and pages are more than half of what a start would have to wait for.
  const added = lazy(async () => {
    const { createAddedApp } = await import('./addedApp.ts')
    return createAddedApp(worlds, { controlToken, ending, answer })
  })
  const toAdded = async (c: Context): Promise<Response> => (await added()).fetch(c.req.raw, c.env as object)
  for (const path of ADDED_PATHS) app.all(path, toAdded)
  app.route('/', createGateway(worlds))
  app.route('/', createFiles(worlds))
  app.notFound((c) => answerUnknown(c, worlds))
  app.onError((error, c) => {
    if (error instanceof ConnectionReset) throw error
    worlds.host.report(error)
    return answerDefect(c, worlds)
  })
  return app
}
