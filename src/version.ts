// Owns what the package says of itself, read without loading the server.
import { createRequire } from 'node:module'

/** Version of this package, and the versions of Node that it runs on. */
export const PACKAGE = createRequire(import.meta.url)('../package.json') as {
  version: string
  engines: { node: string }
}
