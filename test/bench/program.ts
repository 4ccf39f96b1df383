// Owns the programs that a run starts beside itself, so that what is measured and what measures have a process each.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import type { Order, Orders, Outcome } from './programs/orders.ts'

/** A program that takes orders. */
export interface Program<O extends Orders> extends AsyncDisposable {
  /**
   * Gives an order and waits for its answer.
   * @throws {Error} with what the program complained of
   */
  ask<Name extends keyof O & string>(
    name: Name,
    ...words: Parameters<O[Name]>
  ): Promise<Awaited<ReturnType<O[Name]>>>
}

/** Starts a program of the folder `programs`; it ends with its owner, at the latest with this process. */
export function startProgram<O extends Orders>(name: string, ...args: string[]): Program<O> {
  const child = forkProgram(join(import.meta.dirname, 'programs', `${name}.ts`), args, 2)
  const { ask, ended } = ordersTo<O>(child, name)
  return {
    ask,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** Starts a program in TypeScript that can collect its garbage. It ends at the latest with this process. */
export function forkProgram(file: string, args: readonly string[], stderr: 'pipe' | 2): ChildProcess {
  return fork(file, args, {
    execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')],
    serialization: 'advanced',
    stdio: ['ignore', 2, stderr, 'ipc'],
  })
}

/** The way to give orders to a program that takes them; `ended` is kept once it has ended. */
export function ordersTo<O extends Orders>(
  child: ChildProcess,
  name: string,
): Pick<Program<O>, 'ask'> & { ended: Promise<void> } {
  const waiting = new Map<number, (outcome: Outcome) => void>()
  let orders = 0
  let gone: string | null = null
  child.on('message', (outcome: Outcome) => {
    waiting.get(outcome.id)?.(outcome)
    waiting.delete(outcome.id)
  })
  const ended = once(child, 'exit').then(() => {
    gone = `the program ${name} ended`
    for (const [id, tell] of waiting) tell({ id, failure: gone })
  })
  return {
    async ask(order, ...words) {
      orders += 1
      const sent: Order = { id: orders, name: order, words }
      const { value, failure } = await new Promise<Outcome>((resolve) => {
        waiting.set(sent.id, resolve)
        if (gone === null) child.send(sent)
        else resolve({ id: sent.id, failure: gone })
      })
      if (failure !== undefined) throw new Error(`${name}.${order}: ${failure}`)
      return value as never
    },
    ended,
  }
}
