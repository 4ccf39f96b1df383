// Owns the checks of disputes: what is reached without one, and the whole of it where the run may respond to one.
import { at, inShort, isSuccess, listAt, textAt } from '../call.ts'
import { LeftOut, once } from '../check.ts'
import { demand, refused, same, sameAt, shaped, succeeded, usable } from '../demands.ts'
import * as shapes from '../shapes.ts'
import { NO_ID } from './authentication.ts'
import type { Answer } from '../call.ts'
import type { Suite } from '../suite.ts'

/** The bytes of the smallest file that says it is a PDF. */
const FILE = Buffer.from('%PDF-1.4\n%%EOF\n')

/** What no run can bring about, and why. */
const OUT_OF_REACH = [
  ['a response without the permission disputes.write is 403', 'the keys are taken as they are'],
  ['a response to a closed or expired dispute is 400', 'a merchant cannot close a dispute'],
  ['a response to a dispute that changes at the same time is 409', 'how to bring that about is not shown'],
] as const

/** Checks responses to disputes, and evidences. */
export async function disputes(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  book.chapter('Disputes')
  await book.holds('a response to an unknown dispute is 404', async () => {
    const answer = await gateway.call('PUT', `/v1/disputes/${NO_ID}/response`, { body: { text: 'text' } })
    refused(answer, { status: 404 })
  })
  for (const [check, why] of OUT_OF_REACH) {
    await book.holds(check, () => {
      throw new LeftOut(why)
    })
  }
  await responses(suite)
  await evidences(suite)
  await book.observe('DI-01', 'GET /v1/disputes', '200', async () =>
    inShort(await gateway.call('GET', '/v1/disputes')),
  )
  await book.observe('DI-07', 'code of an unknown dispute', '404 not_found', async () =>
    inShort(await gateway.call('PUT', `/v1/disputes/${NO_ID}/response`, { body: { text: 'text' } })),
  )
}

function disputeOf({ given }: Suite): string {
  if (given.dispute === null) throw new LeftOut('no open dispute was given; see --dispute')
  return given.dispute
}

async function responses(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  const respond = (body: unknown): Promise<Answer> =>
    gateway.call('PUT', `/v1/disputes/${disputeOf(suite)}/response`, { body })
  const first = once(() => respond({ text: 'first text' }))
  await book.holds('a response to an open dispute is 200', async () => {
    demand('200', (await first()).status === 200, inShort(await first()))
  })
  await book.holds('a response answers the detail of the dispute and nothing else', async () =>
    shaped('data', at(usable('response', await first()).body, 'data'), shapes.disputeDetail),
  )
  await book.holds('a dispute keeps the response, and when it came', async () => {
    const answer = usable('response', await first())
    sameAt(answer, 'data.id', disputeOf(suite))
    sameAt(answer, 'data.responseText', 'first text')
    sameAt(answer, 'data.hasResponse', true)
    demand('respondedAt', textAt(answer, 'data.respondedAt') !== '', 'none')
  })
  await book.holds('the response stands in the history of the dispute', async () => {
    const types = listAt(usable('response', await first()), 'data.events').map((event) => at(event, 'type'))
    demand('an event MerchantResponded', types.includes('MerchantResponded'), types)
  })
  await book.holds('a second response replaces the text', async () => {
    usable('response', await first())
    const answer = await respond({ text: 'second text' })
    succeeded(answer)
    sameAt(answer, 'data.responseText', 'second text')
  })
  await book.holds('a response of 5000 characters is taken', async () =>
    succeeded(await respond({ text: 'x'.repeat(5_000) })),
  )
  await book.holds('a response of 5001 characters is 400', async () =>
    refused(await respond({ text: 'x'.repeat(5_001) }), { status: 400 }),
  )
  await book.holds('a response without a text is 400', async () =>
    refused(await respond({}), { status: 400 }),
  )
  await book.observe('DI-02', 'status after a response', 'MerchantResponded', async () =>
    textAt(usable('response', await first()), 'data.status'),
  )
}

async function evidences(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  const upload = once(() => {
    const form = new FormData()
    form.set('file', new Blob([FILE], { type: 'application/pdf' }), 'receipt.pdf')
    form.set('description', 'Comprovante')
    return gateway.call('POST', `/v1/disputes/${disputeOf(suite)}/evidences`, { body: form })
  })
  const attached = once(async () => {
    const answer = await upload()
    if (!isSuccess(answer)) {
      throw new LeftOut(`the endpoint of evidences is not shown, and the guess answered ${inShort(answer)}`)
    }
    const body = { text: 'with a file' }
    return usable(
      'response',
      await gateway.call('PUT', `/v1/disputes/${disputeOf(suite)}/response`, { body }),
    )
  })
  await book.holds(
    'an attached file is counted and listed with the eight fields of an evidence',
    async () => {
      const answer = await attached()
      shaped('data', at(answer.body, 'data'), shapes.disputeDetail)
      const files = listAt(answer, 'data.evidences')
      same('evidencesCount', at(answer.body, 'data.evidencesCount'), files.length)
      demand('an evidence', files.length > 0, files.length)
    },
  )
  await book.holds('an evidence says name, type, size and description of its file', async () => {
    const file = listAt(await attached(), 'data.evidences').at(-1)
    same(
      'file',
      ['fileName', 'contentType', 'size', 'description'].map((name) => at(file, name)),
      ['receipt.pdf', 'application/pdf', FILE.length, 'Comprovante'],
    )
  })
  await book.holds('the link of an evidence leads to its file', async () => {
    const file = listAt(await attached(), 'data.evidences').at(-1)
    const response = await fetch(String(at(file, 'url')))
    const bytes = Buffer.from(await response.arrayBuffer())
    demand('the bytes that were sent', bytes.equals(FILE), `${response.status}, ${bytes.length} bytes`)
  })
  await book.observe('DI-06', 'POST /v1/disputes/{id}/evidences', '201', async () => inShort(await upload()))
}
