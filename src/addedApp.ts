// Owns what the sandbox adds to the gateway, as one app: control API, dashboard, pay page and reference documents.
import { Hono } from 'hono'
import { gatewayOpenApi } from './contract/openapi.ts'
import { createControlApp } from './control/controlApp.ts'
import { controlOpenApi } from './control/openapi.ts'
import { createDashboard } from './dashboard/dashboardApp.ts'
import { createDocs } from './dashboard/docsApp.ts'
import { createPayApp } from './dashboard/payApp.ts'
import { refuseStrangers } from './dashboard/strangers.ts'
import { answerUnknown } from './http/gateway.ts'
import { createPlayer } from './plays.ts'
import { sayWhere } from './sayWhere.ts'
import { PACKAGE } from './version.ts'
import type { Transport } from './client/call.ts'
import type { Worlds } from './world/worlds.ts'

/** What the added app needs besides its worlds. */
interface AddedOptions {
  controlToken: string | null
  ending: AbortSignal
  /** Answers as the whole app does. */
  answer: Transport
}

/** What the sandbox adds to the gateway. What it throws is for the whole app. */
export function createAddedApp(worlds: Worlds, { controlToken, ending, answer }: AddedOptions): Hono {
  const app = new Hono()
  const { host } = worlds
  const reference = (): { serverUrl: string; version: string } => ({
    serverUrl: host.publicUrl,
    version: PACKAGE.version,
  })
  const gateway = keptBy(
    () => host.publicUrl,
    () => gatewayOpenApi(reference()),
  )
  const control = keptBy(
    () => host.publicUrl,
    () => controlOpenApi(reference()),
  )
  app.use(sayWhere(worlds))
  app.use(refuseStrangers(() => host.publicUrl))
  app.get('/openapi.json', (c) => c.json(gateway()))
  app.route('/', createPayApp(worlds))
  app.route('/', createDocs({ worlds, controlToken, documents: { gateway, control } }))
  app.route('/', createDashboard({ worlds, controlToken }))
  const playScenario = createPlayer({ host, answer, controlToken, ending })
  app.route(
    '/',
    createControlApp({ worlds, version: PACKAGE.version, controlToken, reference: control, playScenario }),
  )
  app.notFound((c) => answerUnknown(c, worlds))
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
