// Owns the control routes of the server itself: health and what it is.
import { z } from 'zod'
import { route } from './route.ts'

const tag = 'Server'
const status = z.strictObject({ status: z.literal('ok') })

const livez = route({
  id: 'livez',
  method: 'GET',
  path: '/livez',
  scope: 'server',
  tag,
  summary: 'Says that the process answers',
  answer: status,
  open: true,
  handle: () => ({ status: 'ok' as const }),
})

const readyz = route({
  id: 'readyz',
  method: 'GET',
  path: '/readyz',
  scope: 'server',
  tag,
  summary: 'Says that the gateway takes calls',
  answer: status,
  open: true,
  handle: () => ({ status: 'ok' as const }),
})

const info = route({
  id: 'getInfo',
  method: 'GET',
  path: '/info',
  scope: 'server',
  tag,
  summary: 'Says what this server is',
  answer: z.strictObject({
    name: z.literal('gateway-sandbox'),
    version: z.string(),
    node: z.string(),
    url: z.url(),
    seed: z.string(),
    worlds: z.int(),
  }),
  handle: ({ server: { worlds, version } }) => ({
    name: 'gateway-sandbox' as const,
    version,
    node: process.version,
    url: worlds.host.publicUrl,
    seed: worlds.seed,
    worlds: worlds.list().length,
  }),
})

const reference = route({
  id: 'getControlReference',
  method: 'GET',
  path: '/openapi.json',
  scope: 'server',
  tag,
  summary: 'Describes the control API as OpenAPI 3.1',
  answer: z.record(z.string(), z.unknown()),
  handle: ({ server, c }) => c.json(server.reference()),
})

/** Control routes of the server itself. */
export const SERVER_ROUTES = [livez, readyz, info, reference]
