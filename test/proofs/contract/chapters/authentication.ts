// Owns the checks of authentication: the token, its refusals, and that everything else needs it.
import { at, inShort, isSuccess, retryAfterOf, textAt } from '../call.ts'
import { LeftOut } from '../check.ts'
import { demand, refused, sameAt, shaped, succeeded, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import type { Answer } from '../call.ts'
import type { Suite } from '../suite.ts'

/** An id that no record has. */
export const NO_ID = '5b2f3a52-6f0e-4d0b-9c51-0d8a3c7e91aa'
/** Source: contract, Limits. */
const TOKENS_PER_HOUR = 10

/** Every endpoint that needs a token, with a body that would do. */
const GUARDED: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/v1/transactions', { method: 'Pix', amount: 1_000 }],
  ['GET', `/v1/transactions/${NO_ID}`],
  ['POST', `/v1/transactions/${NO_ID}/simulate`, { action: 'complete' }],
  ['GET', '/v1/cashouts'],
  ['GET', '/v1/customers'],
  ['GET', '/v1/balance'],
  ['PUT', `/v1/disputes/${NO_ID}/response`, { text: 'text' }],
]

async function ask(suite: Suite, body: unknown): Promise<Answer> {
  return suite.gateway.call('POST', '/v1/auth/token', { token: null, body })
}

/** Checks tokens; gives the first one to the calls that follow. */
export async function authentication(suite: Suite): Promise<void> {
  const { book, gateway, keys, environment } = suite
  book.chapter('Authentication')
  const issued = await ask(suite, { ...keys, grantType: 'client_credentials' })
  if (isSuccess(issued)) gateway.useToken(textAt(issued, 'data.accessToken'))

  await book.holds('a key pair with grantType client_credentials gives a token', () => succeeded(issued))
  await book.holds('a token is answered as accessToken, tokenType, expiresIn and environment', () =>
    shaped('data', at(usable('token', issued).body, 'data'), shapes.token),
  )
  await book.holds('the access token is a JWT', () => {
    demand('three parts, the first two JSON', headOf(usable('token', issued)) !== null, 'another text')
  })
  await book.holds('the token lives 3600 seconds', () =>
    sameAt(usable('token', issued), 'data.expiresIn', 3_600),
  )
  await book.holds('the token is of type Bearer', () =>
    sameAt(usable('token', issued), 'data.tokenType', 'Bearer'),
  )
  await book.holds('the environment follows from the credentials', () =>
    sameAt(usable('token', issued), 'data.environment', environment),
  )
  await book.holds('keys of the sandbox begin with pk_sandbox_ and sk_sandbox_', () => {
    if (environment === 'Production') throw new LeftOut('the prefix of Production is not shown')
    // A key is not told, not even in part.
    const isPrefixed = keys.publicKey.startsWith('pk_sandbox_') && keys.secretKey.startsWith('sk_sandbox_')
    demand('these prefixes', isPrefixed, 'another prefix')
  })
  await refusals(suite)
  await guards(suite, issued)
  await book.observe('AU-09', 'algorithm of the JWT', 'HS256', () => {
    const head = headOf(usable('token', issued))
    return String(at(head, 'alg'))
  })
}

async function refusals(suite: Suite): Promise<void> {
  const { book, keys } = suite
  const { publicKey, secretKey } = keys
  const grantType = 'client_credentials'
  await book.holds('a token without a publicKey is validation_error', async () =>
    refused(await ask(suite, { secretKey, grantType }), { code: 'validation_error' }),
  )
  await book.holds('a token without a secretKey is validation_error', async () =>
    refused(await ask(suite, { publicKey, grantType }), { code: 'validation_error' }),
  )
  const wrong = { status: 401, code: 'invalid_credentials' }
  await book.holds('a wrong secret key is 401 invalid_credentials', async () =>
    refused(await ask(suite, { publicKey, secretKey: `${secretKey}x`, grantType }), wrong),
  )
  await book.holds('an unknown public key is 401 invalid_credentials', async () =>
    refused(await ask(suite, { publicKey: `${publicKey}x`, secretKey, grantType }), wrong),
  )
  await book.holds('a caller from an address that is not allowed is 403', () => {
    throw new LeftOut('a run calls from one address only')
  })
  await book.holds('a switched-off credential is 401 invalid_credentials', () => {
    throw new LeftOut('no keys that are switched off')
  })
  await book.holds('a token is refused after 3600 seconds', () => {
    throw new LeftOut('it would take an hour')
  })
  await book.observe('AU-01', 'a token without a grantType', '200', async () =>
    inShort(await ask(suite, { publicKey, secretKey })),
  )
}

async function guards({ book, gateway }: Suite, issued: Answer): Promise<void> {
  for (const [method, path, body] of GUARDED) {
    const place = `${method} ${path.replace(NO_ID, '{id}')}`
    // The codes of disputes are not shown.
    const stated = path.startsWith('/v1/disputes') ? { status: 401 } : { status: 401, code: 'unauthorized' }
    await book.holds(`${place} needs a token`, async () =>
      refused(await gateway.call(method, path, { token: null, body }), stated),
    )
    await book.holds(`${place} refuses an invalid token`, async () => {
      // The last part is the signature: all else of the token is right.
      const parts = textAt(usable('token', issued), 'data.accessToken').split('.')
      const forged = [...parts.slice(0, 2), Buffer.from('no signature').toString('base64url')].join('.')
      refused(await gateway.call(method, path, { token: forged, body }), stated)
    })
  }
}

/** Checks the limit of tokens; the last chapter, for no token is left after it. */
export async function tokenLimit(suite: Suite): Promise<void> {
  const { book, keys, given } = suite
  book.chapter('Limit of tokens')
  const body = { ...keys, grantType: 'client_credentials' }
  let limited: Answer | null = null
  if (given.exhaustTokens) {
    for (let asked = 0; asked <= TOKENS_PER_HOUR && limited === null; asked += 1) {
      const answer = await ask(suite, body)
      if (!isSuccess(answer)) limited = answer
    }
  }
  const exhausted = (): Answer => {
    if (!given.exhaustTokens) throw new LeftOut('it would use up the tokens of an hour; see --exhaust-tokens')
    demand('a refusal at the latest of the eleventh token', limited !== null, 'a token')
    return limited as unknown as Answer
  }
  await book.holds('an hour gives at most 10 tokens, then 429', () => refused(exhausted(), { status: 429 }))
  await book.holds('the code of the 429 is one of the two that the contract names', () => {
    const code = textAt(exhausted(), 'error.code')
    demand(
      'rate_limit_exceeded or auth_rate_limit_exceeded',
      ['rate_limit_exceeded', 'auth_rate_limit_exceeded'].includes(code),
      code,
    )
  })
  await book.holds('the 429 carries a Retry-After', () => {
    const header = exhausted().headers.get('Retry-After')
    demand('a header Retry-After', header !== null, 'none')
  })
  await book.observe('AU-02', 'code of the 429', 'rate_limit_exceeded', () =>
    textAt(exhausted(), 'error.code'),
  )
  await book.observe('AU-03', 'Retry-After', 'whole seconds', () => {
    const seconds = retryAfterOf(exhausted())
    return Number.isInteger(seconds) ? 'whole seconds' : 'something else'
  })
}

/** The header of the JWT; null when it is none. */
function headOf(issued: Answer): unknown {
  const parts = textAt(issued, 'data.accessToken').split('.')
  try {
    const [head] = parts
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown)
    return parts.length === 3 ? head : null
  } catch {
    return null
  }
}
