// A merchant's webhook server that takes everything, counts it and keeps the last request.
import { createServer } from 'node:http'
import { takeOrders } from './orders.ts'
import type { AddressInfo } from 'node:net'

const got = { count: 0, body: '', headers: {} as Record<string, string> }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    got.count += 1
    got.body = Buffer.concat(chunks).toString()
    got.headers = request.headers as Record<string, string>
    response.writeHead(204).end()
  })
})

const ORDERS = {
  /** Listens on a free port, and answers its address. */
  listen: (): Promise<string> =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`),
      )
    }),
  /** How many requests came so far, and the last one. */
  received: () => got,
}

/** What the receiver can be told. */
export type ReceiverOrders = typeof ORDERS

takeOrders(ORDERS)
