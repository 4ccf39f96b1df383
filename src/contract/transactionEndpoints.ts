// Owns the endpoints of transactions and card tokens.
import { endpoint, idParam } from './endpoint.ts'
import * as schemas from './transactions.ts'

const createTransaction = endpoint({
  id: 'createTransaction',
  method: 'POST',
  path: '/v1/transactions',
  tag: 'Transactions',
  summary: 'Creates a transaction',
  permission: 'transactions.write',
  body: schemas.createTransactionBody,
  data: schemas.createdTransaction,
  success: { choice: 'TX-02' },
  errors: [
    'validation_error',
    'invalid_amount',
    'invalid_card_data',
    'invalid_splits',
    'customer_required',
    'invalid_due_date',
    'field_too_long',
    'conflict',
    'payload_too_large',
  ],
  silences: ['TX-01', 'TX-02', 'TX-14', 'TX-16', 'TX-18', 'TX-21'],
  authority: 'contract: POST /v1/transactions',
})

const listTransactions = endpoint({
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/transactions',
  tag: 'Transactions',
  summary: 'Lists transactions, newest first',
  permission: 'transactions.read',
  query: schemas.listTransactionsQuery,
  data: schemas.transactionPage,
  errors: ['validation_error', 'not_found'],
  silences: ['TX-24', 'LI-02', 'LI-03'],
  authority: 'TX-24',
})

const getTransaction = endpoint({
  id: 'getTransaction',
  method: 'GET',
  path: '/v1/transactions/{transactionId}',
  tag: 'Transactions',
  summary: 'Reads one transaction',
  permission: 'transactions.read',
  record: 'transaction',
  params: idParam('transactionId'),
  data: schemas.fullTransaction,
  errors: ['not_found'],
  silences: ['TX-14', 'TX-18', 'TX-31'],
  authority: 'contract: GET /v1/transactions/{transactionId}',
})

const simulateTransaction = endpoint({
  id: 'simulateTransaction',
  sandboxOnly: true,
  method: 'POST',
  path: '/v1/transactions/{transactionId}/simulate',
  tag: 'Transactions',
  summary: 'Makes happen to a transaction what a payer or a bank would do',
  permission: 'transactions.write',
  record: 'transaction',
  params: idParam('transactionId'),
  body: schemas.simulateBody,
  data: schemas.simulatedTransaction,
  errors: ['validation_error', 'invalid_status', 'sandbox_only', 'not_found', 'payload_too_large'],
  silences: ['TX-09', 'TX-18', 'TX-22', 'TX-26'],
  authority: 'contract: POST /v1/transactions/{transactionId}/simulate',
})

const tokenizeCard = endpoint({
  id: 'tokenizeCard',
  method: 'POST',
  path: '/v1/card-tokenize',
  tag: 'Transactions',
  summary: 'Exchanges card data for a token of one use',
  permission: 'transactions.write',
  body: schemas.tokenizeCardBody,
  data: schemas.tokenizedCard,
  errors: ['validation_error', 'invalid_card_data', 'tokenization_not_supported', 'payload_too_large'],
  silences: ['TX-28'],
  authority: 'TX-28',
})

/** Endpoints of transactions. */
export const TRANSACTION_ENDPOINTS = [
  createTransaction,
  listTransactions,
  getTransaction,
  simulateTransaction,
  tokenizeCard,
] as const
