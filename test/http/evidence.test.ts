// Checks evidence of disputes: which files are taken, damaged uploads, file names, the link and its end, and where bytes are kept.
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { MAX_EVIDENCE_BYTES, MAX_EVIDENCES } from '../../src/contract/limits.ts'
import { begin, reach, trigger } from '../control/transactionSteps.ts'
import { START } from '../support/sandbox.ts'
import { advance, control, makeToken, NO_ID, outcome } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const PDF = Buffer.from('%PDF-1.7\n%%EOF\n')
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])
const BOUNDARY = 'edge-of-a-part'

/** Bytes of one kind, of a size. */
const sized = (size: number): Buffer => Buffer.concat([PDF, Buffer.alloc(size - PDF.length, 1)])

/** One part of a multipart body, as raw bytes. */
function part(disposition: string, content: Buffer | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

const END = Buffer.from(`--${BOUNDARY}--\r\n`)

/** A whole multipart body with one file, and a description when there is one. */
function form(content: Buffer, { name = 'proof.pdf', description = '' } = {}): Buffer {
  const parts = [part(`name="file"; filename="${name}"`, content)]
  if (description !== '') parts.push(part('name="description"', description))
  return Buffer.concat([...parts, END])
}

interface Case {
  sandbox: TestSandbox
  id: string
  /** Sends a body to the endpoint; multipart unless another type is named. */
  attach(body: Uint8Array | string, headers?: Record<string, string>, token?: string): Promise<Answered>
}

/** A sandbox with an open dispute. */
async function disputed(silences: Record<string, unknown> = {}): Promise<Case> {
  const sandbox = begin({ 'AU-13': 'off', ...silences })
  const { id: paymentId } = await reach(sandbox, [['confirm']])
  const { id } = await control(sandbox, 'POST', '/disputes', { paymentId })
  return {
    sandbox,
    id,
    attach: async (body, headers = {}, token) =>
      sandbox.send('POST', `/v1/disputes/${id}/evidences`, {
        token: token ?? (await sandbox.token()),
        headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
        body,
      }),
  }
}

/** Follows a link, as a browser would. */
const follow = async ({ worlds }: TestSandbox, url: string): Promise<Response> =>
  createApp(worlds, { controlToken: null }).fetch(new Request(url))

/** Bytes behind a link. */
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())

