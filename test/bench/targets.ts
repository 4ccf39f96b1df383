// Owns what the project wants of its own speed, and whether a figure gets there.
import type { Figure } from './figures.ts'

/** What is wanted of one figure: of its value in its unit, or of its ratio to what stands beside it. */
export type Target = { of: 'value' | 'ratio' } & ({ atLeast: number } | { below: number })

/** The targets by the id of their figure, on two cores. A figure without one only stands there to be seen. */
export const TARGETS: Readonly<Record<string, Target>> = {
  'calls.create': { of: 'ratio', atLeast: 0.6 },
  'calls.get': { of: 'ratio', atLeast: 0.8 },
  'calls.list': { of: 'ratio', atLeast: 0.5 },
  'stored.memoryMany': { of: 'ratio', atLeast: 0.9 },
  'stored.dataFew': { of: 'ratio', atLeast: 0.7 },
  'stored.dataMany': { of: 'ratio', atLeast: 0.7 },
  deliveries: { of: 'ratio', atLeast: 1.5 },
  'advance.many': { of: 'value', below: 1_000 },
  'worlds.creation': { of: 'value', below: 1 },
  'worlds.memory': { of: 'value', below: 20_000 },
  'start.process': { of: 'ratio', below: 4 },
}

/** The target of a figure; null when it has none. */
export function targetOf({ id }: Pick<Figure, 'id'>): Target | null {
  return TARGETS[id] ?? null
}

/** Whether a figure is where it is wanted; null for a figure that was left out. */
export function isReached(figure: Figure, target: Target): boolean | null {
  const found = figure[target.of]
  if (found === null) return null
  return 'atLeast' in target ? found >= target.atLeast : found < target.below
}
