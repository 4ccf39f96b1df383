// Owns the public API of the package.
export { connectSandbox, startSandbox } from './sandbox.ts'
export { SandboxError } from './client/errors.ts'
export { ScenarioError } from './scenario/problems.ts'
export { recordScenario } from './recorder/record.ts'
export { verifySignature } from './webhooks/verify.ts'
export type { ClockText, ConnectOptions, Sandbox, StartOptions, WorldOptions } from './sandbox.ts'
export type { Place, Problem } from './scenario/problems.ts'
export type { RecordOptions } from './recorder/record.ts'
export type { ScenarioFailure, ScenarioResult, StepResult } from './scenario/play.ts'
export type { SandboxFailure } from './client/errors.ts'
export type { AdvanceTo, Advanced, ClockReading, DrivenTimers, WorldClock } from './client/clock.ts'
export type { DriveOptions, FakeClock } from './client/fakeTimers.ts'
export type { Inbox, InboxAnswer, InboxMessage } from './client/inbox.ts'
export type { GivenNames, Rule } from './client/setup.ts'
export type { Records } from './client/records.ts'
export type { WorldEvent } from './client/events.ts'
export type {
  CommandLog,
  Delivery,
  DeliveryDetail,
  Exchange,
  Fault,
  Fired,
  SandboxWorld,
  Settled,
  Silence,
  Snapshot,
  Story,
  TriggerName,
  TriggerParameters,
  WorldFacts,
} from './client/world.ts'
export type { SignatureForm, WebhookHeaders } from './webhooks/verify.ts'
export type { GivenInput } from './world/givenShapes.ts'
export type { RuleOrder } from './world/ruleShapes.ts'
export type { EventType } from './contract/events.ts'
export type {
  CashoutEvent,
  CashoutWebhook,
  DisputeEvent,
  DisputeWebhook,
  TransactionWebhook,
  TransactionEvent,
  Webhook,
} from './contract/webhookPayloads.ts'
