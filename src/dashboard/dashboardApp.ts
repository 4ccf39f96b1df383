// Owns the dashboard as an app: who may see it, in which language and theme, in which world, and the headers of every page.
import { Hono } from 'hono'
import { stamp } from '../domain/world.ts'
import { readBody } from '../http/body.ts'
import { keepToken, mayControl } from '../http/controlToken.ts'
import { sameSecret } from '../world/keys.ts'
import { planWake, runDue } from '../world/run.ts'
import { createAssets } from './assets.ts'
import { missing, pageOf, signInPage, UI_BASE } from './layout.ts'
import { choose, cleanAddress, page, settingsOf } from './pageAnswer.ts'
import { PAGES } from './pages.ts'
import { createReads } from './reads.ts'
import type { Context } from 'hono'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { PageRow, View } from './page.ts'
import type { Reads } from './reads.ts'

/** What the dashboard needs of the server. */
interface DashboardOptions {
  worlds: Worlds
  /** Guards every page when not null. */
  controlToken: string | null
}

/** Bytes of a form that signs in. */
const MAX_FORM_BYTES = 8_192

/** The dashboard: `/` leads to it, `/_sandbox/ui` is the default world's, and each world has its own. */
export function createDashboard(options: DashboardOptions): Hono {
  const app = new Hono()
  const reads = createReads()
  const asset = createAssets()
  const show = (c: Context, row: PageRow | null): Promise<Response> => respond(c, options, reads, row)

  app.get('/', (c) => c.redirect(`${UI_BASE}${new URL(c.req.url).search}`))
  app.get(`${UI_BASE}/assets/:name`, async (c) => {
    const found = await asset(c.req.param('name'))
    if (!found) return c.notFound()
    const headers = { 'Content-Type': found.type, ETag: found.etag, 'Cache-Control': 'no-cache' }
    const isKnown = c.req.header('if-none-match') === found.etag
    return isKnown ? c.body(null, 304, headers) : c.body(found.text, 200, headers)
  })
  app.post(`${UI_BASE}/sign-in`, (c) => signIn(c, options))
  app.get(`${UI_BASE}/world`, (c) => {
    const id = c.req.query('id') ?? ''
    return c.redirect(baseOf(options.worlds, id))
  })
  for (const base of [UI_BASE, '/_sandbox/worlds/:world/ui']) {
    for (const row of PAGES) app.get(base + row.path, (c) => show(c, row))
    app.get(`${base}/*`, (c) => show(c, null))
  }
  return app
}

/** The address of a world's overview. */
function baseOf(worlds: Worlds, id: string): string {
  return id === worlds.default.id ? UI_BASE : `/_sandbox/worlds/${encodeURIComponent(id)}/ui`
}

async function respond(
  c: Context,
  { worlds, controlToken }: DashboardOptions,
  reads: Reads,
  row: PageRow | null,
): Promise<Response> {
  const { token } = c.req.query()
  const isTold = token !== undefined && controlToken !== null && sameSecret(token, controlToken)
  if (isTold) keepToken(c, token)
  if (!isTold && !mayControl(c, controlToken)) {
    return page(c, 401, signInPage(settingsOf(c), cleanAddress(c), token !== undefined))
  }
  if (choose(c) || token !== undefined) return c.redirect(cleanAddress(c))
  const id = c.req.param('world')
  const named = id === undefined ? worlds.default : worlds.get(id)
  const world = named ?? worlds.default
  const { status, body } = world.clock.pin(() => {
    runDue(world)
    const view = viewOf(c, worlds, world, reads)
    const shown = named && row ? row.show(view, c.req.param()) : null
    const why = row ? 'noRecord' : 'noPage'
    return {
      status: shown ? (200 as const) : (404 as const),
      body: pageOf(view, PAGES, shown ?? missing(view, named ? why : 'noWorld')),
    }
  })
  planWake(world)
  c.header('X-Sandbox-World', world.id)
  c.header('X-Sandbox-Now', stamp(world))
  return page(c, status, body)
}

function viewOf(c: Context, worlds: Worlds, world: RunningWorld, reads: Reads): View {
  const base = baseOf(worlds, world.id)
  return {
    ...settingsOf(c),
    worlds,
    world,
    reads,
    base,
    control: base.slice(0, -'/ui'.length),
    path: c.req.path.replace(/^\/_sandbox\/(?:worlds\/[^/]+\/)?ui/, ''),
    query: c.req.query(),
  }
}

/** Takes the control token from the form that asks for it. */
async function signIn(c: Context, { controlToken }: DashboardOptions): Promise<Response> {
  const body = await readBody(c.req.raw, MAX_FORM_BYTES)
  const form = new URLSearchParams(typeof body === 'string' ? '' : new TextDecoder().decode(body))
  const [token, back] = [form.get('token'), form.get('back') ?? '']
  const address = /^\/_sandbox\/(?!\/)/.test(back) ? back : UI_BASE
  if (controlToken === null) return c.redirect(address, 303)
  if (token === null || !sameSecret(token, controlToken)) {
    return page(c, 401, signInPage(settingsOf(c), address, true))
  }
  keepToken(c, token)
  return c.redirect(address, 303)
}
