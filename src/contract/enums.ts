// Owns the closed lists of values that the contract names.

/** Ways to pay. Source: contract: Transaction. */
export const METHODS = ['Pix', 'CreditCard', 'Boleto'] as const
/** A way to pay. */
export type Method = (typeof METHODS)[number]

/** Statuses of a transaction. Source: contract: States and transitions. */
export const TRANSACTION_STATUSES = [
  'Pending',
  'Completed',
  'Expired',
  'Failed',
  'Cancelled',
  'Refunded',
  'PartiallyRefunded',
  'Processing',
] as const
/** Status of a transaction. */
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Statuses of a cashout. Source: contract: Cashout. */
export const CASHOUT_STATUSES = [
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'Rejected',
  'Cancelled',
] as const
/** Status of a cashout. */
export type CashoutStatus = (typeof CASHOUT_STATUSES)[number]

/** Statuses of a dispute. Source: contract: Enumerations. */
export const DISPUTE_STATUSES = [
  'Open',
  'MerchantResponded',
  'UnderReview',
  'Won',
  'Lost',
  'Expired',
  'Cancelled',
] as const
/** Status of a dispute. */
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** Reasons of a dispute. Source: contract: Enumerations. */
export const DISPUTE_REASONS = [
  'Fraud',
  'Scam',
  'ProductNotReceived',
  'ProductNotAsDescribed',
  'DuplicateCharge',
  'UnrecognizedTransaction',
  'CoercionOrThreat',
  'OperationalError',
  'Other',
] as const
/** Reason of a dispute. */
export type DisputeReason = (typeof DISPUTE_REASONS)[number]

/** What became of the money held for a dispute. Source: contract: Enumerations. */
export const HOLD_STATES = ['None', 'Held', 'Released', 'Debited'] as const

/** The two environments. Source: contract: General rules. */
export const ENVIRONMENTS = ['Sandbox', 'Production'] as const
/** Sandbox or Production. */
export type Environment = (typeof ENVIRONMENTS)[number]

/** Statuses of a customer. Source: contract: Customer. */
export const CUSTOMER_STATUSES = ['Active', 'Inactive'] as const
/** Status of a customer. */
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number]

/** Kinds of tax documents. Source: contract: Customer. */
export const DOCUMENT_TYPES = ['CPF', 'CNPJ'] as const
/** Kind of a tax document. */
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** How a split is measured. Source: contract: Split object. */
export const SPLIT_TYPES = ['PERCENTAGE', 'FIXED'] as const
/** How a split is measured. */
export type SplitType = (typeof SPLIT_TYPES)[number]

/** Kinds of PIX keys. Source: CO-09. */
export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'Email', 'Phone', 'Random'] as const
/** Kind of a PIX key. */
export type PixKeyType = (typeof PIX_KEY_TYPES)[number]

/** What `simulate` can do to a transaction. Source: contract: simulate endpoint. */
export const SIMULATE_ACTIONS = ['complete', 'expire', 'fail', 'refund'] as const
/** What `simulate` can do to a transaction. */
export type SimulateAction = (typeof SIMULATE_ACTIONS)[number]

/** What a credential may be allowed to do. Source: AU-10. */
export const PERMISSIONS = [
  'balance.read',
  'transactions.read',
  'transactions.write',
  'customers.read',
  'customers.write',
  'customers.edit',
  'cashouts.read',
  'cashouts.write',
  'cashouts.allowAnyPixKey',
  'disputes.read',
  'disputes.write',
] as const
/** What a credential may be allowed to do. */
export type Permission = (typeof PERMISSIONS)[number]
