// A bare Hono app on the server adapter of the sandbox: parses the body of a call and answers the JSON that it was given.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { takeOrders } from './orders.ts'
import type { AddressInfo } from 'node:net'

/** One route and what it always answers. */
export interface BareRoute {
  method: string
  path: string
  status: number
  answer: unknown
}

const ORDERS = {
  /** Serves routes on a free port, and answers its address. */
  serve(routes: BareRoute[]): Promise<string> {
    const app = new Hono()
    for (const { method, path, status, answer } of routes) {
      app.on(method, path, async (c) => {
        if (method !== 'GET') await c.req.json()
        return c.json(answer, status as 200)
      })
    }
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      )
    })
  },
}

/** What the bare app can be told. */
export type BareOrders = typeof ORDERS

takeOrders(ORDERS)
