// Owns the kinds of jobs that a world can schedule.

/** Each kind of job with what it does when due. */
export const JOB_KINDS = {
  expireTransaction: 'fires `expire` on a transaction that still waits for its payer',
  confirmTransaction:
    'fires `confirm` on a card transaction in a world that chose so (TX-25), on any where a server pays by itself',
  settleSale: 'moves what is left of a sale from pending to available',
  lapseDispute: 'fires `lapse` on a dispute without a response',
  ruleTrigger: 'does what a rule of the world planned',
  attemptDelivery: 'sends the next attempt of a delivery',
} as const

/** Kind of a job. */
export type JobKind = keyof typeof JOB_KINDS
