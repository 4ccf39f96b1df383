// Owns starting the built sandbox as a process of its own, for runs that are aimed at nothing else.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Keys } from './suite.ts'

const PROGRAM = resolve(import.meta.dirname, '../../../dist/cli/main.js')
/** A scenario file that opens a dispute, which no merchant can do. */
export const DISPUTE_FILE = join(import.meta.dirname, 'dispute.yaml')

const keys = { publicKey: z.string(), secretKey: z.string() }
/** What `start --json` says, as far as a run needs it. */
const greeting = z.object({
  url: z.string(),
  ...keys,
  production: z.object(keys),
  receiver: z.object({ splitCode: z.string() }),
  names: z.object({ dispute: z.object({ id: z.string() }) }),
})

/** A sandbox that runs. */
export interface OwnSandbox {
  url: string
  sandbox: Keys
  production: Keys
  splitCode: string
  dispute: string
  /** Ends it and waits until it has ended. */
  close(): Promise<void>
}

/** Starts the built sandbox on a free port. Throws when it is not built or does not listen. */
export async function startOwnSandbox(): Promise<OwnSandbox> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: npm run build`)
  // A setting of the caller such as SANDBOX_URL is about the target, not about this sandbox.
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBOX_'))
  const child = spawn(
    process.execPath,
    [PROGRAM, 'start', '--port', '0', '--json', '--scenario', DISPUTE_FILE],
    { stdio: ['ignore', 'pipe', 'inherit'], env: Object.fromEntries(kept) },
  )
  const ended = new Promise<void>((end) => {
    child.once('exit', () => end())
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, publicKey, secretKey, production, receiver, names } = greeting.parse(JSON.parse(line))
    return {
      url,
      sandbox: { publicKey, secretKey },
      production,
      splitCode: receiver.splitCode,
      dispute: names.dispute.id,
      close: () => {
        child.kill()
        return ended
      },
    }
  }
  throw new Error('the sandbox ended before it listened')
}
