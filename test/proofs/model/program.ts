// Owns what a program is made of: calls, orders, and what happens to worlds and to the server.
import type { Call, Caller } from '../../properties/calls.ts'
import type { Range, Seat } from './addresses.ts'
import type { Spoilt } from './carrying.ts'
import type { Entry } from './given.ts'
import type { FaultOrder, When } from './faults.ts'
import type { AnswerForm } from './disputes.ts'
import type { Filter, List } from './filters.ts'
import type { WrongToken } from './tokens.ts'
import type { WrongSale } from './wrong.ts'

/** A call of the gateway besides those of `calls.ts`. `nth` counts back from the record that was made last. */
export type Ask =
  | { ask: 'read'; by: Caller; kind: List; nth: number }
  | { ask: 'list'; by: Caller; kind: List; page: number; pageSize: number; filters: Filter[] }
  | { ask: 'balance'; by: Caller }
  | { ask: 'health'; wrong: boolean }
  | { ask: 'token'; by: Caller; wrong: WrongToken; from: Seat }
  | { ask: 'from'; by: Caller; from: Seat }
  | { ask: 'tokenize'; by: Caller; good: boolean }
  | { ask: 'payByToken'; by: Caller; nth: number }
  | { ask: 'wrongSale'; by: Caller; wrong: WrongSale }
  | { ask: 'wrongKey'; by: Caller; amount: number }
  | { ask: 'brokenHook'; by: Caller; amount: number; cashout: boolean }
  | { ask: 'customer'; by: Caller; number: number; externalId: string | null; good: boolean }
  | { ask: 'namedSale'; by: Caller; externalId: string }
  | { ask: 'wrongChange'; kind: 'customers' | 'cashouts'; nth: number }
  | { ask: 'answer'; nth: number; file: boolean; form: AnswerForm }
  | { ask: 'stranger'; who: 'nobody' | 'nonsense' | Caller; operation: string }

/** An order to the control API. */
export type Order =
  | {
      order: 'fault'
      fault: FaultOrder
      operation: string | null
      type: string | null
      nth: number
      times: number
      after: When | null
      until: When | null
      /** The one record that it befalls. */
      only: { kind: List; nth: number } | null
    }
  | { order: 'clearFaults' }
  | { order: 'clearRules' }
  | { order: 'release' }
  | { order: 'toNext' }
  | { order: 'reset' }
  | {
      order: 'rule'
      when: { call?: string; event?: string }
      trigger: string
      after: number
      times: number | null
    }
  | { order: 'hold'; type: string | null }
  | { order: 'resend' | 'duplicate'; nth: number }
  | { order: 'permit'; by: Caller; active: boolean; permissions: readonly string[] | null }
  | { order: 'allow'; by: Caller; range: Range }
  | { order: 'maySplit'; of: 'merchant' | 'receiver'; may: boolean }
  | { order: 'save' | 'restore' | 'forget'; name: string }
  | { order: 'backwards' }
  | { order: 'give'; entries: Entry[] }
  | { order: 'choose'; silences: Record<string, unknown> }

/** A step in one world. */
export type Inside = { do: 'call'; call: Call } | { do: 'ask'; ask: Ask } | { do: 'order'; order: Order }

/** One step of a program. `in` names a world, counted round. */
export type Step =
  | ({ in: number } & Inside)
  | { do: 'make'; given: Entry[] }
  | { do: 'fork' | 'end' | 'takeOut'; in: number }
  | { do: 'putIn'; in: number; spoilt: Spoilt | null }
  | { do: 'restart'; how: 'ended' | 'killed' | 'lost' }

/** Whether a program needs a sandbox of its own, whose worlds are kept in a file. */
export function restarts(program: readonly Step[]): boolean {
  return program.some((step) => step.do === 'restart')
}
