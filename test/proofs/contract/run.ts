// Owns one run of the suite: which chapters it goes through, in which order, and what it needs to begin.
import { isSuccess, openGateway } from './call.ts'
import { LeftOut, openBook } from './check.ts'
import { authentication, tokenLimit } from './chapters/authentication.ts'
import { customers } from './chapters/customers.ts'
import { disputes } from './chapters/disputes.ts'
import { envelope, strayCalls } from './chapters/envelope.ts'
import { methods } from './chapters/methods.ts'
import { balance, cashouts } from './chapters/money.ts'
import { simulation } from './chapters/simulation.ts'
import { transactions } from './chapters/transactions.ts'
import { webhooks } from './chapters/webhooks.ts'
import { openNames } from './names.ts'
import { openRecords } from './suite.ts'
import type { Pace } from './call.ts'
import type { Found } from './check.ts'
import type { HiddenName } from './names.ts'
import type { Receiver } from './receiver.ts'
import type { Given, Keys, Suite } from './suite.ts'

/** What the suite is aimed at, and what it may use there. */
export interface Target extends Pace, Given {
  url: string
  keys: Keys
  environment: 'Sandbox' | 'Production'
  receiver: Receiver | null
  chapters: readonly ChapterName[]
  /** The wire names that the contract hides, as far as they are known. */
  names: Partial<Record<HiddenName, string>>
}

/** Chapters that need a token, in the order in which they are gone through. */
const CHAPTERS = {
  transactions,
  methods,
  simulation,
  customers,
  balance,
  cashouts,
  disputes,
  webhooks,
  strayCalls,
  tokenLimit,
} satisfies Record<string, (suite: Suite) => Promise<void>>

/** A chapter that a run may be kept to; authentication and envelope are always gone through. */
export type ChapterName = keyof typeof CHAPTERS
/** All of them, in their order. */
export const CHAPTER_NAMES = Object.keys(CHAPTERS) as ChapterName[]

/** Goes through the chapters of the contract. Never throws for what the target does. */
export async function checkContract(target: Target): Promise<Found> {
  const book = openBook()
  const gateway = openGateway(target.url, target)
  const parts = {
    gateway,
    host: target.host,
    keys: target.keys,
    environment: target.environment,
    names: openNames(target.names),
    receiver: target.receiver,
    given: target,
  }
  const suite: Suite = { book, ...parts, records: openRecords(parts, `contract-${target.host.now()}`) }

  await goThrough(suite, authentication)
  if (gateway.answers.some((answer) => answer.call === 'POST /v1/auth/token' && isSuccess(answer))) {
    for (const name of CHAPTER_NAMES.filter((each) => target.chapters.includes(each))) {
      await goThrough(suite, CHAPTERS[name])
    }
  } else {
    await book.holds('the other chapters', () => {
      throw new LeftOut('no token could be had')
    })
  }
  await goThrough(suite, envelope)
  return book.found
}

/** Goes through one chapter; what ends it early is a finding too. */
async function goThrough(suite: Suite, chapter: (suite: Suite) => Promise<void>): Promise<void> {
  try {
    await chapter(suite)
  } catch (error) {
    await suite.book.holds(`the chapter ${chapter.name} can be gone through`, () => {
      throw error
    })
  }
}
