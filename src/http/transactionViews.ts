// Owns what answers show of a transaction: on creation, on retrieval, in lists and on simulation.
import { digitableLine } from '../domain/boletoNumbers.ts'
import { documentOut } from './customers.ts'
import { slipLink } from './links.ts'
import { qrDataUri } from './qrPicture.ts'
import type { Customer, Transaction } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

function commonOut(transaction: Transaction) {
  return {
    id: transaction.id,
    externalId: transaction.externalId,
    method: transaction.method,
    amount: transaction.amount,
    fee: transaction.fee,
    netAmount: transaction.netAmount,
    currency: transaction.currency,
    status: transaction.status,
    description: transaction.description,
    environment: transaction.environment,
    expiresAt: transaction.expiresAt,
    createdAt: transaction.createdAt,
    completedAt: transaction.completedAt,
    customerId: transaction.customerId,
    splits: transaction.splits.map(({ splitCode, type, value, shareAmount }) => ({
      splitCode,
      type,
      value,
      shareAmount,
    })),
  }
}

function detailsOut(world: RunningWorld, { pix, card, boleto }: Transaction, qrCode: string | null) {
  return {
    pix: pix && {
      txId: pix.txId,
      copyAndPaste: pix.copyAndPaste,
      qrCode,
      expiresAt: pix.expiresAt,
      endToEndId: pix.endToEndId,
      payerName: pix.payerName,
      payerDocument: pix.payerDocument,
      payerBank: pix.payerBank,
    },
    card,
    boleto: boleto && boletoOut(world, boleto),
  }
}

/** Source: TX-15. */
function boletoOut(world: RunningWorld, boleto: NonNullable<Transaction['boleto']>) {
  const { barcode, dueDay, slip } = boleto
  const { dueDate, line } = world.choices.get('TX-15')
  return {
    barcode,
    digitableLine: digitableLine(barcode, line),
    pdfUrl: slipLink(world, slip),
    dueDate: dueDate === 'date' ? dueDay : `${dueDay}T00:00:00.000Z`,
  }
}

/** The creation view. */
export function createdView(world: RunningWorld, transaction: Transaction) {
  return { ...commonOut(transaction), ...detailsOut(world, transaction, null) }
}

/** The full view, with the QR picture. */
export function fullView(world: RunningWorld, transaction: Transaction) {
  const customer = customerOf(world, transaction)
  return {
    ...commonOut(transaction),
    ...detailsOut(world, transaction, pictureOf(world, transaction)),
    failureReason: transaction.failureReason,
    metadata: transaction.metadata,
    callbackUrl: transaction.callbackUrl,
    refundedAt: transaction.refundedAt,
    updatedAt: transaction.updatedAt,
    customer: customer && {
      id: customer.id,
      name: customer.name,
      email: customer.email,
      document: documentOut(world, customer.document),
      phone: customer.phone,
    },
  }
}

/** The view in lists: the creation view without pix, card and boleto, plus the customer. Source: TX-24. */
export function listView(world: RunningWorld, transaction: Transaction) {
  const customer = customerOf(world, transaction)
  return {
    ...commonOut(transaction),
    customer: customer && {
      id: customer.id,
      name: customer.name,
      email: customer.email,
      document: documentOut(world, customer.document),
    },
  }
}

function customerOf(world: RunningWorld, { customerId }: Transaction): Customer | null {
  return customerId === null ? null : (world.state.customers[customerId] ?? null)
}

/** The QR picture, made when it is first asked for and then kept. Source: TX-18. */
export function pictureOf(world: RunningWorld, transaction: Transaction): string | null {
  if (!transaction.pix) return null
  const known = world.pictures.get(transaction)
  if (known !== undefined) return known
  const made = qrDataUri(transaction.pix.copyAndPaste)
  world.pictures.set(transaction, made)
  return made
}
