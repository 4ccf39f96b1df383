// Owns the proof that the sandbox agrees with a small model of records and money, after any programs over the whole public surface.
import { expect, test } from 'vitest'
import { ENDPOINTS, OPERATION_IDS } from '../../../src/contract/endpoints.ts'
import { CASHOUT_TRIGGERS } from '../../../src/domain/cashoutMachine.ts'
import { DISPUTE_TRIGGERS } from '../../../src/domain/disputeMachine.ts'
import { TRANSACTION_TRIGGERS } from '../../../src/domain/transactionMachine.ts'
import { ALL_FAULTS } from './faults.ts'
import { failureToText, runPrograms, tallyToText } from './run.ts'

/** Programs of every run of the tests; `npm run prove:model` plays more, from any seed. */
const PROGRAMS = 2_000
/** Changed when other programs are wanted; the same one plays the same programs. */
const SEED = 20_261_121

/** What the machines are told to do by hand, or do by themselves. */
const TRIGGERS = [
  ...TRANSACTION_TRIGGERS.map((on) => `transactions ${on}`),
  ...CASHOUT_TRIGGERS.map((on) => `cashouts ${on}`),
  ...DISPUTE_TRIGGERS.map((on) => `disputes ${on}`),
]

/** Orders of the control API that programs give. */
const ORDERS = [
  'make a world',
  'make a world with records (201)',
  'make a world with records (400)',
  'POST /given',
  'fork a world',
  'delete a world',
  'GET /export',
  'POST /import',
  'restart (ended)',
  'restart (killed)',
  'restart (lost)',
  'POST /reset',
  'PUT /snapshots/{name}',
  'POST /snapshots/{name}/restore',
  'DELETE /snapshots/{name}',
  'POST /rules',
  'DELETE /rules',
  'DELETE /faults',
  'POST /deliveries/hold',
  'POST /deliveries/release',
  'POST /deliveries/{id}/resend',
  'POST /deliveries/{id}/duplicate',
  'POST /disputes',
  'POST /clock/advance',
  'PATCH /silences',
  'PATCH /balance',
  'PATCH /credentials/{publicKey}',
  'PATCH /credentials/{publicKey} (office)',
  'PATCH /organizations/{id}',
  ...ALL_FAULTS.map((fault) => `fault ${JSON.stringify(fault.do)}`),
]

/** Codes that endpoints declare and programs do not meet. */
const UNMET: readonly RegExp[] = [
  // Only a world that chose so answers these; test/http plays the choices.
  / (?:invalid_splits|customer_required|invalid_due_date|field_too_long|tokenization_not_supported)$/,
  // About the way to the gateway and the form of a body, which the fuzz proof damages.
  / (?:payload_too_large|internal_error)$/,
  // Programs are limited in tokens, not in calls, and read only their balance from elsewhere.
  /^(?!createToken )\w+ (?:auth_)?rate_limit_exceeded$/,
  /^(?!createToken |getBalance )\w+ ip_not_allowed$/,
  /^tokenizeCard validation_error$/,
]

/** What the endpoints say that they refuse, as `createCustomer conflict`. */
const REFUSALS = ENDPOINTS.flatMap(({ id, permission, errors }) =>
  [...errors, ...(permission === null ? [] : ['unauthorized', 'forbidden'])].map((code) => `${id} ${code}`),
).filter((name) => !UNMET.some((unmet) => unmet.test(name)))

test(
  'random programs agree with the model, and ask for everything rightly and wrongly',
  { timeout: 600_000 },
  async () => {
    const { programs, steps, tally, failure } = await runPrograms({ programs: PROGRAMS, seed: SEED })
    expect(failure && failureToText(failure)).toBeNull()
    process.stdout.write(`${programs} programs of ${steps} steps: accepted, refused\n${tallyToText(tally)}\n`)
    const never = (names: readonly string[], how: 'accepted' | 'refused'): string[] =>
      names.filter((name) => (tally.get(name)?.[how] ?? 0) === 0)
    expect(programs).toBe(PROGRAMS)
    expect(never([...OPERATION_IDS, ...TRIGGERS], 'accepted'), 'never accepted').toEqual([])
    expect(never([...OPERATION_IDS, ...TRIGGERS], 'refused'), 'never refused').toEqual([])
    expect(never(REFUSALS, 'refused'), 'codes never met').toEqual([])
    expect(never(ORDERS, 'accepted'), 'never ordered').toEqual([])
  },
)
