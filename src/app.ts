// Owns the whole app: gateway, control API and reference documents behind one fetch function.
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { stamp } from './domain/world.ts'
import { createFiles } from './http/files.ts'
import { ConnectionReset } from './http/misanswer.ts'
import { answerDefect, answerUnknown, createGateway } from './http/gateway.ts'
import { lazy } from './kernel/lazy.ts'
import type { Context } from 'hono'
import type { Worlds } from './world/worlds.ts'

/** Version of this package. */
export const { version: VERSION } = createRequire(import.meta.url)('../package.json') as { version: string }

/** What the app needs besides its worlds. */
export interface AppOptions {
  /** Guards the control API when not null. */
  controlToken: string | null
}

/** The app of a server. Reachable without a socket through its `fetch`. */
export function createApp(worlds: Worlds, { controlToken }: AppOptions): Hono {
  const app = new Hono()
  const reference = (): { serverUrl: string; version: string } => ({
    serverUrl: worlds.host.publicUrl,
    version: VERSION,
  })
  const gatewayDocument = keptBy(
    () => worlds.host.publicUrl,
    async () => (await import('./contract/openapi.ts')).gatewayOpenApi(reference()),
  )
  const { keeper } = worlds.host
  if (keeper) {
    app.use(async (c, next) => {
      await next()
      // Whoever hears of something may rely on it; what is refused anyway tells nothing.
      if (c.res.status < 500) await keeper.written()
    })
  }
  // Only what no world answers: everything else says so itself, and looking into each answer would slow it down.
  for (const path of ['/openapi.json', '/.well-known/*', '/files/*']) {
    app.use(path, async (c, next) => {
      await next()
      if (c.res.headers.has('X-Sandbox-Now')) return
      c.res.headers.set('X-Sandbox-World', worlds.default.id)
      c.res.headers.set('X-Sandbox-Now', stamp(worlds.default))
    })
  }
  app.get('/openapi.json', async (c) => c.json(await gatewayDocument()))
  const control = lazy(() => loadControl(worlds, controlToken, reference))
  const toControl = async (c: Context): Promise<Response> =>
    (await control()).fetch(c.req.raw, c.env as object)
  app.all('/_sandbox/*', toControl)
  app.all('/_sandbox', toControl)
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

/** The control API, loaded at its first call: its schemas are half of what a start would have to wait for. */
async function loadControl(
  worlds: Worlds,
  controlToken: string | null,
  reference: () => { serverUrl: string; version: string },
): Promise<Hono> {
  const [{ createControlApp }, { controlOpenApi }] = await Promise.all([
    import('./control/controlApp.ts'),
    import('./control/openapi.ts'),
  ])
  const document = keptBy(
    () => worlds.host.publicUrl,
    () => controlOpenApi(reference()),
  )
  const app = createControlApp({ worlds, version: VERSION, controlToken, reference: document })
  app.onError((error) => {
    throw error
  })
  return app
}

/** A value that is made when first asked for, and made anew when its key changes. */
function keptBy<T>(key: () => string, make: () => T): () => T {
  let kept: { key: string; value: T } | null = null
  return () => {
    const now = key()
    if (kept?.key !== now) kept = { key: now, value: make() }
    return kept.value
  }
}
