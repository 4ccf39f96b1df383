// Opens servers and receivers for one test and closes them after it; a defect that a server reported fails the test.
import { afterEach } from 'vitest'
import { openReceiver, openServer } from '../support/server.ts'
import type { ServerOptions } from '../../src/server.ts'
import type { Receiver, ReceiverAnswer, TestServer } from '../support/server.ts'

let opened: (Receiver | TestServer)[] = []
afterEach(async () => {
  const closing = opened
  opened = []
  await Promise.all(closing.map((each) => each.close()))
  const defects = closing.flatMap((each) => ('defects' in each ? each.defects : []))
  if (defects.length > 0) throw new AggregateError(defects, 'the sandbox reported defects')
})

/** A server on a free port, frozen unless told otherwise. */
export async function serve(options: ServerOptions = {}): Promise<TestServer> {
  const server = await openServer(options)
  opened.push(server)
  return server
}

/** A merchant's receiver that gives its answers in order, and 204 when none is left. */
export async function receive(...answers: ReceiverAnswer[]): Promise<Receiver> {
  const receiver = await openReceiver(...answers)
  opened.push(receiver)
  return receiver
}
