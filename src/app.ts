// Owns the whole app: gateway, control API and reference documents behind one fetch function.
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { createControlApp } from './control/controlApp.ts'
import { answerDefect, answerUnknown, createGateway } from './http/gateway.ts'
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
  app.route('/', createControlApp({ worlds, version: VERSION, controlToken }))
  app.route('/', createGateway(worlds))
  app.notFound((c) => answerUnknown(c, worlds))
  app.onError((error, c) => {
    worlds.host.report(error)
    return answerDefect(c, worlds)
  })
  return app
}