describe('a file', () => {
  // proves: endpoint addDisputeEvidence, row dispute Open addEvidence Open
  test.each([
    ['application/pdf', PDF, 'proof.pdf'],
    ['image/png', PNG, 'proof.png'],
    ['image/jpeg', JPEG, 'proof.jpg'],
    ['application/pdf', PDF, 'proof.exe'],
    ['image/png', PNG, 'proof.pdf'],
  ])('is taken as %s by its first bytes, whatever its name: %#', async (contentType, content, name) => {
    const { sandbox, id, attach } = await disputed()
    const { status, body } = await attach(form(content, { name, description: 'Comprovante.' }))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fileName: name,
      contentType,
      size: content.length,
      url: expect.stringContaining(`http://sandbox.test/files/default/evidence/${body.data.id}?`),
      expiresAt: '2030-01-01T12:15:00.000Z',
      description: 'Comprovante.',
      createdAt: START,
    })
    const response = await follow(sandbox, body.data.url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''proof/)
    expect((await bytesOf(response)).equals(content)).toBe(true)
    const { data } = (await sandbox.call('GET', `/v1/disputes/${id}`)).body
    expect(data).toMatchObject({ status: 'Open', evidencesCount: 1, evidences: [{ id: body.data.id }] })
    expect(data.events.at(-1)).toMatchObject({ type: 'EvidenceAdded', actorType: 'Merchant' })
  })

  test('has no description when none was sent', async () => {
    expect((await (await disputed()).attach(form(PDF))).body.data.description).toBeNull()
  })

  test.each([
    ['of another kind', form(Buffer.from('GIF89a...'))],
    ['of text that is called a pdf', form(Buffer.from('hello'))],
    ['whose magic bytes come late', form(Buffer.concat([Buffer.from(' '), PDF]))],
    ['cut within its magic bytes', form(PNG.subarray(0, 7))],
    ['that is empty', form(Buffer.alloc(0))],
    ['under another field', Buffer.concat([part('name="files"; filename="a.pdf"', PDF), END])],
    ['as a text field', Buffer.concat([part('name="file"', PDF), END])],
    ['that is not there', Buffer.concat([part('name="description"', 'x'), END])],
    ['with a description too long', form(PDF, { description: 'x'.repeat(501) })],
    ['without an end', form(PDF).subarray(0, -END.length)],
    ['without a part', END],
    ['in nothing', Buffer.alloc(0)],
    ['in noise', Buffer.from([0, 255, 1, 254])],
    [
      'behind another boundary',
      Buffer.from(form(PDF).toString('latin1').replaceAll(BOUNDARY, 'other'), 'latin1'),
    ],
  ])('%s is refused and not kept', async (_what, body) => {
    const { sandbox, id, attach } = await disputed()
    expect(outcome(await attach(body))).toBe('400 validation_error')
    expect(sandbox.world.files.size).toBe(0)
    expect(sandbox.world.state.disputes[id]).toMatchObject({ evidences: [], version: 1 })
    expect(sandbox.defects).toEqual([])
  })

  test.each([
    ['JSON', { 'Content-Type': 'application/json' }, JSON.stringify({ file: 'proof.pdf' })],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'file=proof.pdf'],
    ['the bytes alone', { 'Content-Type': 'application/pdf' }, PDF],
    ['no content type', { 'Content-Type': '' }, form(PDF)],
    ['a content type without a boundary', { 'Content-Type': 'multipart/form-data' }, form(PDF)],
  ])('sent as %s is refused', async (_what, headers, body) => {
    const { sandbox, attach } = await disputed()
    expect(outcome(await attach(body, headers))).toBe('400 validation_error')
    expect(sandbox.world.files.size).toBe(0)
  })

  // proves: limit MAX_EVIDENCE_BYTES
  test('of 10 MiB is taken, and a byte more is not, nor is a much larger body', async () => {
    const { sandbox, attach } = await disputed()
    expect(outcome(await attach(form(sized(MAX_EVIDENCE_BYTES))))).toBe('201')
    expect(outcome(await attach(form(sized(MAX_EVIDENCE_BYTES + 1))))).toBe('413 payload_too_large')
    expect(outcome(await attach(form(sized(MAX_EVIDENCE_BYTES + 200_000))))).toBe('413 payload_too_large')
    expect(sandbox.world.files.size).toBe(1)
  })

  // proves: limit MAX_EVIDENCES
  test(`is one of at most ${MAX_EVIDENCES}`, async () => {
    const { sandbox, id, attach } = await disputed()
    for (let count = 0; count < MAX_EVIDENCES; count++) expect((await attach(form(PDF))).status).toBe(201)
    expect(outcome(await attach(form(PNG)))).toBe('400 validation_error')
    expect(sandbox.world.state.disputes[id]?.evidences).toHaveLength(MAX_EVIDENCES)
    const { data } = (await sandbox.call('GET', `/v1/disputes/${id}`)).body
    expect(new Set(data.evidences.map(({ url }: { url: string }) => url)).size).toBe(MAX_EVIDENCES)
  })

  test('is the first one when two are sent', async () => {
    const { attach } = await disputed()
    const two = Buffer.concat([
      part('name="file"; filename="first.pdf"', PDF),
      part('name="file"; filename="second.png"', PNG),
      END,
    ])
    expect((await attach(two)).body.data).toMatchObject({
      fileName: 'first.pdf',
      contentType: 'application/pdf',
    })
  })

  test.each([
    ['a path', '../../etc/passwd', 'passwd'],
    ['a path of another system', 'C:\\\\docs\\\\proof.pdf', 'proof.pdf'],
    ['two dots', '..', 'file'],
    ['a slash at the end', 'docs/', 'file'],
    ['control characters', 'a\u0000b\u0007c\u001B[31m.pdf', 'abc[31m.pdf'],
    ['a line break, as browsers escape it', 'a%0D%0AX-Evil: 1.pdf', /^a.*X-Evil: 1\.pdf$/],
    ['letters of Portuguese', 'comprovação.pdf', 'comprovação.pdf'],
    ['quotes and semicolons', "it's; a (proof)*.pdf", "it's; a (proof)*.pdf"],
    ['more than 255 characters', `${'x'.repeat(300)}.pdf`, 'x'.repeat(255)],
    ['a character of two units across the limit', `${'x'.repeat(254)}😀.pdf`, /^x{254}/],
  ])('with a name that has %s is stored and served under a safe one', async (_what, name, expected) => {
    const { sandbox, attach } = await disputed()
    const { status, body } = await attach(form(PDF, { name }))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data.fileName).toMatch(expected instanceof RegExp ? expected : /./)
    expect(expected instanceof RegExp ? '' : body.data.fileName).toBe(
      expected instanceof RegExp ? '' : expected,
    )
    const response = await follow(sandbox, body.data.url)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-evil')).toBeNull()
    const disposition = response.headers.get('content-disposition') ?? ''
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(body.data.fileName)
    // RFC 8187 leaves these out of what may stand unescaped.
    expect(disposition.split("UTF-8''")[1]).not.toMatch(/['()*]/)
    expect(sandbox.defects).toEqual([])
  })
})

