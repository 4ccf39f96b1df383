// Owns varying: which variations a server plays, and what they do to bodies. Drawn from a seed, so that a run repeats.
import { VARIATION_NAMES } from '../contract/variations.ts'
import { closest } from '../kernel/closest.ts'
import { createRandom, seedState } from '../kernel/random.ts'
import { Misuse } from './misuse.ts'
import type { VariationName } from '../contract/variations.ts'
import type { Random } from '../kernel/random.ts'

/** What a server varies. */
export interface Variation {
  seed: string
  /** In the order of the table. */
  names: VariationName[]
}

/**
 * A variation of everything but what is named.
 * @throws {Misuse} for a name that is none
 */
export function variationOf(seed: string, without: readonly string[] = []): Variation {
  const known: readonly string[] = VARIATION_NAMES
  const stranger = without.find((name) => !known.includes(name))
  if (stranger !== undefined) {
    const near = closest(stranger, known)
    throw new Misuse(
      'sandbox_bad_request',
      `'${stranger}' is nothing that varies.${near === null ? '' : ` Did you mean '${near}'?`} There are ${known.join(', ')}.`,
    )
  }
  return { seed, names: VARIATION_NAMES.filter((name) => !without.includes(name)) }
}

/** Chance for one thing that is varied; null when the server does not vary it. The same key gives the same chance. */
export function chanceOf(
  variation: Variation | null,
  world: string,
  name: VariationName,
  key: string,
): Random | null {
  if (!variation?.names.includes(name)) return null
  return createRandom(seedState(`${variation.seed}/vary/${world}/${name}/${key}`))
}

/** What varying bodies needs of a world. */
interface Varying {
  vary(name: VariationName, key: string): Random | null
}

type Fields = Record<string, unknown>

/** A body as it is varied: fields left out, fields added, and all of them in another order. */
export function variedBody<Body extends object>(
  world: Varying,
  body: Body,
  key: string,
  isStated: (name: string) => boolean,
): Body {
  const [missing, extra, order] = [
    world.vary('absentFields', key),
    world.vary('extraFields', key),
    world.vary('fieldOrder', key),
  ]
  const left = missing ? withoutNulls(body, missing, isStated) : body
  const grown = extra ? withExtras(left as Fields, extra) : left
  return (order ? shuffled(grown, order) : grown) as Body
}

/** Leaves out some of the null fields of `data` that are not stated. */
function withoutNulls(body: object, chance: Random, isStated: (name: string) => boolean): object {
  const { data } = body as { data?: unknown }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return body
  const kept = Object.entries(data).filter(
    ([name, value]) => value !== null || isStated(name) || chance.fraction() < 0.5,
  )
  return { ...body, data: Object.fromEntries(kept) }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function withExtras(body: Fields, chance: Random): Fields {
  const extra = (): Fields => ({
    [`x${chance.text(LETTERS, 6)}`]: chance.text(LETTERS, 1 + chance.below(12)),
  })
  const { data } = body
  const inner = typeof data === 'object' && data !== null && !Array.isArray(data)
  return { ...body, ...extra(), ...(inner ? { data: { ...data, ...extra() } } : {}) }
}

/** The same value with the fields of every object in it in another order. */
function shuffled(value: unknown, chance: Random): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffled(each, chance))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]): [number, [string, unknown]] => [
    chance.fraction(),
    [name, shuffled(each, chance)],
  ])
  return Object.fromEntries(entries.toSorted(([one], [two]) => one - two).map(([, entry]) => entry))
}

/** A message in other words that mean the same. */
export function variedMessage(world: Varying, message: string | null, key: string): string | null {
  const chance = message === null ? null : world.vary('messageTexts', key)
  return chance ? `${message ?? ''} [${chance.text(LETTERS, 2 + chance.below(6))}]` : message
}
