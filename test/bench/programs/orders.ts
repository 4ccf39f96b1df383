// Owns how a program of the bench takes orders from the process that started it, one answer for each.

/** What a program can be told to do, by name. */
export type Orders = Record<string, (...words: never[]) => unknown>

/** One order on its way to a program. */
export interface Order {
  id: number
  name: string
  words: unknown[]
}

/** What came of an order. */
export interface Outcome {
  id: number
  value?: unknown
  /** Why it failed. */
  failure?: string
}

/** Takes orders until the other process ends, and ends then. */
export function takeOrders(orders: Orders): void {
  const carryOut = async ({ id, name, words }: Order): Promise<Outcome> => {
    try {
      const carry = orders[name] as (...given: unknown[]) => unknown
      return { id, value: await carry(...words) }
    } catch (error) {
      return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  process.on('message', (order: Order) => {
    void carryOut(order).then((outcome) => process.send?.(outcome))
  })
  process.on('disconnect', () => process.exit())
}
