// Checks that the sandbox keeps the contract as seen from outside, and that the suite which says so sees planted defects.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { START } from '../../support/sandbox.ts'
import { openServer } from '../../support/server.ts'
import { importsOf, scan } from '../../support/sourceText.ts'
import { openProxy } from './defectProxy.ts'
import { PUBLISHED_NAMES } from './names.ts'
import { clockOf, prepare } from './prepared.ts'
import { openReceiver } from './receiver.ts'
import { isOtherwise, reportToText, together, withoutSecrets } from './report.ts'
import { CHAPTER_NAMES, checkContract } from './run.ts'
import type { Found } from './check.ts'
import type { Defect, Returning } from './defectProxy.ts'
import type { Receiver } from './receiver.ts'
import type { Target } from './run.ts'

const KEYS = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' }
const PRODUCTION_KEYS = { publicKey: 'pk_production_default', secretKey: 'sk_production_default' }

let closing: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closing.map((close) => close()))
  closing = []
})

/** A receiver whose deliveries go through a proxy. */
async function behindProxy(receiver: Receiver, defect: Defect): Promise<Receiver> {
  const { origin } = new URL(receiver.hook().url)
  const proxy = await openProxy(origin, defect)
  closing.push(() => proxy.close())
  return {
    close: () => receiver.close(),
    hook(...statuses) {
      const hook = receiver.hook(...statuses)
      return { ...hook, url: hook.url.replace(origin, proxy.url) }
    },
  }
}

/** Aims the suite at a server of its own, through the proxies that plant defects. */
async function aim(
  defects: { calls?: Defect; deliveries?: Defect } = {},
  other: Partial<Target> = {},
): Promise<Found> {
  const server = await openServer()
  closing.push(() => server.close())
  const host = clockOf(server.url, START)
  const receiver = await openReceiver({ host, address: '127.0.0.1', port: 0, url: null })
  closing.push(() => receiver.close())
  const proxy = defects.calls ? await openProxy(server.url, defects.calls) : null
  if (proxy) closing.push(() => proxy.close())
  return checkContract({
    url: proxy?.url ?? server.url,
    keys: KEYS,
    environment: 'Sandbox',
    host,
    receiver: defects.deliveries ? await behindProxy(receiver, defects.deliveries) : receiver,
    names: PUBLISHED_NAMES,
    chapters: CHAPTER_NAMES,
    webhookPrefix: 'X-Service-',
    exhaustTokens: true,
    paceMs: 0,
    patienceS: 60,
    ...(await prepare(server.url)),
    ...other,
  })
}

/** What was not as it should be, in the words of the report: checks that differ, and silent points that are otherwise. */
function faults({ findings, observations }: Found): string[] {
  return [
    ...findings.filter(({ outcome }) => outcome === 'differs').map(({ check }) => check),
    ...observations.filter(isOtherwise).map(({ id, point }) => `${id} ${point}`),
  ]
}

function leftOut({ findings }: Found): string[] {
  return findings.filter(({ outcome }) => outcome === 'left out').map(({ check }) => check)
}

/** What nobody can check who has keys and a receiver only. */
const OUT_OF_REACH = [
  'a caller from an address that is not allowed is 403',
  'a switched-off credential is 401 invalid_credentials',
  'a token is refused after 3600 seconds',
  'a response without the permission disputes.write is 403',
  'a response to a closed or expired dispute is 400',
  'a response to a dispute that changes at the same time is 409',
  'payment.cancelled is told when it happens',
  'payment.partially_refunded is told when it happens',
  'payment.refund_requested is told when it happens',
]

/** What one check was told to expect and got; nothing when it did not differ. */
function difference(found: Found, check: string): string[] {
  const finding = found.findings.find((each) => each.check === check)
  return finding?.outcome === 'differs' ? [finding.expected, finding.got] : []
}

/** Changes the answers of one endpoint. */
function answersOf(method: string, path: RegExp, change: (returning: Returning) => void): Defect {
  return {
    back(returning) {
      if (returning.call.method === method && path.test(returning.call.path)) change(returning)
    },
  }
}

describe('the sandbox', () => {
  test('keeps every statement of the contract, and its own choices beside it', async () => {
    const found = together([
      await aim(),
      await aim({}, { keys: PRODUCTION_KEYS, environment: 'Production', dispute: null }),
    ])
    expect(faults(found), reportToText(found)).toEqual([])
    expect(leftOut(found)).toEqual(OUT_OF_REACH)
    expect(found.observations.filter(({ seen }) => seen === null)).toEqual([])
  })

  test('is left usable, and untouched where nothing was allowed', async () => {
    const careful = { dispute: null, splitCode: null, exhaustTokens: false, receiver: null }
    const found = await aim({}, careful)
    expect(faults(found)).toEqual([])
    const left = found.findings.flatMap((finding) =>
      finding.outcome === 'left out' && !OUT_OF_REACH.includes(finding.check) ? [finding.why] : [],
    )
    expect([...new Set(left)].toSorted()).toEqual([
      'it would use up the tokens of an hour; see --exhaust-tokens',
      'no open dispute was given; see --dispute',
      'no organisation to split to was given; see --split-code',
      'no receiver that the target can reach; see --receiver-host',
      'only with Production keys',
    ])
  })
})

