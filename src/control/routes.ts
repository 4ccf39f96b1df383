// Owns the one table of control routes.
import { CLOCK_ROUTES } from './clockRoutes.ts'
import { EXCHANGE_ROUTES } from './exchangeRoutes.ts'
import { FAULT_ROUTES } from './faultRoutes.ts'
import { MONEY_ROUTES } from './moneyRoutes.ts'
import { RECORD_ROUTES } from './recordRoutes.ts'
import { SERVER_ROUTES } from './serverRoutes.ts'
import { SILENCE_ROUTES } from './silenceRoutes.ts'
import { SNAPSHOT_ROUTES } from './snapshotRoutes.ts'
import { WEBHOOK_ROUTES } from './webhookRoutes.ts'
import { WORLD_ROUTES } from './worldRoutes.ts'
import type { ControlRoute } from './route.ts'

/** The table. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...SERVER_ROUTES,
  ...WORLD_ROUTES,
  ...SNAPSHOT_ROUTES,
  ...CLOCK_ROUTES,
  ...RECORD_ROUTES,
  ...MONEY_ROUTES,
  ...FAULT_ROUTES,
  ...EXCHANGE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SILENCE_ROUTES,
]
