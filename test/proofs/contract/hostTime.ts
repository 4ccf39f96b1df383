// Owns waiting on the time of this machine: for the command, whose target is a program that nobody here can hurry.
import type { Host } from './call.ts'

/** The time of this machine. No test may use it: tests put the clock of their sandbox in its place. */
export const HOST: Host = {
  now: () => Date.now(),
  pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}