const ENVELOPE = 'every answer is an envelope of data, message and error, and nothing else'
const FULL_VIEWS = [
  'a retrieval answers the full view and nothing else',
  'a retrieval in full answers the full view with texts and a customer',
  'a paid PIX answers the full view and nothing else',
]
const SIGNATURES = [
  'the signature of a payment event is HMAC-SHA256 with the payment id as key',
  ...['cancelled', 'completed', 'failed', 'rejected'].map(
    (status) => `the signature of cashout.${status} is HMAC-SHA256 with the cashout id as key`,
  ),
]

describe('the suite sees', () => {
  test('a wrong status', async () => {
    const found = await aim(
      {
        calls: answersOf('GET', /^\/v1\/balance/, (answer) => {
          if (answer.status === 401) Object.assign(answer, { status: 403 })
        }),
      },
      { chapters: ['balance'] },
    )
    const check = 'GET /v1/balance needs a token'
    expect(faults(found)).toEqual([check, 'GET /v1/balance refuses an invalid token'])
    expect(difference(found, check)).toEqual(['401 and unauthorized', '403 unauthorized'])
    expect(reportToText(found)).toContain(`DIFFERS   ${check}\n            expected 401 and unauthorized`)
  })

  test('a missing header of an answer', async () => {
    const found = await aim(
      {
        calls: answersOf('POST', /token$/, ({ headers }) => headers.delete('Retry-After')),
      },
      { chapters: ['tokenLimit'] },
    )
    expect(faults(found)).toEqual(['the 429 carries a Retry-After', 'AU-03 Retry-After'])
  })

  test('a missing header of a delivery', async () => {
    const found = await aim(
      {
        deliveries: { there: ({ headers }) => headers.delete('X-Service-Delivery') },
      },
      { chapters: ['webhooks'] },
    )
    expect(faults(found)).toEqual([
      'a delivery has the header Delivery',
      'the headers name event, delivery and the first attempt',
    ])
  })

  test('a field too many', async () => {
    const found = await aim(
      {
        calls: answersOf('GET', /^\/v1\/transactions\/[^?]/, ({ body }) => {
          if (body.data !== null) body.data.risk = 'low'
        }),
      },
      { chapters: ['transactions', 'simulation'] },
    )
    expect(faults(found)).toEqual(FULL_VIEWS)
    expect(difference(found, FULL_VIEWS[0] ?? '')[1]).toBe('data: Unrecognized key: "risk"')
  })

  test('an envelope without a message', async () => {
    const found = await aim(
      {
        calls: answersOf('GET', /^\/v1\/balance/, ({ body }) => delete body.message),
      },
      { chapters: ['balance'] },
    )
    expect(faults(found)).toEqual([
      ENVELOPE,
      'every failure has an error with message and code, and data and message are null',
    ])
    expect(difference(found, ENVELOPE)[1]).toContain('GET /v1/balance (200)')
  })

  test('a wrong signature', async () => {
    const found = await aim(
      {
        deliveries: {
          there: ({ headers }) => headers.set('X-Service-Signature', `sha256=${'0'.repeat(64)}`),
        },
      },
      { chapters: ['webhooks'] },
    )
    expect(faults(found)).toEqual([...SIGNATURES, 'WH-01 how the signature is written'])
  })

  test('a body that was changed after it was signed', async () => {
    const found = await aim(
      {
        deliveries: {
          there: (passing) =>
            Object.assign(passing, { body: Buffer.concat([passing.body, Buffer.from(' ')]) }),
        },
      },
      { chapters: ['webhooks'] },
    )
    expect(faults(found)).toEqual([...SIGNATURES, 'WH-01 how the signature is written'])
  })

  test('an amount as text', async () => {
    const found = await aim(
      {
        calls: answersOf('GET', /^\/v1\/balance/, ({ body }) => {
          if (body.data !== null) body.data.balance.available = String(body.data.balance.available)
        }),
      },
      { chapters: ['balance'] },
    )
    const check = 'the balance answers its fields in whole cents and nothing else'
    expect(faults(found)).toEqual([check])
    expect(difference(found, check)[1]).toContain('balance.available')
  })

  test('a missing field whose type is not shown', async () => {
    const found = await aim(
      {
        calls: answersOf('POST', /^\/v1\/transactions$/, ({ body }) => delete body.data?.boleto?.pdfUrl),
      },
      { chapters: ['methods'] },
    )
    expect(faults(found)).toEqual([
      'a boleto answers the creation view',
      'a boleto carries barcode, digitable line, PDF and due date, and neither pix nor card',
    ])
  })

  test('a list in the other order, where the contract is silent', async () => {
    const found = await aim(
      {
        calls: answersOf('GET', /^\/v1\/customers/, ({ body }) => {
          if (body.data !== null) body.data.items = body.data.items.toReversed()
        }),
      },
      { chapters: ['customers', 'cashouts'] },
    )
    expect(faults(found)).toEqual(['LI-02 order of a list'])
    expect(reportToText(found)).toContain('LI-02  order of a list: oldest first (the sandbox: newest first)')
  })

  test('another error code', async () => {
    const found = await aim(
      {
        calls: answersOf('POST', /simulate$/, ({ body }) => {
          if (body.error?.code === 'invalid_status') body.error.code = 'wrong_status'
        }),
      },
      { chapters: ['simulation'] },
    )
    expect(faults(found)).toEqual([
      'complete a second time is invalid_status',
      'complete after expire is invalid_status',
      'complete after fail is invalid_status',
      'complete after refund is invalid_status',
      'AU-05 complete a second time',
    ])
  })

  test('a refusal that does not come', async () => {
    const found = await aim(
      {
        calls: {
          there(passing) {
            const body = passing.body
              .toString()
              .replace('"amount":99,', '"amount":100,')
              .replace('"amount":99}', '"amount":100}')
            Object.assign(passing, { body: Buffer.from(body) })
          },
        },
      },
      { chapters: ['transactions'] },
    )
    expect(faults(found)).toEqual(['an amount of 99 is invalid_amount', 'AU-05 an amount of 99'])
  })

  test('deliveries that never come', async () => {
    const found = await aim(
      { deliveries: { there: (passing) => Object.assign(passing, { path: '/nowhere' }) } },
      { chapters: ['webhooks'] },
    )
    const check = 'a simulated payment is told to its callbackUrl by POST'
    expect(faults(found)).toContain(check)
    expect(difference(found, check)[1]).toContain('0 deliveries; can the target reach http://127.0.0.1:')
  })

  test('a failed delivery that is not tried again', async () => {
    const found = await aim(
      { deliveries: { back: (returning) => Object.assign(returning, { status: 204 }) } },
      { chapters: ['webhooks'] },
    )
    const check = 'a delivery that is not answered with 2xx is tried three times, numbered'
    expect(faults(found)).toContain(check)
    expect(difference(found, check)).toEqual(['delivery 2 within 15 s', '1 deliveries'])
  })

  test('a target that gives no token, and says so once', async () => {
    const found = await aim({}, { keys: { ...KEYS, secretKey: 'sk_sandbox_wrong' } })
    expect(faults(found)).toContain('a key pair with grantType client_credentials gives a token')
    expect(found.findings.at(-5)).toMatchObject({ check: 'the other chapters', why: 'no token could be had' })
  })
})

