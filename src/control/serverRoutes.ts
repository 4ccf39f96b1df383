// Owns the control routes of the server itself: health and what it is.
import { z } from 'zod'
import { VARIATION_NAMES } from '../contract/variations.ts'
import { checkPublicUrl } from '../world/hostOptions.ts'
import { route } from './route.ts'
import type { ControlServer } from './route.ts'

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

const infoAnswer = z
  .strictObject({
    name: z.literal('gateway-sandbox'),
    version: z.string(),
    node: z.string(),
    url: z.url().meta({ description: 'the address that links and inboxes name' }),
    seed: z.string(),
    worlds: z.int(),
    container: z.boolean().meta({ description: 'whether it runs in the image' }),
    vary: z
      .strictObject({ seed: z.string(), names: z.array(z.enum(VARIATION_NAMES)) })
      .nullable()
      .meta({ description: 'what it varies on purpose' }),
    rewriteLocalhost: z
      .string()
      .nullable()
      .meta({ description: 'host that takes the place of localhost in callback addresses' }),
    callbackAllow: z
      .array(z.string())
      .nullable()
      .meta({ description: 'the only receivers that webhooks are sent to; null for all' }),
  })
  .meta({ id: 'Info' })

function infoOut({ worlds, version }: ControlServer): z.input<typeof infoAnswer> {
  const { host, seed } = worlds
  return {
    name: 'gateway-sandbox',
    version,
    node: process.version,
    url: host.publicUrl,
    seed,
    worlds: worlds.list().length,
    container: host.container,
    vary: host.variation,
    rewriteLocalhost: host.rewriteLocalhost,
    callbackAllow: host.callbackAllow?.map(({ text }) => text) ?? null,
  }
}

const info = route({
  id: 'getInfo',
  method: 'GET',
  path: '/info',
  scope: 'server',
  tag,
  summary: 'Says what this server is',
  answer: infoAnswer,
  handle: ({ server }) => infoOut(server),
})

const changeInfo = route({
  id: 'changeInfo',
  method: 'PATCH',
  path: '/info',
  scope: 'server',
  tag,
  summary: 'Tells the server under which address others reach it, as only they know of a mapped port',
  body: z.strictObject({ url: z.string() }),
  answer: infoAnswer,
  handle({ server, body: { url } }) {
    const { host } = server.worlds
    host.publicUrl = checkPublicUrl(url)
    return infoOut(server)
  },
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
export const SERVER_ROUTES = [livez, readyz, info, changeInfo, reference]
