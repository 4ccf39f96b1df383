// Checks the tables of the three machines row by row: from, trigger, guard, to, effects in their order, and who says so.
import { expect, test } from 'vitest'
import { CASHOUT_MACHINE } from '../../src/domain/cashoutMachine.ts'
import { DISPUTE_MACHINE } from '../../src/domain/disputeMachine.ts'
import { TRANSACTION_MACHINE } from '../../src/domain/transactionMachine.ts'
import type { AnyMachine } from '../../src/kernel/machine.ts'

/** The rows of a machine as lines: `from trigger if guard > to: effects (source)`. */
function linesOf({ rows }: AnyMachine): string[] {
  return rows.map(({ from, on, when, to, effects, source }) => {
    const guard = when === undefined ? '' : ` if ${when}`
    const done = effects.map((effect) => Object.values(effect as Record<string, string>).join(' ')).join(', ')
    return `${from ?? 'nothing'} ${on}${guard} > ${to}: ${done} (${source})`
  })
}

const STOP = 'cancel expireTransaction, cancel confirmTransaction'
const PAID = `${STOP}, stamp completedAt, note confirmation, post sale, schedule settleSale, emit payment.completed`
const TABLE = 'contract: States and transitions'
const ANSWER = 'contract: PUT /v1/disputes/{id}/response'
const CLOSED = 'cancel lapseDispute, stamp closedAt, note history'

const TRANSACTIONS = [
  `nothing create > Pending: schedule expireTransaction, schedule confirmTransaction (${TABLE})`,
  `Pending confirm > Completed: ${PAID} (${TABLE})`,
  `Pending expire > Expired: ${STOP}, note failureReason, emit payment.expired (${TABLE})`,
  `Pending fail > Failed: ${STOP}, note failureReason, emit payment.failed (${TABLE})`,
  `Pending cancel > Cancelled: ${STOP}, note failureReason, emit payment.cancelled (${TABLE})`,
  `Expired confirm if latePayerMayPay > Completed: note noFailureReason, ${PAID} (TX-30)`,
  `Completed refund if nothingLeftUndisputed > Refunded: post refund, stamp refundedAt, emit payment.refunded (${TABLE})`,
  `Completed refund if somethingLeftUndisputed > PartiallyRefunded: post refund, stamp refundedAt, emit payment.partially_refunded (${TABLE})`,
  `Completed requestRefund if undisputed > Processing: note pendingRefund, emit payment.refund_requested (${TABLE})`,
  'Completed chargeBack if nothingLeft > Refunded: note refundedAmount, stamp refundedAt, emit payment.refunded (DI-10)',
  'Completed chargeBack if somethingLeft > PartiallyRefunded: note refundedAmount, stamp refundedAt, emit payment.partially_refunded (DI-10)',
  'PartiallyRefunded refund if nothingLeftUndisputed > Refunded: post refund, stamp refundedAt, emit payment.refunded (TX-11)',
  'PartiallyRefunded refund if somethingLeftUndisputed > PartiallyRefunded: post refund, stamp refundedAt, emit payment.partially_refunded (TX-11)',
  'PartiallyRefunded requestRefund if undisputed > Processing: note pendingRefund, emit payment.refund_requested (TX-11)',
  'PartiallyRefunded chargeBack if nothingLeft > Refunded: note refundedAmount, stamp refundedAt, emit payment.refunded (DI-10)',
  'PartiallyRefunded chargeBack if somethingLeft > PartiallyRefunded: note refundedAmount, stamp refundedAt, emit payment.partially_refunded (DI-10)',
  'Processing settleRefund if nothingLeft > Refunded: note noPendingRefund, post refund, stamp refundedAt, emit payment.refunded (TX-10)',
  'Processing settleRefund if somethingLeft > PartiallyRefunded: note noPendingRefund, post refund, stamp refundedAt, emit payment.partially_refunded (TX-10)',
  'Processing rejectRefund if wasCompleted > Completed: note noPendingRefund (TX-10)',
  'Processing rejectRefund if wasPartiallyRefunded > PartiallyRefunded: note noPendingRefund (TX-10)',
]

const CASHOUTS = [
  'nothing create > Pending: stamp requestedAt, post reserve (CO-07)',
  'Pending process > Processing: stamp processedAt (CO-03)',
  'Pending complete > Completed: note processedAtIfNull, stamp completedAt, note endToEndId, post payOut, emit cashout.completed (CO-03)',
  'Processing complete > Completed: note processedAtIfNull, stamp completedAt, note endToEndId, post payOut, emit cashout.completed (CO-03)',
  'Pending fail > Failed: note failureReason, post giveBack, emit cashout.failed (CO-03)',
  'Processing fail > Failed: note failureReason, post giveBack, emit cashout.failed (CO-03)',
  'Pending reject > Rejected: note failureReason, post giveBack, emit cashout.rejected (CO-03)',
  'Pending cancel > Cancelled: note failureReason, post giveBack, emit cashout.cancelled (CO-03)',
]

const DISPUTES = [
  'nothing open > Open: stamp openedAt, note history, post hold, schedule lapseDispute, emit dispute.opened (DI-05)',
  'Open respond if beforeDeadlineAndMoves > MerchantResponded: cancel lapseDispute, note response, stamp respondedAt, emit dispute.responded (DI-02)',
  'Open respond if beforeDeadlineAndStaysOpen > Open: cancel lapseDispute, note response, stamp respondedAt, emit dispute.responded (DI-02)',
  `MerchantResponded respond if beforeDeadline > MerchantResponded: note response, stamp respondedAt, emit dispute.responded (${ANSWER})`,
  'Open addEvidence if beforeDeadline > Open: note evidence (DI-06)',
  'MerchantResponded addEvidence if beforeDeadline > MerchantResponded: note evidence (DI-06)',
  `Open lapse > Expired: ${CLOSED}, post debit, chargeBack, emit dispute.expired (DI-03)`,
  'Open review > UnderReview: cancel lapseDispute, note history, emit dispute.under_review (DI-04)',
  'MerchantResponded review > UnderReview: cancel lapseDispute, note history, emit dispute.under_review (DI-04)',
  `MerchantResponded win > Won: ${CLOSED}, post release, emit dispute.won (DI-04)`,
  `MerchantResponded lose > Lost: ${CLOSED}, post debit, chargeBack, emit dispute.lost (DI-04)`,
  `UnderReview win > Won: ${CLOSED}, post release, emit dispute.won (DI-04)`,
  `UnderReview lose > Lost: ${CLOSED}, post debit, chargeBack, emit dispute.lost (DI-04)`,
  `Open cancel > Cancelled: ${CLOSED}, post release, emit dispute.cancelled (DI-04)`,
  `MerchantResponded cancel > Cancelled: ${CLOSED}, post release, emit dispute.cancelled (DI-04)`,
  `UnderReview cancel > Cancelled: ${CLOSED}, post release, emit dispute.cancelled (DI-04)`,
]

test.each<[string, AnyMachine, string[]]>([
  ['transactions', TRANSACTION_MACHINE, TRANSACTIONS],
  ['cashouts', CASHOUT_MACHINE, CASHOUTS],
  ['disputes', DISPUTE_MACHINE, DISPUTES],
])('the machine of %s has these rows, in this order', (_name, machine, rows) => {
  expect(linesOf(machine)).toEqual(rows)
})

test('each machine is known by its name', () => {
  expect([TRANSACTION_MACHINE, CASHOUT_MACHINE, DISPUTE_MACHINE].map(({ name }) => name)).toEqual([
    'transaction',
    'cashout',
    'dispute',
  ])
})
