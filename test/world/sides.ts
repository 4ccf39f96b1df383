// Owns worlds as tests see them: each through its own keys and its own control routes.
import { expect } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

/** One world of a server, seen through its own keys. */
export interface Side {
  /** What its creation answered. */
  made: Answered['body']
  token: string
  /** Calls the gateway with its token. */
  call: TestServer['call']
  /** Calls the control routes of the world. */
  control: TestServer['control']
}

/** A world that was made, with a token of its own. */
export async function sideOf(server: TestServer, made: Answered['body']): Promise<Side> {
  const token = await server.token(made.publicKey, made.secretKey)
  return {
    made,
    token,
    call: (method, path, body) => server.send(method, path, { token, body }),
    control: (method, path, body) => server.control(method, `/worlds/${made.id}${path}`, body),
  }
}

/** Makes a world. */
export async function makeSide(server: TestServer, settings: Record<string, unknown> = {}): Promise<Side> {
  const { status, body } = await server.control('POST', '/worlds', settings)
  expect(status).toBe(201)
  return sideOf(server, body)
}

/** A disputed payment with one file as evidence; answers the path of the dispute. */
export async function addEvidence(server: TestServer): Promise<string> {
  const { id } = await createPix(server)
  await server.control('POST', '/trigger', { on: id, do: 'confirm' })
  const { status, body: dispute } = await server.control('POST', '/disputes', { paymentId: id })
  expect(status, JSON.stringify(dispute)).toBe(201)
  const path = `/v1/disputes/${dispute.id}`
  const form = [
    '--edge',
    'Content-Disposition: form-data; name="file"; filename="proof.pdf"',
    'Content-Type: application/pdf',
    '',
    '%PDF-1.4 proof',
    '--edge--',
    '',
  ].join('\r\n')
  const headers = { 'Content-Type': 'multipart/form-data; boundary=edge' }
  const added = await server.call('POST', `${path}/evidences`, form, { headers })
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  return path
}

/** What the link of the one evidence of a dispute leads to. */
export async function readEvidence(call: TestServer['call'], path: string): Promise<string> {
  const { body } = await call('GET', path)
  const response = await globalThis.fetch(body.data.evidences[0].url)
  return response.text()
}
