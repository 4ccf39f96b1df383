// Owns the whole app: gateway, control API, dashboard and reference documents behind one fetch function.
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { gatewayOpenApi } from './contract/openapi.ts'
import { stamp } from './domain/world.ts'
import { controlOpenApi } from './control/openapi.ts'
import { createControlApp } from './control/controlApp.ts'
import { createDashboard } from './dashboard/dashboardApp.ts'
import { createDocs } from './dashboard/docsApp.ts'
import { createPayApp } from './dashboard/payApp.ts'
import { createFiles } from './http/files.ts'
import { ConnectionReset } from './http/misanswer.ts'
import { answerDefect, answerUnknown, createGateway } from './http/gateway.ts'
import { createPlayer } from './plays.ts'
import type { Worlds } from './world/worlds.ts'

/** Version of this package. */
export const { version: VERSION } = createRequire(import.meta.url)('../package.json') as { version: string }

/** What the app needs besides its worlds. */
export interface AppOptions {
  /** Guards the control API and the dashboard when not null. */
  controlToken: string | null
  /** Aborted when the server ends: what it plays stops. */
  ending?: AbortSignal
}

/** The app of a server. Reachable without a socket through its `fetch`. */
export function createApp(
  worlds: Worlds,
  { controlToken, ending = new AbortController().signal }: AppOptions,
): Hono {
  const app = new Hono()
  const { host } = worlds
  const reference = (): { serverUrl: string; version: string } => ({
    serverUrl: host.publicUrl,
    version: VERSION,
  })
  const gatewayDocument = keptBy(
    () => host.publicUrl,
    () => gatewayOpenApi(reference()),
  )
  const controlDocument = keptBy(
    () => host.publicUrl,
    () => controlOpenApi(reference()),
  )
  app.use(async (c, next) => {
    await next()
    if (c.res.headers.has('X-Sandbox-Now')) return
    c.res.headers.set('X-Sandbox-World', worlds.default.id)
    c.res.headers.set('X-Sandbox-Now', stamp(worlds.default))
  })
  app.get('/openapi.json', (c) => c.json(gatewayDocument()))
  app.route('/', createPayApp(worlds))
  const documents = { gateway: gatewayDocument, control: controlDocument }
  app.route('/', createDocs({ worlds, controlToken, documents }))
  app.route('/', createDashboard({ worlds, controlToken }))
  const answer = async (request: Request): Promise<Response> => app.fetch(request)
  const playScenario = createPlayer({ host, answer, controlToken, ending })
  const control = { worlds, version: VERSION, controlToken, reference: controlDocument, playScenario }
  app.route('/', createControlApp(control))
  app.route('/', createGateway(worlds))
  app.route('/', createFiles(worlds))
  app.notFound((c) => answerUnknown(c, worlds))
  app.onError((error, c) => {
    if (error instanceof ConnectionReset) throw error
    host.report(error)
    return answerDefect(c, worlds)
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
