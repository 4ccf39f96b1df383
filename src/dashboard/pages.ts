// Owns the table of pages: each with its path, its place in the navigation, and what it shows.
import { DELIVERY_LIST_PAGE } from './deliveryListPage.ts'
import { DELIVERY_PAGE } from './deliveryPage.ts'
import { EXCHANGE_LIST_PAGE } from './exchangeListPage.ts'
import { EXCHANGE_PAGE } from './exchangePage.ts'
import { FAULT_PAGE } from './faultPage.ts'
import { RECORD_KINDS } from './reads.ts'
import { listPage } from './listPages.ts'
import { OVERVIEW_PAGE } from './overviewPage.ts'
import { recordPage } from './recordPages.ts'
import { SCENARIO_PAGE } from './scenarioPage.ts'
import { SILENCE_PAGE } from './silencePage.ts'
import type { PageRow } from './page.ts'

/** Every page, in the order of the navigation. */
export const PAGES: readonly PageRow[] = [
  OVERVIEW_PAGE,
  ...RECORD_KINDS.map((kind) => listPage(kind)),
  DELIVERY_LIST_PAGE,
  EXCHANGE_LIST_PAGE,
  FAULT_PAGE,
  SILENCE_PAGE,
  SCENARIO_PAGE,
  ...RECORD_KINDS.map((kind) => recordPage(kind)),
  DELIVERY_PAGE,
  EXCHANGE_PAGE,
]