describe('a run', () => {
  test('leaves out what needs a hidden name that nobody told', async () => {
    const found = await aim(
      {
        calls: {
          there: (passing) =>
            Object.assign(passing, {
              body: Buffer.from(passing.body.toString().replace('installments', 'parcelas')),
            }),
        },
      },
      { names: {}, chapters: ['methods'] },
    )
    expect(faults(found)).toEqual([])
    expect(leftOut(found)).toContain('a card charge in 13 installments is refused')
    expect(reportToText(found)).toContain('tell it with --name installments=...')
  })

  test('waits as a 429 asks before it calls again', async () => {
    let limited = 0
    const found = await aim(
      {
        calls: answersOf('GET', /^\/v1\/balance/, (answer) => {
          if (answer.status !== 200 || limited > 0) return
          limited += 1
          answer.headers.set('Retry-After', '7')
          const error = { message: 'Devagar.', code: 'rate_limit_exceeded' }
          Object.assign(answer, { status: 429, body: { data: null, message: null, error } })
        }),
      },
      { chapters: ['balance'] },
    )
    expect([limited, faults(found)]).toEqual([1, []])
  })

  test('tells no secret that an answer repeats', () => {
    expect(withoutSecrets('got sk_sandbox_1 and pk_sandbox_1', ['sk_sandbox_1', 'pk_sandbox_1', ''])).toBe(
      'got *** and ***',
    )
  })

  test('has no part of the sandbox in it', () => {
    const here = import.meta.dirname
    const paths = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    )
    const importers = paths.map((path) => ({
      path,
      modules: importsOf(scan({ path, text: readFileSync(join(here, path), 'utf8') })).map(({ specifier }) =>
        specifier.startsWith('.') ? posix.join('contract', posix.dirname(path), specifier) : specifier,
      ),
    }))
    const strangers = importers
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .flatMap(({ path, modules }) =>
        modules
          .filter((module) => !module.startsWith('contract/') && !/^(?:node:[\w/]+|zod|yaml)$/.test(module))
          .map((module) => `${path} imports ${module}`),
      )
    expect(paths).toContain('chapters/webhooks.ts')
    // The command keeps the figures of a run where those of all proofs are.
    expect(strangers).toEqual(['main.ts imports lastRuns.ts'])
    const waiting = importers.filter(({ modules }) => modules.includes('contract/hostTime.ts'))
    expect(waiting.map(({ path }) => path)).toEqual(['main.ts'])
  })
})
