// Owns the rows of the interface that a test must prove: collected from the tables of the contract and the machines.
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import * as enums from '../../src/contract/enums.ts'
import { GATEWAY_ERRORS } from '../../src/contract/errors.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import * as limits from '../../src/contract/limits.ts'
import { CASHOUT_MACHINE } from '../../src/domain/cashoutMachine.ts'
import { DISPUTE_MACHINE } from '../../src/domain/disputeMachine.ts'
import { TRANSACTION_MACHINE } from '../../src/domain/transactionMachine.ts'
import type { AnyMachine } from '../../src/kernel/machine.ts'

/** Kinds of rows, in the order in which they are shown. */
export const KINDS = ['endpoint', 'status', 'row', 'event', 'error', 'limit', 'enum'] as const
/** Kind of a row. */
export type Kind = (typeof KINDS)[number]

/** One row of the interface. `name` is what a tag calls it, kind included, such as `event payment.completed`. */
export interface Row {
  kind: Kind
  name: string
}

const MACHINES: readonly AnyMachine[] = [TRANSACTION_MACHINE, CASHOUT_MACHINE, DISPUTE_MACHINE]

/** Lists whose values are the rows of kind `status` already. */
const STATUS_LISTS: ReadonlySet<string> = new Set([
  'TRANSACTION_STATUSES',
  'CASHOUT_STATUSES',
  'DISPUTE_STATUSES',
])

/** The name of one value of a list: `PIX_KEY_TYPES` holds each `PixKeyType`. */
function singular(list: string): string {
  const pascal = list.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return pascal.replace(/(?<=status)es$|(?<!statu)s$/i, '')
}

const row = (kind: Kind, ...words: readonly (string | number)[]): Row => ({
  kind,
  name: [kind, ...words].join(' '),
})

/** Every row of the interface, by kind and in the order of its table. */
export const ROWS: readonly Row[] = [
  ...ENDPOINTS.map(({ id }) => row('endpoint', id)),
  ...MACHINES.flatMap(({ name, statuses }) => statuses.map((status) => row('status', name, status))),
  ...MACHINES.flatMap(({ name, rows }) =>
    rows.map(({ from, on, to }) => row('row', name, from ?? '(create)', on, to)),
  ),
  ...EVENT_TYPES.map((type) => row('event', type)),
  ...Object.keys(GATEWAY_ERRORS).map((code) => row('error', code)),
  ...Object.keys(limits).map((name) => row('limit', name)),
  ...Object.entries<readonly string[]>(enums)
    .filter(([list]) => !STATUS_LISTS.has(list))
    .flatMap(([list, values]) => values.map((value) => row('enum', singular(list), value))),
]

/**
 * The closed list of collective tags, each with the beginning of the rows that it stands for: only for tests whose
 * cases are generated from the table of those rows.
 */
export const COLLECTIVES: Readonly<Record<string, string>> = {
  'every endpoint': 'endpoint ',
  'every permission': 'enum Permission ',
  'every status of transaction': 'status transaction ',
  'every status of cashout': 'status cashout ',
  'every status of dispute': 'status dispute ',
  'every row of transaction': 'row transaction ',
  'every row of cashout': 'row cashout ',
  'every row of dispute': 'row dispute ',
  'every event of payment': 'event payment.',
  'every event of cashout': 'event cashout.',
  'every event of dispute': 'event dispute.',
  'every method': 'enum Method ',
  'every simulate action': 'enum SimulateAction ',
  'every dispute reason': 'enum DisputeReason ',
  'every hold state': 'enum HoldState ',
  'every pix key type': 'enum PixKeyType ',
}
