// Owns the checks of `doctor` on keys: none of production belongs here. Prints no more of a key than its kind.
import { fine, note, problem } from './finding.ts'
import { counted } from './print.ts'
import type { RouteAnswer } from '../client/call.ts'
import type { Connection } from './connect.ts'
import type { Finding } from './finding.ts'

/** Exchanges that are looked at, the newest. */
const LOOKED_AT = 1_000
/** How keys of production begin, here and with other gateways. */
const PRODUCTION = /^(?:pk|sk)_(?:production|prod|live)_/i

const INSTEAD =
  'give the app the keys of the sandbox (pk_sandbox_..., sk_sandbox_...), as SANDBOX_PUBLIC_KEY and SANDBOX_SECRET_KEY'

type Exchange = RouteAnswer<'GET /exchanges'>['items'][number]

/** The kind of a production key, such as `pk_live_`; null for anything else. */
function productionKind(value: unknown): string | null {
  return typeof value === 'string' ? (PRODUCTION.exec(value)?.[0] ?? null) : null
}

/** Variables of the environment that hold a key of production. */
export function checkEnvironment(environment: NodeJS.ProcessEnv): Finding[] {
  const found = Object.entries(environment).flatMap(([name, value]) => {
    const kind = productionKind(value)
    return kind === null ? [] : [problem('keys', `${name} holds a production key (${kind}...): ${INSTEAD}`)]
  })
  return found.length > 0 ? found : [fine('keys', 'no variable here holds a production key')]
}

/** Calls of the gateway that were made with keys of production. */
export async function checkCalls({ caller, world }: Connection): Promise<Finding[]> {
  const { items } = await caller.send(world, 'GET /exchanges', { query: { limit: LOOKED_AT } })
  if (items.length === 0) return [note('calls', `nobody has called the gateway of world '${world}' yet`)]
  const made = items.filter((exchange) => keyOf(exchange) !== null || exchange.code === 'sandbox_only')
  const [latest] = made
  if (latest === undefined) return [fine('calls', `none of the latest ${items.length} used a production key`)]
  const refused = made.filter(({ code }) => code === 'sandbox_only' || code === 'invalid_credentials').length
  const used = `${counted(made.length, 'call')} used a production key (${keyOf(latest) ?? 'pk_production_'}...)`
  return [problem('calls', `${used}${refused === 0 ? '' : `, ${refused} refused for it`}: ${INSTEAD}`)]
}

/** The kind of production key that a call was made with or asked a token for; null for none. */
function keyOf({ publicKey, request }: Exchange): string | null {
  const body: unknown = request.body
  const asked = typeof body === 'object' && body !== null && 'publicKey' in body ? body.publicKey : null
  return productionKind(publicKey) ?? productionKind(asked)
}
