// Owns everything that a running sandbox shows of a world: the answers of its control API, its pages, its stream, its files.
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { recordScenario } from '../../src/index.ts'
import type { Sandbox } from '../../src/index.ts'

/** One thing that can be read, such as `GET /exchanges` or `page /_sandbox/ui`. */
export interface Output {
  name: string
  text: string
}

/** Where a sandbox is, and the token that opens it. */
export interface Place {
  url: string
  controlToken: string
}

/** Most pages that are read; a world of a test has far fewer. */
const MAX_PAGES = 600

/** Sends a request with the control token. */
export async function ask(
  { url, controlToken }: Place,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${controlToken}`,
    'Content-Type': 'application/json',
    ...init.headers,
  }
  return fetch(url + path, { ...init, headers })
}

/** The status, headers and body of an answer as one text. */
export async function wholeOf(response: Response): Promise<string> {
  const headers = [...response.headers].map((pair) => pair.join(': ')).join('\n')
  return `${response.status}\n${headers}\n\n${await response.text()}`
}

/** Reads the stream of events from now on; `end` answers all that came. */
export async function listen(place: Place, base: string): Promise<{ end(): Promise<string> }> {
  const leave = new AbortController()
  const { body } = await ask(place, `${base}/events`, { signal: leave.signal })
  let text = ''
  const read = (async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
  })().catch(() => undefined)
  return {
    async end() {
      leave.abort()
      await read
      return text
    },
  }
}

/** Every reading route of the control API, with each id that its list names. */
export async function controlOutputs(place: Place, world: string): Promise<Output[]> {
  const outputs: Output[] = []
  const read = async (name: string, path: string): Promise<string> => {
    const text = await wholeOf(await ask(place, `/_sandbox${path}`))
    outputs.push({ name, text })
    return text
  }
  const rows = CONTROL_ROUTES.filter(({ method, id }) => method === 'GET' && id !== 'streamEvents')
  for (const { path, scope } of rows) {
    const base = scope === 'world' ? `/worlds/${world}` : ''
    const [list = '', parameter] = path.split('/{')
    if (parameter === undefined) {
      await read(`GET ${path}`, `${base}${path}${path.endsWith('s') ? '?limit=1000' : ''}`)
      continue
    }
    const items = await idsOf(place, list === '/explain' ? `${base}/transactions` : base + list)
    for (const id of items) {
      await read(`GET ${path}`, `${base}${list}/${encodeURIComponent(id)}${path.split('}')[1] ?? ''}`)
    }
  }
  return outputs
}

async function idsOf(place: Place, list: string): Promise<string[]> {
  const { items } = (await (await ask(place, `/_sandbox${list}?limit=1000`)).json()) as {
    items: Record<string, unknown>[]
  }
  return items.map((item) => String(item['id'] ?? item['publicKey'] ?? item['name']))
}

/** Every page that the pages lead to, from the overview of a world on. */
export async function pageOutputs(place: Place, world: string): Promise<Output[]> {
  const first = `/_sandbox/worlds/${world}/ui`
  const waiting = [first]
  const seen = new Set(waiting)
  const outputs: Output[] = []
  for (let path = waiting.shift(); path !== undefined && outputs.length < MAX_PAGES; path = waiting.shift()) {
    const response = await ask(place, path, { redirect: 'manual' })
    const text = await wholeOf(response)
    outputs.push({ name: `page ${path}`, text })
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const { pathname, search, origin } = new URL(link.replaceAll('&amp;', '&'), place.url + path)
      const next = pathname + search
      // Other languages and themes show the same, and streams do not end.
      const isOurs = origin === new URL(place.url).origin && !/[?&](?:lang|theme)=|\/events$/.test(next)
      if (!isOurs || seen.has(next)) continue
      seen.add(next)
      waiting.push(next)
    }
  }
  return outputs
}

/** What was done to a world, as a scenario file and as what the recorder says is missing. */
export async function recordingOf(world: Sandbox): Promise<Output[]> {
  const told: string[] = []
  const text = await recordScenario(world, { warn: (line) => told.push(line) })
  return [
    { name: 'recording', text },
    { name: 'recording, missing', text: told.join('\n') },
  ]
}
