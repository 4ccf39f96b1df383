// Owns the triggers of a record as buttons: those that would fire now, with inputs for what they carry.
import { html } from 'hono/html'
import { z } from 'zod'
import { openDisputeOn } from '../domain/transactionRules.ts'
import { drivable, TRIGGER_PARAMETERS } from '../world/drive.ts'
import { action, card, empty } from './parts.ts'
import type { Html, View } from './page.ts'
import type { RecordKind, RecordOf } from './reads.ts'
import type { Field } from './parts.ts'

/** Triggers that end a record badly, and the one that is usually wanted next. */
const LOOKS: Readonly<Record<string, 'main' | 'danger'>> = {
  confirm: 'main',
  complete: 'main',
  win: 'main',
  fail: 'danger',
  reject: 'danger',
  lose: 'danger',
}

/** What can happen to a record now; nothing for a customer. */
export function triggersCard(view: View, record: RecordOf[RecordKind]): Html | null {
  const { words, world } = view
  const target = drivable(world, record.id)
  if (!target) return null
  const parameters = TRIGGER_PARAMETERS[target.kind]
  const forms = target.allowed().flatMap((trigger) => {
    const carried = parameters[trigger]
    return carried ? [triggerForm(view, record.id, trigger, carried)] : []
  })
  if ('method' in record && isDisputable(view, record)) {
    forms.push(disputeForm(view, record.id))
  }
  const body = forms.length === 0 ? empty(words.noTrigger) : html`<div class="row">${forms}</div>`
  return card('triggers', words.triggers, body, 'full')
}

/** Whether a dispute can be opened on a transaction: it was paid, and no other dispute on it is open. */
function isDisputable({ world }: View, transaction: RecordOf['transactions']): boolean {
  const isPaid = transaction.status === 'Completed' || transaction.status === 'PartiallyRefunded'
  return isPaid && openDisputeOn(world, transaction) === null
}

function triggerForm(view: View, id: string, trigger: string, carried: z.ZodType): Html {
  const fields = fieldsOf(carried, '', view)
  return action(view, {
    id: `fire-${trigger}`,
    route: '/trigger',
    send: { on: id, do: trigger },
    fields: fields.filter(({ required }) => required),
    options: fields.filter(({ required }) => required !== true),
    label: trigger,
    look: LOOKS[trigger] ?? 'plain',
  })
}

/** The inputs for what a trigger carries, read from its schema. */
function fieldsOf(schema: z.ZodType, prefix: string, view: View): Field[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, part]) => {
    const isOptional = part instanceof z.ZodOptional
    const inner = isOptional ? (part.unwrap() as z.ZodType) : part
    if (inner instanceof z.ZodObject) return fieldsOf(inner, `${prefix}${name}.`, view)
    const isMoney = name === 'amount'
    const label = `${prefix}${name}${isOptional ? ` (${view.words.optional})` : ''}`
    return [{ name: prefix + name, label, type: isMoney ? 'money' : 'text', required: !isOptional } as const]
  })
}

function disputeForm(view: View, paymentId: string): Html {
  const { words } = view
  return action(view, {
    id: 'open-dispute',
    route: '/disputes',
    send: { paymentId },
    options: [
      { name: 'amount', label: `amount (${words.optional})`, type: 'money' },
      { name: 'reason', label: `reason (${words.optional})`, placeholder: 'Fraud' },
      { name: 'deadline', label: `deadline (${words.optional})`, placeholder: '7d' },
    ],
    label: words.openDispute,
  })
}
