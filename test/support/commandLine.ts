// Owns how the scripts of this project end: 0 when all held, 1 when something did not, 2 for wrong usage.

/** Says what is wrong with a command line. */
export class UsageError extends Error {}

/** Runs a script to its exit code. What was asked wrongly is told in one line, and what broke with its stack. */
export async function runScript(name: string, run: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await run()) ? 0 : 1
  } catch (error) {
    const told = error instanceof Error ? error : new Error(String(error))
    const isUsage =
      told instanceof UsageError || (told as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
    process.stderr.write(`${name}: ${isUsage ? told.message : told.stack}\n`)
    process.exitCode = isUsage ? 2 : 1
  }
}
