// Owns the shape of a world's state: records by their ids as plain JSON, nothing else. `null` is the word for absent.
import type {
  Account,
  CardToken,
  Cashout,
  Credential,
  Customer,
  Dispute,
  Organization,
  Transaction,
} from './records.ts'
import type { Delivery, JournalEntry, Posting } from './trail.ts'

/** Everything a world remembers. */
export interface WorldState {
  organizations: Record<string, Organization>
  credentials: Record<string, Credential>
  customers: Record<string, Customer>
  transactions: Record<string, Transaction>
  cashouts: Record<string, Cashout>
  disputes: Record<string, Dispute>
  /** By the key of their scope. */
  accounts: Record<string, Account>
  cardTokens: Record<string, CardToken>
  postings: Posting[]
  journal: JournalEntry[]
  deliveries: Record<string, Delivery>
  /** Instants that count towards a rate limit, in milliseconds, by the key of the limit. */
  rateWindows: Record<string, number[]>
  /** Answers that were varied; what the next one varies follows from it. */
  variedAnswers: number
  /** Ids of tokens that were revoked before their end, with the instant in milliseconds at which the last of their time is over. */
  revokedTokens: Record<string, number>
}

/** A state without any record. */
export function emptyState(): WorldState {
  return {
    organizations: {},
    credentials: {},
    customers: {},
    transactions: {},
    cashouts: {},
    disputes: {},
    accounts: {},
    cardTokens: {},
    postings: [],
    journal: [],
    deliveries: {},
    rateWindows: {},
    variedAnswers: 0,
    revokedTokens: {},
  }
}

/** A record by its id; null when there is none. Ids come from callers, so only own keys count. */
export function recordOf<R>(records: Record<string, R>, id: string): R | null {
  return Object.hasOwn(records, id) ? (records[id] ?? null) : null
}
