// What a merchant writes against the types of the package. It is compiled here with the sources, and by package.test.ts with
// the packed types, as an ES module and as CommonJS.
import { connectSandbox, SandboxError, startSandbox, verifySignature } from '../../src/index.ts'
import type { Sandbox, SandboxWorld, Webhook, WebhookHeaders } from '../../src/index.ts'

/** A test of a merchant, from the start of the sandbox to its end. */
export async function takePayment(): Promise<boolean> {
  await using sandbox: Sandbox = await startSandbox({ clock: new Date(0), seed: 'shop' })
  await using world: SandboxWorld = await sandbox.world({ silences: { 'TX-03': 15 } })
  const [charge] = await world.transactions.list({ status: 'Pending', method: 'Pix', limit: 1 })
  if (charge === undefined) return false
  const amount: number = charge.amount
  const expiresAt: string = charge.expiresAt

  await world.trigger(charge.id, 'refund', { amount: amount - 1 })
  await world.clock.advance('31m')
  await world.clock.advance({ to: new Date(expiresAt) })
  const { attempts } = await world.clock.advance({ toNext: true })
  await world.settle({ timeoutMs: 1000 })

  const message = await world.inbox('shop').next('payment.completed', { within: '2s' })
  const first: string | undefined = attempts[0]?.type
  const paid: number = message.json.data.amount
  const txId: string | undefined = message.json.data.pix?.txId
  if (paid !== amount || txId === undefined) return false
  return verifySignature(message.body, message.headers, charge.id) && first === message.type
}

/** What a merchant reads of webhooks that were taken by type, by one of two types, and as they come. */
export async function takeOthers({ inbox }: SandboxWorld): Promise<string> {
  const { data: cashout } = (await inbox('shop').next('cashout.failed')).json
  const pixKey: string = cashout.pix.pixKey
  const { json: refund } = await inbox('shop').next<'payment.refunded' | 'cashout.rejected'>()
  const either: 'payment.refunded' | 'cashout.rejected' = refund.type
  const netAmount: number = refund.data.netAmount
  const { json: any } = await inbox('shop').next()
  if (any.type === 'dispute.lost') return `${either} ${any.data.paymentId}`
  if (any.type === 'cashout.completed') return any.data.requestedAt
  const [kept] = await inbox('shop').messages()
  if (kept?.json.type === 'payment.failed') return kept.json.data.failureReason ?? 'unknown'
  return `${pixKey} ${netAmount}`
}

/** What a merchant's receiver does with a webhook. */
export function hear(body: Uint8Array, headers: WebhookHeaders): string {
  const webhook = JSON.parse(new TextDecoder().decode(body)) as Webhook
  if (!verifySignature(body, headers, webhook.data.id)) return 'forged'
  switch (webhook.type) {
    case 'payment.completed':
      return `paid by ${webhook.data.pix?.payerName ?? 'card'}`
    case 'cashout.failed':
      return `back: ${webhook.data.netAmount}, from ${webhook.data.pix.pixKey}`
    case 'dispute.opened':
      return `dispute of ${webhook.data.paymentId}: ${webhook.data.reason}`
    default:
      return webhook.type
  }
}

/** Why no sandbox answers at an address. */
export async function reasonAt(url: string): Promise<string> {
  try {
    return (await connectSandbox(url, { world: 'default' })).id
  } catch (error) {
    return error instanceof SandboxError && error.code === 'unreachable' ? error.message : 'another'
  }
}

/** Every line is wrong. */
export async function misuse(world: SandboxWorld, webhook: Webhook): Promise<void> {
  // @ts-expect-error -- no such option
  await startSandbox({ prot: 4848 })
  // @ts-expect-error -- a seed is text
  await (await startSandbox()).world({ seed: 1 })
  // @ts-expect-error -- no such filter
  await world.transactions.list({ state: 'Pending' })
  // @ts-expect-error -- no such status
  await world.transactions.list({ status: 'Paid' })
  // @ts-expect-error -- a record is named by its id
  await world.trigger(5, 'confirm')
  // @ts-expect-error -- parameters are an object
  await world.trigger('id', 'refund', 500)
  // @ts-expect-error -- no such event
  await world.inbox('shop').next('payment.done')
  // @ts-expect-error -- a payment is not requested
  String((await world.inbox('shop').next('payment.completed')).json.data.requestedAt)
  // @ts-expect-error -- any webhook is not known to be a payment
  String((await world.inbox('shop').next()).json.data.customerId)
  // @ts-expect-error -- no such way to move a clock
  await world.clock.advance({ minutes: 31 })
  // @ts-expect-error -- no such reason
  await world.disputes.open({ paymentId: 'id', reason: 'Because' })
  // @ts-expect-error -- a parsed body has no signature
  verifySignature(webhook, {}, 'id')
  // @ts-expect-error -- only payments and cashouts have a fee
  String(webhook.data.fee)
  // @ts-expect-error -- only cashouts are requested
  if (webhook.type === 'payment.completed') String(webhook.data.requestedAt)
}
