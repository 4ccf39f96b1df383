// Owns sales that are refused: what is wrong with each, and the code that says so.
import { CARD, dayIn } from '../../properties/bodies.ts'

type Body = Record<string, unknown>

const PIX = { method: 'Pix', amount: 500 }
const STRANGER = '00000000-0000-4000-8000-000000000000'
const NO_CARD = { ...CARD, cardNumber: ['4111', '1111', '1111', '1112'].join('') }

const SALES = {
  method: ['validation_error', { ...PIX, method: 'Cash' }],
  noMethod: ['validation_error', { amount: 500 }],
  noAmount: ['validation_error', { method: 'Pix' }],
  wordyAmount: ['validation_error', { ...PIX, amount: 'ten' }],
  small: ['invalid_amount', { ...PIX, amount: 99 }],
  large: ['invalid_amount', { ...PIX, amount: 10_000_000_000 }],
  fraction: ['validation_error', { ...PIX, amount: 100.5 }],
  hook: ['validation_error', { ...PIX, callbackUrl: 'nowhere' }],
  currency: ['validation_error', { ...PIX, currency: 'USD' }],
  metadata: ['validation_error', { ...PIX, metadata: '{' }],
  expiration: ['validation_error', { ...PIX, pixExpirationMinutes: 4 }],
  document: ['validation_error', { ...PIX, customerName: 'Ana', customerDocument: '12' }],
  stranger: ['validation_error', { ...PIX, customerId: STRANGER }],
  receiver: ['validation_error', { ...PIX, splits: [{ splitCode: STRANGER, type: 'FIXED', value: 1 }] }],
  longText: ['validation_error', { ...PIX, description: 'x'.repeat(501) }],
  noCustomer: ['validation_error', { method: 'Boleto', amount: 500, boletoDueDate: '2060-01-01' }],
  noDueDate: ['validation_error', { method: 'Boleto', amount: 500, customerName: 'Ana' }],
  noCard: ['invalid_card_data', { method: 'CreditCard', amount: 500 }],
  badCard: ['invalid_card_data', { method: 'CreditCard', amount: 500, ...NO_CARD }],
  badCardToken: ['invalid_card_data', { method: 'CreditCard', amount: 500, cardToken: 'ct_none' }],
  installments: ['validation_error', { method: 'CreditCard', amount: 500, ...CARD, installments: 13 }],
} as const satisfies Record<string, readonly [code: string, body: Body]>

/** What is wrong with a sale; `early` is a boleto that is due today. */
export type WrongSale = keyof typeof SALES | 'early'

/** Everything that can be wrong with a sale. */
export const WRONG_SALES: readonly WrongSale[] = [...(Object.keys(SALES) as (keyof typeof SALES)[]), 'early']

/** A sale that is refused, and the code that says why. */
export function wrongSale(wrong: WrongSale, now: number): { code: string; body: Body } {
  if (wrong === 'early') {
    const body = { method: 'Boleto', amount: 500, customerName: 'Ana', boletoDueDate: dayIn(now, 0) }
    return { code: 'validation_error', body }
  }
  const [code, body] = SALES[wrong]
  return { code, body }
}
