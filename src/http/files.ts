// Owns files that are served by link: slips of boletos and evidence of disputes, outside of `/_sandbox`.
import { Hono } from 'hono'
import { digitableLine } from '../domain/boletoNumbers.ts'
import { organizationOf } from '../domain/organizations.ts'
import { present } from '../kernel/assert.ts'
import { fromTimestamp } from '../kernel/time.ts'
import { sameSecret } from '../world/keys.ts'
import { renderSlip } from './boletoSlip.ts'
import { answerUnknown } from './gateway.ts'
import { signEvidence } from './links.ts'
import type { Context } from 'hono'
import type { Timestamp } from '../kernel/brands.ts'
import type { Evidence, Transaction } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { SlipData } from './boletoSlip.ts'

/** Serves the files of all worlds; an unknown, changed or expired link is `not_found`. */
export function createFiles(worlds: Worlds): Hono {
  const app = new Hono()
  app.get('/files/:world/slips/:name', (c) => {
    const world = worlds.get(c.req.param('world'))
    const transaction = world?.indexes.transactionBySlip.get(c.req.param('name').replace(/\.pdf$/, ''))
    if (!world || !transaction) return answerUnknown(c, worlds)
    return pdf(c, renderSlip(slipOf(world, transaction)))
  })
  app.get('/files/:world/evidence/:id', (c) => {
    const world = worlds.get(c.req.param('world'))
    const file = world && openEvidence(world, c)
    return file ? download(c, file.evidence, file.bytes) : answerUnknown(c, worlds)
  })
  return app
}

/** What the slip of a transaction shows. */
function slipOf(world: RunningWorld, transaction: Transaction): SlipData {
  const { boleto, customerId, payer, amount, createdAt, id, externalId } = transaction
  const known = present(boleto, 'a transaction with a slip is a boleto')
  const customer = customerId === null ? null : world.state.customers[customerId]
  return {
    barcode: known.barcode,
    line: digitableLine(known.barcode, 'formatted'),
    beneficiary: { name: organizationOf(world, transaction).name, document: null },
    payer: { name: customer?.name ?? payer.name ?? '', document: customer?.document ?? payer.document },
    amount,
    dueDay: known.dueDay,
    createdAt,
    documentNumber: externalId ?? id.slice(0, 8),
    instructions: known.instructions,
  }
}

/** The evidence that a link opens; null when the link was changed, has expired, or leads nowhere. */
function openEvidence(world: RunningWorld, c: Context): { evidence: Evidence; bytes: Uint8Array } | null {
  const id = c.req.param('id') ?? ''
  const { expires = '', signature = '' } = c.req.query()
  const expected = signEvidence(world, id, expires)
  if (!sameSecret(signature, expected) || fromTimestamp(expires as Timestamp) <= world.clock.now()) {
    return null
  }
  const evidence = world.indexes.evidenceById.get(id)
  const bytes = evidence && world.files.get(evidence.digest)
  return evidence && bytes ? { evidence, bytes } : null
}

function pdf(c: Context, bytes: Uint8Array): Response {
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': 'inline; filename="boleto.pdf"',
  })
}

/** Always as a download and never sniffed: a merchant's file is no page of ours. */
function download(c: Context, { fileName, contentType }: Evidence, bytes: Uint8Array): Response {
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeName(fileName)}`,
    'X-Content-Type-Options': 'nosniff',
  })
}

/** A file name in a header: percent-encoded, with the characters that encodeURIComponent leaves (RFC 8187). */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
