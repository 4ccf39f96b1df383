// Owns what a handler is: a synchronous answer to a call whose shape, caller and record are settled.
import type { z } from 'zod'
import type { EndpointOf, OperationId } from '../contract/endpoints.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Cashout, Credential, Customer, Dispute, Scope, Transaction } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Tokens } from './tokens.ts'
import type { Upload } from './upload.ts'

/** The records that paths name, by their kind. */
export interface Records {
  transaction: Transaction
  customer: Customer
  cashout: Cashout
  dispute: Dispute
}

type Output<S> = S extends z.ZodType ? z.output<S> : null

/** One call, ready to be answered. */
export interface Call<Id extends OperationId> {
  world: RunningWorld
  /** Null for the endpoints that need no token. */
  credential: EndpointOf<Id>['permission'] extends null ? null : Credential
  /** Whose records; the empty scope for the endpoints that need no token. */
  scope: Scope
  /** The record that the path names. */
  record: EndpointOf<Id>['record'] extends keyof Records ? Records[EndpointOf<Id>['record']] : null
  query: Output<EndpointOf<Id>['query']>
  body: Output<EndpointOf<Id>['body']>
  /** The file of a multipart body. */
  upload: Upload | null
  /** The header `If-Match`. */
  ifMatch: string | null
  /** The address that calls. */
  address: string
  tokens: Tokens
}

/** What a handler answers. */
export interface Success<Id extends OperationId> {
  data: z.input<EndpointOf<Id>['data']>
  message?: string
  headers?: Record<string, string>
}

/** The answer of a handler: data of the endpoint's schema, or a code that the endpoint declares. */
export type Answer<Id extends OperationId> = Success<Id> | Refusal<EndpointOf<Id>['errors'][number]>

/** Answers the calls of one endpoint. Only token creation has to wait, for its signature. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer<Id> | Promise<Answer<Id>>

/** Handlers of some endpoints. */
export type Handlers<Id extends OperationId> = { [Each in Id]: Handler<Each> }
