// Owns the forms that arm faults, each made from its row of the table.
import { html } from 'hono/html'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { befalls, DISPUTE_ANSWERS, FAULTS } from '../world/faultKinds.ts'
import { action, card } from './parts.ts'
import { sentWith, waysOf } from './schemaFields.ts'
import { ticked } from './toolParts.ts'
import type { z } from 'zod'
import type { FaultName } from '../world/faultKinds.ts'
import type { Html, View } from './page.ts'
import type { Field } from './parts.ts'

const NAMES = Object.keys(FAULTS) as FaultName[]

/** The faults of calls, or of deliveries, each with its form. */
export function armCard(view: View, target: 'call' | 'delivery'): Html {
  const { words } = view
  return card(
    `arm-${target}`,
    target === 'call' ? words.armCall : words.armDelivery,
    html`<div class="choices">
      ${NAMES.filter((name) => befalls(name) === target).map((name) => faultEntry(view, name))}
    </div>`,
    'half',
  )
}

/** A fault with what it does; opened, the form that arms it. */
function faultEntry(view: View, name: FaultName): Html {
  const { summary, schema, recipe }: { summary: string; schema: z.ZodType; recipe: { do: unknown } } =
    FAULTS[name]
  const ways = waysOf(schema, 'do', { example: (field) => at(recipe, field), strict: true })
  return html`<details class="choice" name="fault" id="fault-${name}">
    <summary><strong>${name}</strong> ${ticked(summary)}</summary>
    ${ways.map(({ fixed, fields }, index) => {
      const start = befalls(name) === 'delivery' ? { on: { delivery: {} } } : {}
      return action(view, {
        id: `arm-${name}${index === 0 ? '' : `-${index + 1}`}`,
        route: '/faults',
        send: sentWith(start, fixed),
        fields: [targetField(view, name), ...fields, timesField(view)],
        options: narrowingFields(view),
        label: labelOf(view, ways.length, fixed),
        look: 'main',
      })
    })}
  </details>`
}

/** What the button says; of several forms that need nothing typed, what they do. */
function labelOf({ words }: View, ways: number, fixed: readonly (readonly [string, unknown])[]): string {
  const [only] = fixed
  return ways > 1 && only ? `${words.arm}: ${String(only[1])}` : words.arm
}

function targetField({ words }: View, name: FaultName): Field {
  if (befalls(name) === 'delivery') {
    const any = { value: '', label: words.any }
    return { name: 'on.delivery.type', label: words.eventType, choices: [any, ...EVENT_TYPES.map(choice)] }
  }
  if (name === 'dispute_changed') {
    return {
      name: 'on.operation',
      label: words.operation,
      choices: DISPUTE_ANSWERS.map(choice),
      required: true,
    }
  }
  const any = { value: '', label: words.any }
  return { name: 'on.operation', label: words.operation, choices: [any, ...OPERATION_IDS.map(choice)] }
}

function choice(value: string): { value: string } {
  return { value }
}

function timesField({ words }: View): Field {
  return { name: 'times', label: words.times, type: 'number', placeholder: '1' }
}

function narrowingFields({ words }: View): Field[] {
  return [
    { name: 'subject', label: words.recordId },
    { name: 'nth', label: words.fromNthField, type: 'number', placeholder: '1' },
    { name: 'probability', label: words.probability, type: 'number', placeholder: '1' },
    { name: 'after', label: words.afterField },
    { name: 'until', label: words.untilField },
  ]
}

/** The part of something at a path such as `a.b`. */
function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, key) =>
        typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : undefined,
      value,
    )
}
