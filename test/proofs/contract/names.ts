// Owns the wire names that the contract hides, and what a check that needs one of them comes to.
import { Differs, LeftOut } from './check.ts'

/** The hidden names that the suite sends; the published ones unless told otherwise. */
export const PUBLISHED_NAMES = {
  pixExpirationMinutes: 'pixExpirationMinutes',
  customerDocument: 'customerDocument',
  customerEmail: 'customerEmail',
  customerPhone: 'customerPhone',
  boletoDueDate: 'boletoDueDate',
  installments: 'installments',
  page: 'page',
  pageSize: 'pageSize',
  status: 'status',
  documentType: 'documentType',
  search: 'search',
  externalId: 'externalId',
  startDate: 'startDate',
  endDate: 'endDate',
} as const

/** A name that the contract hides, by the word that the suite uses for it. */
export type HiddenName = keyof typeof PUBLISHED_NAMES

/** The hidden names of one target. */
export interface Names {
  /** The wire name to send. */
  of(name: HiddenName): string
  /**
   * Makes a part of a check that needs this name to be right. Where it does not hold and nobody told the name, nothing is
   * proven: the name may be another one, so the check is left out.
   */
  needing(name: HiddenName, body: () => Promise<void>): Promise<void>
}

/** The names of a target: these were told, the others are guessed to be the published ones. */
export function openNames(toldNames: Partial<Record<HiddenName, string>>): Names {
  const of = (name: HiddenName): string => toldNames[name] ?? PUBLISHED_NAMES[name]
  return {
    of,
    async needing(name, body) {
      try {
        await body()
      } catch (error) {
        if (!(error instanceof Differs) || name in toldNames) throw error
        const hint = `the contract hides this name and '${of(name)}' is a guess; tell it with --name ${name}=...`
        throw new LeftOut(`${error.message}; ${hint}`, { cause: error.got })
      }
    },
  }
}

/** Whether a word is one of the hidden names. */
export function isHiddenName(word: string): word is HiddenName {
  return word in PUBLISHED_NAMES
}