describe('attaching', () => {
  // proves: row dispute MerchantResponded addEvidence MerchantResponded
  test('goes on after a response, and does not change the status', async () => {
    const { sandbox, id, attach } = await disputed()
    await trigger(sandbox, id, 'respond', { text: 'x' })
    expect((await attach(form(PDF))).status).toBe(201)
    expect(sandbox.world.state.disputes[id]?.status).toBe('MerchantResponded')
  })

  test.each([
    ['UnderReview', 'review'],
    ['Expired', 'lapse'],
    ['Cancelled', 'cancel'],
  ])('is refused in status %s', async (_status, verb) => {
    const { sandbox, id, attach } = await disputed()
    await trigger(sandbox, id, verb)
    expect(outcome(await attach(form(PDF)))).toBe('400 dispute_closed')
    expect(sandbox.world.files.size).toBe(0)
  })

  test('ends with the deadline, also after a response', async () => {
    const { sandbox, id, attach } = await disputed()
    await trigger(sandbox, id, 'respond', { text: 'x' })
    await control(sandbox, 'POST', '/clock/advance', { to: '2030-01-08T11:59:59.999Z' })
    expect(outcome(await attach(form(PDF)))).toBe('201')
    await advance(sandbox, '1ms')
    expect(outcome(await attach(form(PDF)))).toBe('400 dispute_expired')
  })

  test('is refused with a tag of before', async () => {
    const { attach } = await disputed()
    expect(outcome(await attach(form(PDF), { 'If-Match': '"1"' }))).toBe('201')
    expect(outcome(await attach(form(PDF), { 'If-Match': '"1"' }))).toBe('409 conflict')
  })

  test('needs its permission, and a dispute of one’s own', async () => {
    const { sandbox, attach } = await disputed()
    const reader = await makeToken(sandbox, { permissions: ['disputes.read'] })
    expect(outcome(await attach(form(PDF), {}, reader))).toBe('403 forbidden')
    const { receiver } = await control(sandbox, 'GET', '/worlds/default')
    expect(outcome(await attach(form(PDF), {}, await sandbox.token(receiver.publicKey)))).toBe(
      '404 not_found',
    )
    expect(outcome(await attach(form(PDF), {}, await sandbox.token('pk_production_default')))).toBe(
      '404 not_found',
    )
    expect(sandbox.world.files.size).toBe(0)
  })

  test('to an unknown dispute is not found', async () => {
    const { sandbox } = await disputed()
    const answered = await sandbox.call('POST', `/v1/disputes/${NO_ID}/evidences`, form(PDF), {
      headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    })
    expect(outcome(answered)).toBe('404 not_found')
  })
})

