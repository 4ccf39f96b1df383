// What tests of the client do as a merchant: tokens and transactions over plain HTTP.
import type { SandboxWorld } from '../../src/index.ts'

/** Anything that has keys and an address. */
type Keys = Pick<SandboxWorld, 'publicKey' | 'secretKey' | 'fetch'>

/** Sends JSON to the gateway and answers the data of a success. */
export async function post(
  world: Pick<SandboxWorld, 'fetch'>,
  path: string,
  body: unknown,
  token?: string,
): Promise<Record<string, unknown>> {
  const response = await world.fetch(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as { data: Record<string, unknown> | null; error: unknown }
  if (data === null) throw new Error(`${path}: ${JSON.stringify(error)}`)
  return data
}

/** A token for the keys of a world. */
export async function tokenOf(world: Keys): Promise<string> {
  const { publicKey, secretKey } = world
  return String((await post(world, '/v1/auth/token', { publicKey, secretKey }))['accessToken'])
}

/** A fresh PIX transaction; answers its id. */
export async function sell(
  world: Keys,
  callbackUrl: string | null = null,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const token = await tokenOf(world)
  const made = await post(
    world,
    '/v1/transactions',
    { method: 'Pix', amount: 12_990, callbackUrl, ...fields },
    token,
  )
  return String(made['id'])
}

/** How the first attempt to send the webhook of a paid transaction ended. */
export async function attempted(world: SandboxWorld, callbackUrl: string) {
  const id = await sell(world, callbackUrl)
  await world.trigger(id, 'confirm')
  await world.settle()
  const [delivery] = await world.deliveries.list({ subject: id })
  return { url: delivery?.url, ...delivery?.attempts[0] }
}
