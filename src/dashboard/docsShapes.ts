// Owns what an operation of an API page is, before it is shown.
import type { OpenApiOperation } from '../contract/openapiDocument.ts'
import type { Example } from './docsExamples.ts'
import type { Schemas } from './docsSchema.ts'
import type { Html } from './page.ts'
import type { Words } from './words.ts'

/** Media type of bodies that are written as text. */
export const JSON_TYPE = 'application/json'

/** One operation, ready to be shown. */
export interface Shown {
  /** Unique in the page; also its anchor. */
  id: string
  /** What the contents call it. */
  name: string
  method: string
  path: string
  operation: OpenApiOperation
  /** How it is tried; null for what a browser cannot try. */
  trial: Trial | null
}

/** What the form of an operation begins with. */
export interface Trial {
  /** The path that is called, when it is not the one that is shown. */
  path: string
  examples: readonly Example[]
  /** Values of path parameters by name. */
  known: Readonly<Record<string, string>>
}

/** What every operation of a page shares. */
export interface Shared {
  words: Words
  schemas: Schemas
  /** Makes what is said of an operation, and remembers it: it changes only with the document and the language. */
  kept(operation: OpenApiOperation, make: () => Html): Html
}
