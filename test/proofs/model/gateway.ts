// Owns the model's gateway: who may call, what a fault does to a call, and whether a call is refused.
import { letsIn } from './addresses.ts'
import { befall } from './faults.ts'
import { react } from './jobs.ts'
import { SCOPES } from './world.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Seat } from './addresses.ts'
import type { Kind, Life } from './world.ts'

/** Who calls: a key pair, nobody, or somebody with a token that is none. */
export type By = Caller | 'nobody' | 'nonsense'

/** What a call comes to. */
export interface Outcome {
  status: number
  code: string | null
  /** Fields that the answer has. */
  data?: Record<string, unknown> | undefined
  /** Seconds after which to ask again. */
  retryAfter?: number
  /** Whether a refusal changed something all the same, as the fault that changes a dispute does. */
  stirred?: true
  /** The record that it is about, for rules. */
  about?: { kind: Kind; place: number } | undefined
}

/** What a caller sees: `nothing` when no answer comes, `noBody` when its body cannot be read. */
export interface Answer extends Outcome {
  seen: 'all' | 'noBody' | 'nothing'
  /** A fault that befell it. */
  befallen: boolean
}

/** A call of the gateway. */
export interface GatewayCall {
  operation: string
  by: By
  /** Where it comes from; from home when left out. */
  from?: Seat
  /** Another method than the operation has. */
  method?: string
  /** Id of the record in its path. */
  id?: string
  /** How a scenario names that record. */
  said?: string
  /** Whether that record is there, and the caller's; it is when left out. */
  found?: boolean
  query?: Record<string, string>
  body?: unknown
  /** A body that is sent as it is, and how a scenario says it. */
  raw?: { body: string; headers: Record<string, string>; said: Record<string, unknown> }
  headers?: Record<string, string>
  /** Whether it gets the token of the calls after it, for which players of scenarios ask by themselves. */
  isOwn?: true
  /** What a scenario calls what it makes. */
  as?: string
  /** What it does once nothing before refuses it. */
  work(life: Life): Outcome
}

const PERMISSIONS: Readonly<Record<string, string>> = {
  createTransaction: 'transactions.write',
  simulateTransaction: 'transactions.write',
  tokenizeCard: 'transactions.write',
  listTransactions: 'transactions.read',
  getTransaction: 'transactions.read',
  createCustomer: 'customers.write',
  updateCustomer: 'customers.edit',
  listCustomers: 'customers.read',
  getCustomer: 'customers.read',
  getBalance: 'balance.read',
  createCashout: 'cashouts.write',
  cancelCashout: 'cashouts.write',
  simulateCashout: 'cashouts.write',
  listCashouts: 'cashouts.read',
  getCashout: 'cashouts.read',
  respondToDispute: 'disputes.write',
  addDisputeEvidence: 'disputes.write',
  listDisputes: 'disputes.read',
  getDispute: 'disputes.read',
}

const STATUSES: Readonly<Record<string, number>> = {
  unauthorized: 401,
  invalid_credentials: 401,
  sandbox_only: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limit_exceeded: 429,
  auth_rate_limit_exceeded: 429,
  ip_not_allowed: 403,
}

/** A refusal; the codes that are not in the table are 400. */
export function refused(code: string): Outcome {
  return { status: STATUSES[code] ?? 400, code }
}

/** A success. */
export function accepted(data?: Record<string, unknown>, about?: Outcome['about'], status = 200): Outcome {
  return { status, code: null, data, about }
}

/** Whether a caller may do what a permission lets. */
export function may({ keys }: Life, by: Caller, permission: string): boolean {
  return keys[by].permissions?.includes(permission) ?? true
}

/** Answers a call: caller, environment, permission, faults, record, then the work. */
export function answer(
  life: Life,
  { operation, by, id, found = true, from = 'home', work }: GatewayCall,
): Answer {
  const permission = PERMISSIONS[operation]
  const plain = (outcome: Outcome): Answer => ({ ...outcome, seen: 'all', befallen: false })
  if (permission !== undefined) {
    if (by === 'nobody' || by === 'nonsense') return plain(refused('unauthorized'))
    if (!life.keys[by].active) return plain(refused('unauthorized'))
    const isLetIn = life.knobs['AU-08'] === 'tokenOnly' || letsIn(life.keys[by].range, from)
    if (!isLetIn) return plain(refused('ip_not_allowed'))
    const isSimulated = operation.startsWith('simulate')
    if (isSimulated && SCOPES[by].env !== 'Sandbox') return plain(refused('sandbox_only'))
    if (!may(life, by, permission)) return plain(refused('forbidden'))
  }
  const called = { operation, subject: id }
  const instead = befall(life, 'instead', called) as Record<string, unknown> | null
  if (instead && 'reset' in instead) return { status: 0, code: null, seen: 'nothing', befallen: true }
  befall(life, 'delay', called)
  if (instead && 'revokeToken' in instead) {
    if (permission === undefined) throw new Error(`${operation} carries no token`)
    if (by !== 'nobody' && by !== 'nonsense') life.revoked.push(by)
    return { ...refused('unauthorized'), seen: 'all', befallen: true }
  }
  if (instead) {
    const code = typeof instead['code'] === 'string' ? instead['code'] : 'internal_error'
    const status = typeof instead['status'] === 'number' ? instead['status'] : refused(code).status
    return { status, code, seen: 'all', befallen: true }
  }
  const spoilt = befall(life, 'answer', called) as { reset?: string; body?: string } | null
  const outcome = found ? work(life) : refused('not_found')
  const { about, code } = outcome
  if (code === null && about) react(life, operation, about.kind, about.place)
  if (!spoilt) return plain(outcome)
  const isLost = spoilt.reset === 'after' || spoilt.body === 'truncated'
  const read = spoilt.body === undefined ? 'all' : 'noBody'
  return { ...outcome, seen: isLost ? 'nothing' : read, befallen: true }
}
