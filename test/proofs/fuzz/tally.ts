// Owns counting what a run sent and got: by class of status, by operation, by kind of damage and by code of refusals.
import { GATEWAY_ERRORS, SANDBOX_ERRORS } from '../../../src/contract/errors.ts'
import type { GatewayErrorCode, SandboxErrorCode } from '../../../src/contract/errors.ts'
import type { Operation } from './documents.ts'

/** Counts of answers. */
export interface Counts {
  ok: number
  refused: number
  other: number
}

/** What a run counted. */
export interface Tally {
  requests: number
  /** By class such as `2xx`. */
  classes: Map<string, number>
  /** By id of operation; every operation has an entry. */
  operations: Map<string, Counts>
  /** By kind of damage; requests with several kinds count once for each. */
  kinds: Map<string, number>
  /** By code of the refusal. */
  codes: Map<string, number>
}

/** A tally of nothing. */
export function emptyTally(operations: readonly Operation[]): Tally {
  return {
    requests: 0,
    classes: new Map(),
    operations: new Map(operations.map(({ id }) => [id, { ok: 0, refused: 0, other: 0 }])),
    kinds: new Map(),
    codes: new Map(),
  }
}

/** Counts one answer. */
export function count(
  tally: Tally,
  kinds: readonly string[],
  operation: string | null,
  { status, code }: { status: number; code: string | null },
): void {
  tally.requests += 1
  add(tally.classes, `${Math.floor(status / 100)}xx`)
  if (code !== null) add(tally.codes, code)
  for (const kind of kinds.length === 0 ? ['none'] : new Set(kinds)) add(tally.kinds, kind)
  const counts = operation === null ? undefined : tally.operations.get(operation)
  if (!counts) return
  if (status < 300) counts.ok += 1
  else if (status >= 400) counts.refused += 1
  else counts.other += 1
}

function add(to: Map<string, number>, name: string): void {
  to.set(name, (to.get(name) ?? 0) + 1)
}

/** Operations that were not reached with a success, or not with a refusal although they declare some; and codes that can come. */
export function unreached(tally: Tally, operations: readonly Operation[]): string[] {
  const unseen = EXPECTED_CODES.filter((code) => !tally.codes.has(code))
  const missed = operations.flatMap(({ id, answers }) => {
    const { ok = 0, refused = 0 } = tally.operations.get(id) ?? {}
    const refuses = [...answers.keys()].some((status) => status >= 400 && status < 500)
    return [...(ok === 0 ? [`${id}: no 2xx`] : []), ...(refuses && refused === 0 ? [`${id}: no 4xx`] : [])]
  })
  return [...missed, ...unseen.map((code) => `no refusal has the code ${code}`)]
}

/** Codes that a run of some thousand requests comes to. Others need a world that chose them, a fault, a race or a full server. */
const EXPECTED_CODES = [
  ...([
    'validation_error',
    'invalid_amount',
    'invalid_status',
    'invalid_credentials',
    'unauthorized',
  ] as const),
  ...(['sandbox_only', 'ip_not_allowed', 'not_found', 'method_not_allowed', 'insufficient_balance'] as const),
  ...(['conflict', 'forbidden', 'payload_too_large', 'invalid_card_data', 'dispute_closed'] as const),
  ...(['sandbox_bad_request', 'sandbox_bad_scenario', 'sandbox_unauthorized'] as const),
  ...(['sandbox_cross_site', 'sandbox_not_found', 'sandbox_method_not_allowed', 'sandbox_not_held'] as const),
  ...(['sandbox_world_exists', 'sandbox_world_fixed', 'sandbox_clock_backwards'] as const),
  ...(['sandbox_trigger_refused', 'sandbox_payload_too_large'] as const),
] as const satisfies (GatewayErrorCode | SandboxErrorCode)[]

/** Codes of both tables that no refusal of a run had. */
function unseenCodes({ codes }: Tally): string[] {
  return [...Object.keys(GATEWAY_ERRORS), ...Object.keys(SANDBOX_ERRORS)].filter((code) => !codes.has(code))
}

/** The counts as lines of text. */
export function tallyToText(tally: Tally): string {
  const { requests, classes, operations, kinds, codes } = tally
  const line = ([name, amount]: [string, number]): string =>
    `  ${name.padEnd(28)} ${String(amount).padStart(8)}`
  const sorted = (map: Map<string, number>): string[] =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(line)
  return [
    `${requests} requests`,
    'by status:',
    ...sorted(classes),
    'by kind of damage:',
    ...sorted(kinds),
    'by code of refusals:',
    ...sorted(codes),
    `codes that did not come: ${unseenCodes(tally).join(', ') || 'none'}`,
    'by operation (2xx, 4xx, other):',
    ...[...operations].map(
      ([id, { ok, refused, other }]) =>
        `  ${id.padEnd(34)} ${String(ok).padStart(7)} ${String(refused).padStart(7)} ${String(other).padStart(6)}`,
    ),
  ].join('\n')
}
