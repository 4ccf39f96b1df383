// The least that sends requests with `fetch`: some loops side by side, each one request after the other.
import { takeOrders } from './orders.ts'

const ORDERS = {
  /** Sends one request again and again, and answers how many milliseconds all of them took. */
  async send(
    url: string,
    { body, headers }: { body: string; headers: Record<string, string> },
    { amount, loops }: { amount: number; loops: number },
  ): Promise<number> {
    let left = amount
    const loop = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        const response = await fetch(url, { method: 'POST', body, headers })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: loops }, loop))
    return performance.now() - began
  },
}

/** What the loop can be told. */
export type FetchLoopOrders = typeof ORDERS

takeOrders(ORDERS)
