// Owns the checks of what every answer has in common, made over all answers of the run.
import { at, inShort, isSuccess } from '../call.ts'
import { demand, shaped } from '../demands.ts'
import { envelope as envelopeShape } from '../shapes.ts'
import { NO_ID } from './authentication.ts'
import { pixOf } from '../suite.ts'
import { Differs, LeftOut } from '../check.ts'
import type { Answer } from '../call.ts'
import type { Suite } from '../suite.ts'

/** How many calls are named that broke one rule. */
const MAX_NAMED = 3

/** Checks the envelope; the last but one chapter, so that it sees every answer. */
export async function envelope({ book, gateway }: Suite): Promise<void> {
  book.chapter('Envelope')
  const all = gateway.answers.filter(({ call }) => call.includes('/v1/'))
  const good = all.filter(isSuccess)
  const bad = all.filter((answer) => !isSuccess(answer))

  await book.holds('every answer is an envelope of data, message and error, and nothing else', () =>
    each(all, ({ body }) => shaped('envelope', body, envelopeShape)),
  )
  await book.holds('every answer says that it is JSON', () =>
    each(all, ({ headers }) => {
      const type = headers.get('Content-Type') ?? 'none'
      demand('Content-Type application/json', type.startsWith('application/json'), type)
    }),
  )
  await book.holds('every success has data and no error', () =>
    each(good, ({ body }) => {
      demand('data', at(body, 'data') !== null, 'null')
      demand('error null', at(body, 'error') === null, at(body, 'error'))
    }),
  )
  await book.holds('every failure has an error with message and code, and data and message are null', () =>
    each(bad, (answer) => {
      const { body } = answer
      demand('data null', at(body, 'data') === null, at(body, 'data'))
      demand('message null', at(body, 'message') === null, at(body, 'message'))
      demand('a code', typeof at(body, 'error.code') === 'string', inShort(answer))
      demand('an error message', typeof at(body, 'error.message') === 'string', 'none')
    }),
  )
}

/** Makes one demand on every answer, and names the calls that do not meet it. */
function each(answers: readonly Answer[], ask: (answer: Answer) => void): void {
  if (answers.length === 0) throw new LeftOut('there was no such answer')
  const broken = new Map<string, Differs>()
  for (const answer of answers) {
    try {
      ask(answer)
    } catch (error) {
      if (!(error instanceof Differs)) throw error
      broken.set(`${answer.call.replaceAll(/[0-9a-f-]{36}/g, '{id}')} (${answer.status})`, error)
    }
  }
  const [first] = broken.values()
  if (!first) return
  const calls = [...broken.keys()]
  const more = calls.length > MAX_NAMED ? ` and ${calls.length - MAX_NAMED} more` : ''
  throw new Differs(first.expected, `${first.got} at ${calls.slice(0, MAX_NAMED).join(', ')}${more}`)
}

/** Looks at calls that no chapter of the contract describes. */
export async function strayCalls({ book, gateway, environment }: Suite): Promise<void> {
  book.chapter('Stray calls')
  const { call } = gateway
  await book.observe('ER-01', 'status of not_found', '404', async () => {
    const { status } = await call('GET', `/v1/transactions/${NO_ID}`)
    return String(status)
  })
  await book.observe('ER-02', 'an unknown path', '404 not_found', async () =>
    inShort(await call('GET', '/v1/nothing-here')),
  )
  await book.observe('ER-02', 'a wrong method', '405 method_not_allowed', async () =>
    inShort(await call('DELETE', '/v1/balance')),
  )
  await book.observe('ER-02', 'a body that is no JSON', '400 validation_error', async () =>
    inShort(await call('POST', '/v1/transactions', { body: '{"method":' })),
  )
  await book.observe('ER-03', 'no token and a bad body', '401 unauthorized', async () =>
    inShort(await call('POST', '/v1/transactions', { token: null, body: pixOf({ amount: 1 }) })),
  )
  await book.observe('ER-03', 'an unknown id and a bad body', '404 not_found', async () => {
    if (environment === 'Production') throw new LeftOut('simulations are for Sandbox keys')
    return inShort(await call('POST', `/v1/transactions/${NO_ID}/simulate`, { body: { action: 'no such' } }))
  })
  await book.observe('ER-04', 'GET /health without a token', '200', async () =>
    inShort(await call('GET', '/health', { token: null })),
  )
}
