// Owns the bodies of random calls: what a merchant sends for a sale, a card, a file, a payer, an amount.
import type { Amount, Call, Caller, SplitOf } from './calls.ts'

/** The five fields of a card that holds. */
export const CARD = {
  cardNumber: ['4111', '1111', '1111', '1111'].join(' '),
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2060',
  cardCvv: '123',
}

/** A key that any cashout may go to. */
export const PIX_KEY = { pixKeyType: 'CPF', pixKey: '12345678909' }

/** A multipart body with a file that is taken as evidence. */
export const EVIDENCE = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
  body: [
    '--edge',
    'Content-Disposition: form-data; name="file"; filename="proof.pdf"',
    'Content-Type: application/pdf',
    '',
    '%PDF-1.4 proof',
    '--edge--',
    '',
  ].join('\r\n'),
}

/** What a response to a dispute says. */
export const RESPONSE = { text: 'Entregue.' }

/** What a sale is made from besides its call. */
export interface SaleFacts {
  /** Address of its webhooks. */
  hook: string
  /** Who receives splits. */
  splitCodes: Record<SplitOf['to'], string | undefined>
  /** What the clock shows, in milliseconds. */
  now: number
}

/** The body of a sale. */
export function saleBody(
  call: Call & { do: 'sell' },
  { hook, splitCodes, now }: SaleFacts,
): Record<string, unknown> {
  return {
    method: call.method,
    amount: call.amount,
    ...(call.hook ? { callbackUrl: hook } : {}),
    ...customerFields(call.customer),
    ...(call.splits.length > 0
      ? { splits: call.splits.map(({ to, type, value }) => ({ splitCode: splitCodes[to], type, value })) }
      : {}),
    ...(call.method === 'CreditCard' ? CARD : {}),
    ...(call.method === 'Boleto' ? { boletoDueDate: dayIn(now, 5) } : {}),
  }
}

/** Payer fields that repeat, so that customers are reused. */
export function customerFields(number: number | null): Record<string, string> {
  if (number === null) return {}
  return {
    customerName: `Cliente ${number}`,
    customerDocument: `1234567890${number}`,
    customerEmail: `cliente${number % 2}@example.com`,
  }
}

/** The change of a customer. */
export function customerChange(call: Call & { do: 'customer' }): Record<string, string | undefined> {
  const { customerEmail: email } = customerFields(call.email)
  const { customerDocument: document } = customerFields(call.document)
  return { email, document }
}

/** What a trigger carries. */
export function triggerFields(
  { on, amount }: Pick<Call & { do: 'trigger' }, 'on' | 'amount'>,
  left: number,
): { text?: string; amount?: number } {
  if (on === 'respond') return RESPONSE
  return on === 'refund' || on === 'requestRefund' ? amountField(amount, left) : {}
}

/** An amount in cents; nothing for what is assumed without one. */
export function amountField(amount: Amount, whole: number): { amount?: number } {
  if (amount === null) return {}
  if ('above' in amount) return { amount: whole + amount.above }
  return { amount: 'cents' in amount ? amount.cents : Math.ceil((whole * amount.percent) / 100) }
}

/** A day some days after an instant. */
export function dayIn(now: number, days: number): string {
  return new Date(now + days * 86_400_000).toISOString().slice(0, 10)
}

/** The environment of a caller. */
export function environmentOf(by: Caller): 'Sandbox' | 'Production' {
  return by === 'production' ? 'Production' : 'Sandbox'
}
