// The server that is soaked.
import { serveObserved } from '../observed.ts'

await serveObserved()
