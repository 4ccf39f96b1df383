#!/usr/bin/env node
// Owns the first moment of the process: hears signals before anything else is loaded, and then runs the command line.
import { firstSignalToEnd } from './signals.ts'

/** Verbs that last until they are told to end. */
const LASTING: ReadonlySet<string | undefined> = new Set(['start', 'exec', 'tail'])

const args = process.argv.slice(2)
// The system drops what it sends to the first process of a container until somebody hears it.
const ending = LASTING.has(args[0]) ? firstSignalToEnd() : undefined
const { runCommandLine } = await import('./commandLine.ts')
await runCommandLine(args, ending)
