// Owns the handlers of transactions.
import { tokenizeCard } from '../domain/cards.ts'
import { scopeKey } from '../domain/indexes.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { createTransaction } from '../domain/transactions.ts'
import { TRANSACTION_RULES } from '../domain/transactionRules.ts'
import { fire } from '../domain/transition.ts'
import { payHeaders } from './links.ts'
import { pageOf } from './lists.ts'
import { createdView, fullView, listView } from './transactionViews.ts'
import type { SimulateAction, TransactionStatus } from '../contract/enums.ts'
import type { Transaction } from '../domain/records.ts'
import type { TransactionTrigger } from '../domain/transactionMachine.ts'
import type { Handlers } from './handler.ts'

/** The trigger behind each action of `simulate`, and the one status it starts from. Source: TX-09. */
const SIMULATIONS: Record<SimulateAction, { trigger: TransactionTrigger; from: TransactionStatus }> = {
  complete: { trigger: 'confirm', from: 'Pending' },
  expire: { trigger: 'expire', from: 'Pending' },
  fail: { trigger: 'fail', from: 'Pending' },
  refund: { trigger: 'refund', from: 'Completed' },
}

/** Handlers of transactions. */
export const TRANSACTION_HANDLERS: Handlers<
  'createTransaction' | 'listTransactions' | 'getTransaction' | 'simulateTransaction' | 'tokenizeCard'
> = {
  createTransaction({ world, scope, body }) {
    const created = createTransaction(world, scope, body)
    return isRefusal(created)
      ? created
      : {
          data: createdView(world, created),
          message: 'Transação criada com sucesso.',
          headers: payHeaders(world, created),
        }
  },

  listTransactions({ world, scope, query }) {
    const { status, method, externalId, customerId } = query
    const filters = { status, method, externalId, customerId: customerId?.toLowerCase() }
    const wanted = { scope: scopeKey(scope), filters }
    const view = (transaction: Transaction) => listView(world, transaction)
    const page = pageOf(world, world.indexes.transactions, query, wanted, view)
    return isRefusal(page) ? page : { data: page }
  },

  getTransaction: ({ world, record }) => ({
    data: fullView(world, record),
    headers: payHeaders(world, record),
  }),

  simulateTransaction({ world, record, body: { action } }) {
    const { trigger, from } = SIMULATIONS[action]
    const fired = record.status === from ? fire(world, TRANSACTION_RULES, record, trigger) : null
    if (!fired || 'refused' in fired) {
      return refuse(
        'invalid_status',
        `${action} needs status ${from}; transaction ${record.id} is ${record.status}${fired ? ' and has an open dispute' : ''}.`,
        `A simulação '${action}' não é permitida no status ${record.status}.`,
      )
    }
    const { id, status, completedAt, refundedAt, pix } = record
    return {
      data: {
        id,
        status,
        simulatedAction: action,
        completedAt,
        refundedAt,
        pix: pix && { txId: pix.txId, qrCode: null, copyAndPaste: null, expiresAt: null },
      },
      message: `Simulação '${action}' realizada com sucesso.`,
    }
  },

  tokenizeCard({ world, scope, body }) {
    if (world.choices.get('TX-28') === 'notSupported') {
      return refuse('tokenization_not_supported', 'This world chose to have no card tokenisation (TX-28).')
    }
    const made = tokenizeCard(world, scope, body)
    if (isRefusal(made)) return made
    return { data: { cardToken: made.token, last4: made.lastFour, brand: made.brand.toLowerCase() } }
  },
}
