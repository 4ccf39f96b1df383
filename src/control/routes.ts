// Owns the one table of control routes.
import { CLOCK_ROUTES } from './clockRoutes.ts'
import { COMMAND_ROUTES } from './commandRoutes.ts'
import { DELIVERY_ORDER_ROUTES } from './deliveryOrderRoutes.ts'
import { EXCHANGE_ROUTES } from './exchangeRoutes.ts'
import { EXPLAIN_ROUTES } from './explainRoutes.ts'
import { EXPORT_ROUTES } from './exportRoutes.ts'
import { FAULT_ROUTES } from './faultRoutes.ts'
import { GIVEN_ROUTES } from './givenRoutes.ts'
import { MONEY_ROUTES } from './moneyRoutes.ts'
import { RECORD_ROUTES } from './recordRoutes.ts'
import { RULE_ROUTES } from './ruleRoutes.ts'
import { SCENARIO_ROUTES } from './scenarioRoutes.ts'
import { SERVER_ROUTES } from './serverRoutes.ts'
import { SILENCE_ROUTES } from './silenceRoutes.ts'
import { SNAPSHOT_ROUTES } from './snapshotRoutes.ts'
import { WEBHOOK_ROUTES } from './webhookRoutes.ts'
import { WORLD_ROUTES } from './worldRoutes.ts'
import type { ControlRoute } from './route.ts'

const ROUTES = [
  ...SERVER_ROUTES,
  ...WORLD_ROUTES,
  ...SNAPSHOT_ROUTES,
  ...EXPORT_ROUTES,
  ...CLOCK_ROUTES,
  ...RECORD_ROUTES,
  ...GIVEN_ROUTES,
  ...MONEY_ROUTES,
  ...FAULT_ROUTES,
  ...RULE_ROUTES,
  ...EXCHANGE_ROUTES,
  ...COMMAND_ROUTES,
  ...EXPLAIN_ROUTES,
  ...DELIVERY_ORDER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SILENCE_ROUTES,
  ...SCENARIO_ROUTES,
]

/** The table. */
export const CONTROL_ROUTES: readonly ControlRoute[] = ROUTES

/** Every route with its types, by method and path such as `POST /clock/advance`. */
export type ControlRoutes = {
  [Row in (typeof ROUTES)[number] as `${Row['method']} ${Row['path']}`]: Row
}
