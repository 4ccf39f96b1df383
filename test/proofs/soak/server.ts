// Owns the observed server as it is seen from the process that soaks it: started, asked, told to end.
import { once } from 'node:events'
import { join } from 'node:path'
import { forkProgram, ordersTo } from '../../bench/program.ts'
import { comes } from '../hostile/bounds.ts'
import type { Program } from '../../bench/program.ts'
import type { EndSample } from './judge.ts'
import type { ServerOrders } from './observed.ts'

/** A server in a process of its own. */
export interface SoakedServer extends AsyncDisposable {
  url: string
  ask: Program<ServerOrders>['ask']
  /** Tells it to end, and kills it when it does not for as long as patience lasts, in host milliseconds. */
  end(patience: number): Promise<Omit<EndSample, 'lost'>>
}

/** What is started. */
export interface ServerOrder {
  /** The folder that is served: `dist` or `src`. */
  folder: string
  /** A program of the folder `programs`; the server without plants when left out. */
  program?: 'server' | 'leaking'
  /** Flags of the command `start`. */
  flags: Parameters<ServerOrders['start']>[0]
}

/** Starts a server; it listens when this resolves. */
export async function startSoaked({ folder, program = 'server', flags }: ServerOrder): Promise<SoakedServer> {
  const child = forkProgram(join(import.meta.dirname, 'programs', `${program}.ts`), [folder], 'pipe')
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const closed = once(child, 'close')
  const { ask } = ordersTo<ServerOrders>(child, program)
  const kill = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGKILL')
    await closed
  }
  try {
    const url = await ask('start', flags)
    return {
      url,
      ask,
      async end(patience) {
        const began = performance.now()
        child.kill('SIGTERM')
        await comes(closed, patience)
        const [code, ms] = [child.exitCode, performance.now() - began]
        await kill()
        return { code, ms, complaints }
      },
      [Symbol.asyncDispose]: kill,
    }
  } catch (error) {
    await kill()
    throw new Error(`${(error as Error).message}; it said: ${complaints}`, { cause: error })
  }
}
