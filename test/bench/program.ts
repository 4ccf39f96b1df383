// Owns the programs that a run starts beside itself, so that what is measured and what measures have a process each.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
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
  const child = fork(join(import.meta.dirname, 'programs', `${name}.ts`), args, {
    execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')],
    serialization: 'advanced',
    stdio: ['ignore', 2, 2, 'ipc'],
  })
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
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
