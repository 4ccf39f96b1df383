// Owns the pictures of a machine: a Mermaid state diagram and a Markdown table, both drawn from its rows.
import { finalStatuses } from './machine.ts'
import type { AnyMachine, Machine } from './machine.ts'

/** A Mermaid `stateDiagram-v2` of a machine: one arrow for each pair of statuses, labelled with its triggers. */
export function toMermaid(machine: AnyMachine): string {
  const arrows = new Map<string, string[]>()
  for (const { from, to, on, when } of machine.rows) {
    const arrow = `${from ?? '[*]'} --> ${to}`
    const label = when === undefined ? on : `${on} [${when}]`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), label])
  }
  const lines = [...arrows].map(([arrow, labels]) => `    ${arrow}: ${[...new Set(labels)].join(', ')}`)
  const ends = finalStatuses(machine).map((status) => `    ${status} --> [*]`)
  return ['stateDiagram-v2', ...lines, ...ends].join('\n')
}

/** A Markdown table of a machine: one line for each row. `describe` puts an effect into words. */
export function toMarkdown<Effect>(
  machine: Machine<string, string, string, Effect>,
  describe: (effect: Effect) => string,
): string {
  const lines = machine.rows.map(({ from, on, when, to, effects, source }) => {
    const guard = when === undefined ? '' : `\`${when}\``
    const cells = [from ?? '(creation)', `\`${on}\``, guard, to, effects.map(describe).join('; '), source]
    return `| ${cells.join(' | ')} |`
  })
  return ['| From | Trigger | When | To | Effects | Source |', '|---|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
