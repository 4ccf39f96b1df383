// Owns the API pages as an app: which operations they show, and what their forms begin with.
import { Hono } from 'hono'
import { examplesOf, newestFor } from './docsExamples.ts'
import { DOCS_PATHS, docsMissing, docsPage } from './docsPage.ts'
import { listedWorlds } from './layout.ts'
import { choose, cleanAddress, page, settingsOf, withoutSlash } from './pageAnswer.ts'
import { askToken, isSignedIn, signInAddress } from './signIn.ts'
import type { Context } from 'hono'
import type { OpenApiDocument, OpenApiOperation } from '../contract/openapiDocument.ts'
import type { KeyPair } from '../world/keys.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Shared, Shown, Trial } from './docsShapes.ts'
import type { DocsView } from './docsPage.ts'
import type { Html } from './page.ts'
import type { Language } from './words.ts'

/** What the API pages need of the server. */
export interface DocsOptions {
  worlds: Worlds
  /** Guards keys, worlds and ids when not null; what an interface looks like is no secret. */
  controlToken: string | null
  documents: Readonly<Record<DocsView['which'], () => OpenApiDocument>>
}

/** Where the documents themselves are. */
const DOCUMENT_PATHS = { gateway: '/openapi.json', control: '/_sandbox/openapi.json' } as const
/** Operations whose answer never ends. */
const ENDLESS: ReadonlySet<string> = new Set(['streamEvents'])
/** Marks the operation that stands for a route of a named world. */
const NAMED_WORLD = 'InWorld'

/** The pages of both interfaces: `/docs` and `/docs/control`. */
export function createDocs(options: DocsOptions): Hono {
  const app = new Hono()
  const keepers = { en: createKeeper(), pt: createKeeper() }
  for (const which of ['gateway', 'control'] as const) {
    app.get(DOCS_PATHS[which], (c) => show(c, options, which, keepers))
    app.get(`${DOCS_PATHS[which]}/`, withoutSlash)
  }
  return app
}

async function show(
  c: Context,
  options: DocsOptions,
  which: DocsView['which'],
  keepers: Keepers,
): Promise<Response> {
  const { worlds, documents } = options
  const mayKnow = isSignedIn(c, options)
  const isTold = c.req.query('token') !== undefined
  if (isTold && !mayKnow) return askToken(c)
  if (choose(c) || isTold) return c.redirect(cleanAddress(c))
  const settings = settingsOf(c)
  const id = c.req.query('world') ?? ''
  const world = id === '' || !mayKnow ? worlds.default : worlds.get(id)
  if (!world) return page(c, 404, docsMissing(settings, which))
  const keys = mayKnow ? world.origin.keys.sandbox : null
  const document = documents[which]()
  const body = docsPage({
    ...settings,
    kept: keepers[settings.language],
    base: DOCS_PATHS[which],
    path: '',
    query: c.req.query(),
    which,
    document,
    documentPath: DOCUMENT_PATHS[which],
    operations:
      which === 'gateway'
        ? gatewayOperations(document, world, keys)
        : controlOperations(document, worlds, world),
    world: world.id,
    worlds: mayKnow ? listedWorlds({ world, worlds }) : [],
    keys,
    signIn: mayKnow ? null : signInAddress(c),
  })
  return page(c, 200, body)
}

type Keepers = Readonly<Record<Language, Shared['kept']>>

/** Remembers what is said of each operation, for as long as there is its document. */
function createKeeper(): Shared['kept'] {
  const known = new WeakMap<OpenApiOperation, Html>()
  return (operation, make) => {
    const made = known.get(operation) ?? make()
    known.set(operation, made)
    return made
  }
}

interface Found {
  method: string
  path: string
  operation: OpenApiOperation
}

function operationsOf({ paths }: OpenApiDocument): Found[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function gatewayOperations(document: OpenApiDocument, world: RunningWorld, keys: KeyPair | null): Shown[] {
  const examples: Readonly<Record<string, Trial['examples']>> = examplesOf(world, keys)
  const operations = operationsOf(document).map((found): Shown => {
    const { operationId } = found.operation
    const known = knownIn(found, world, keys)
    return {
      ...found,
      id: operationId,
      name: operationId,
      trial: { path: found.path, examples: examples[operationId] ?? [], known },
    }
  })
  const webhooks = Object.entries(document.webhooks ?? {}).flatMap(([name, { post: operation }]): Shown[] =>
    operation
      ? [{ id: operation.operationId, name, method: 'POST', path: name, operation, trial: null }]
      : [],
  )
  return [...operations, ...webhooks]
}

/** The ids that fill in a path: of the newest records that the operation would take. */
function knownIn({ path, operation }: Found, world: RunningWorld, keys: KeyPair | null): Trial['known'] {
  const kind = (['transactions', 'customers', 'cashouts', 'disputes'] as const).find((each) =>
    path.includes(`/${each}/{`),
  )
  const id = kind && keys && newestFor(world, keys, operation.operationId, kind)
  const names = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => name)
  return typeof id === 'string' ? Object.fromEntries(names.map((name) => [name, id])) : {}
}

/** Routes of a world are shown once, as those of the default world, and called in the chosen one. */
function controlOperations(document: OpenApiDocument, worlds: Worlds, world: RunningWorld): Shown[] {
  const found = operationsOf(document)
  const inWorld = new Map(
    found.flatMap(({ path, operation: { operationId } }) =>
      operationId.endsWith(NAMED_WORLD) ? [[operationId.slice(0, -NAMED_WORLD.length), path] as const] : [],
    ),
  )
  return found
    .filter(({ operation }) => !operation.operationId.endsWith(NAMED_WORLD))
    .map((each): Shown => {
      const { operationId } = each.operation
      const named = world === worlds.default ? undefined : inWorld.get(operationId)
      const path = named?.replace('{world}', encodeURIComponent(world.id)) ?? each.path
      const trial = ENDLESS.has(operationId) ? null : { path, examples: [], known: {} }
      return { ...each, id: operationId, name: operationId, trial }
    })
}
