// Owns the shape of a control route: its row for the reference and what it does, in one place.
import { z } from 'zod'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import type { Context } from 'hono'
import type { SandboxErrorCode } from '../contract/errors.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { ScenarioPlayer } from './scenarioShapes.ts'

/** What control routes see of the server. */
export interface ControlServer {
  worlds: Worlds
  version: string
  /** The OpenAPI document of the control API. */
  reference: () => object
  /** Guards the routes when not null. */
  controlToken: string | null
  /** Plays a scenario; made by who stands above both. */
  playScenario: ScenarioPlayer
}

/** One call of a control route. */
export interface ControlCall<P, Q, B> {
  server: ControlServer
  /** The world that the path names, or the default one. */
  world: RunningWorld
  params: P
  query: Q
  body: B
  c: Context
}

/** One control route. Paths are relative to `/_sandbox`; those of a world also stand under `/_sandbox/worlds/{world}`. */
export interface ControlRoute {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  scope: 'server' | 'world'
  tag: string
  summary: string
  params: z.ZodObject
  query: z.ZodObject
  body: z.ZodType | null
  /** Media types of a body that is taken as text, as it came; null for JSON. */
  textTypes: readonly string[] | null
  /** Bytes of a body at most. */
  bodyLimit: number
  answer: z.ZodType
  /** Media type of a success. */
  answerType: string
  /** Media types of texts that a success can be asked for in place of JSON. */
  answerTexts: readonly string[]
  /** HTTP status of a success. */
  status: number
  /** A way to answer that is no success and no refusal. */
  failure: { status: number; description: string; schema: z.ZodType } | null
  /** Codes besides those that any control route can answer. */
  errors: readonly SandboxErrorCode[]
  /** Whether it answers without the control token. */
  open: boolean
  handle(call: ControlCall<never, never, never>): unknown
}

const EMPTY = z.object({})
type Empty = typeof EMPTY

/** A control route whose types are known: what callers send and get. */
export interface TypedRoute<
  Method extends ControlRoute['method'],
  Path extends string,
  A extends z.ZodType,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
> extends ControlRoute {
  method: Method
  path: Path
  params: P
  query: Q
  body: B | null
  answer: A
}

/** Declares a control route. A handler answers what its schema takes, or a whole response. */
export function route<
  const Method extends ControlRoute['method'],
  const Path extends string,
  A extends z.ZodType,
  P extends z.ZodObject = Empty,
  Q extends z.ZodObject = Empty,
  B extends z.ZodType = z.ZodNull,
>(row: {
  id: string
  method: Method
  path: Path
  scope?: 'server' | 'world'
  tag: string
  summary: string
  params?: P
  query?: Q
  body?: B
  textTypes?: readonly string[]
  bodyLimit?: number
  answer: A
  answerType?: string
  answerTexts?: readonly string[]
  status?: number
  failure?: NonNullable<ControlRoute['failure']>
  errors?: readonly SandboxErrorCode[]
  open?: boolean
  handle(
    call: ControlCall<z.output<P>, z.output<Q>, z.output<B>>,
  ): z.input<A> | Response | Promise<z.input<A> | Response>
}): TypedRoute<Method, Path, A, P, Q, B> {
  const defaults = {
    scope: 'world',
    params: EMPTY,
    query: EMPTY,
    body: null,
    textTypes: null,
    bodyLimit: MAX_BODY_BYTES,
    answerType: 'application/json',
    answerTexts: [],
    status: 200,
    failure: null,
    errors: [],
    open: false,
  }
  const query = (row.query ?? EMPTY).strict()
  return { ...defaults, ...row, query } as unknown as TypedRoute<Method, Path, A, P, Q, B>
}

/** Codes that any control route can answer. */
export const COMMON_CONTROL_ERRORS = [
  'sandbox_bad_request',
  'sandbox_unauthorized',
  'sandbox_cross_site',
  'sandbox_not_found',
  'sandbox_payload_too_large',
  'sandbox_internal_error',
] as const satisfies readonly SandboxErrorCode[]