describe('the link to a file', () => {
  // proves: limit EVIDENCE_LINK_MINUTES
  test('works until 15 minutes of world time have passed, and reading the dispute gives a new one', async () => {
    const { sandbox, id, attach } = await disputed()
    const { url } = (await attach(form(PDF))).body.data
    await advance(sandbox, '899999ms')
    expect((await follow(sandbox, url)).status).toBe(200)
    await advance(sandbox, '1ms')
    expect((await follow(sandbox, url)).status).toBe(404)
    const { data } = (await sandbox.call('GET', `/v1/disputes/${id}`)).body
    expect(data.evidences[0].expiresAt).toBe('2030-01-01T12:30:00.000Z')
    expect((await follow(sandbox, data.evidences[0].url)).status).toBe(200)
  })

  test.each([
    ['another signature', (url: string) => url.replace(/signature=./, 'signature=_')],
    ['a shorter signature', (url: string) => url.slice(0, -1)],
    ['a longer signature', (url: string) => `${url}0`],
    ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
    ['an empty signature', (url: string) => url.replace(/signature=.*/, 'signature=')],
    ['a later end', (url: string) => url.replace('2030-01-01', '2031-01-01')],
    ['no end', (url: string) => url.replace(/expires=[^&]*&/, '')],
    ['an end that is no instant', (url: string) => url.replace(/expires=[^&]*/, 'expires=never')],
    ['no query', (url: string) => url.replace(/\?.*/, '')],
    ['another file', (url: string) => url.replace(/evidence\/[^?]*/, `evidence/${NO_ID}`)],
    ['another world', (url: string) => url.replace('/default/', '/other/')],
    ['an unknown world', (url: string) => url.replace('/default/', '/none/')],
  ])('with %s leads nowhere', async (_what, change) => {
    const { sandbox, attach } = await disputed()
    await control(sandbox, 'POST', '/worlds', { id: 'other' })
    const { url } = (await attach(form(PDF))).body.data
    const response = await follow(sandbox, change(url))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ data: null, error: { code: 'not_found' } })
    expect(sandbox.defects).toEqual([])
  })

  test('of one file does not open another of the same dispute', async () => {
    const { sandbox, attach } = await disputed()
    const [first, second] = [(await attach(form(PDF))).body.data, (await attach(form(PNG))).body.data]
    expect((await follow(sandbox, first.url.replace(first.id, second.id))).status).toBe(404)
  })

  test('of a fork is its own: neither world opens the links of the other', async () => {
    const { sandbox, id, attach } = await disputed()
    const { url } = (await attach(form(PDF))).body.data
    const fork = await control(sandbox, 'POST', '/fork', { id: 'copy' })
    expect((await follow(sandbox, url.replace('/default/', '/copy/'))).status).toBe(404)
    const token = await sandbox.token(fork.publicKey, fork.secretKey)
    const { data } = (await sandbox.send('GET', `/v1/disputes/${id}`, { token })).body
    expect((await bytesOf(await follow(sandbox, data.evidences[0].url))).equals(PDF)).toBe(true)
    expect((await follow(sandbox, data.evidences[0].url.replace('/copy/', '/default/'))).status).toBe(404)
  })
})

test('the bytes of a file are neither in the state, nor in a snapshot, nor in the log', async () => {
  const { sandbox, attach } = await disputed()
  const mark = 'bytes-that-are-only-mine'
  await attach(form(Buffer.concat([PDF, Buffer.from(mark)])))
  await attach(form(Buffer.from(`no pdf ${mark}`)))
  await control(sandbox, 'PUT', '/snapshots/a')
  for (const path of ['/snapshots/a', '/exchanges', '/disputes', '/journal']) {
    const text = JSON.stringify(await control(sandbox, 'GET', path))
    expect(text).not.toContain(mark)
    expect(text).not.toContain(Buffer.from(mark).toString('base64').slice(4, -4))
  }
  expect(JSON.stringify(sandbox.world.state)).not.toContain(mark)
})

test('a snapshot that is put back has its files, and a reset leads to none', async () => {
  const { sandbox, attach } = await disputed()
  const { url } = (await attach(form(PDF))).body.data
  await control(sandbox, 'PUT', '/snapshots/a')
  await attach(form(PNG))
  await control(sandbox, 'POST', '/snapshots/a/restore')
  expect((await follow(sandbox, url)).status).toBe(200)
  await control(sandbox, 'POST', '/reset')
  expect((await follow(sandbox, url)).status).toBe(404)
  expect(sandbox.world.indexes.evidenceById.size).toBe(0)
})
