// Checks that hostile receivers cost no more than their attempt, and that the check tells a sender that falls for them.
import { describe, expect, test, vi } from 'vitest'
import { createSender } from '../../../src/webhooks/send.ts'
import { serve, untilEnd } from '../../webhooks/byHand.ts'
import { comesToHold, PATIENCE_MS } from './bounds.ts'
import { makeCertificates } from './certificates.ts'
import { checkReceivers } from './receiverChecks.ts'
import { openHostile } from './openReceiver.ts'
import { ENDLESS_BYTES, HOSTILE_RECEIVERS } from './receivers.ts'
import type { RequestOptions } from 'node:https'
import type { Millis } from '../../../src/kernel/brands.ts'
import type { Sender } from '../../../src/webhooks/send.ts'
import type { HostileReceiver } from './receivers.ts'

// Longer than the check is patient, so that it can say what it found.
vi.setConfig({ testTimeout: 240_000 })

const certificates = makeCertificates()

// A process takes roots to trust only at its start, from NODE_EXTRA_CA_CERTS.
vi.mock(import('node:https'), async (original) => {
  const real = await original()
  const request = (target: URL, options: RequestOptions): unknown =>
    real.request(target, { ...options, ca: certificates.root })
  return { ...real, request } as never
})

test('every hostile receiver is attempted as promised, told apart, read in bounds and let go', async () => {
  const server = await serve()
  const { receivers, attempts, findings } = await checkReceivers(server.url, certificates)
  expect(findings).toEqual([])
  expect(receivers).toBe(HOSTILE_RECEIVERS.length)
  expect(attempts).toBeGreaterThan(2 * receivers)
})

test('a receiver that answers before it has read, and stays, is let go', async () => {
  const stays: HostileReceiver = {
    name: 'an early answer',
    onConnect: (socket) => {
      socket.pause()
      socket.write('HTTP/1.1 204 Early\r\n\r\n')
    },
    expect: { status: 204 },
  }
  const receiver = untilEnd(await openHostile(stays, certificates))
  const body = Buffer.alloc(ENDLESS_BYTES)
  const { signal } = new AbortController()
  const { send } = createSender(() => ({ rewriteLocalhost: null, self: null, allow: null }))
  const shipment = { url: receiver.url, headers: {}, body, timeout: PATIENCE_MS as Millis, signal }
  expect(await send(shipment)).toEqual({ status: 204, answer: '' })
  receiver.readOn()
  expect(await comesToHold(() => receiver.open === 0)).toBe(true)
  expect(receiver.given).toBeLessThan(ENDLESS_BYTES)
})

describe('the check tells of a sender', () => {
  const only = (name: string) => HOSTILE_RECEIVERS.filter((receiver) => receiver.name === name)

  /** What is found when a sandbox sends with another sender. */
  async function foundWith(planted: Sender, name: string, patience = PATIENCE_MS): Promise<string[]> {
    const server = await serve()
    server.server.worlds.host.sender = planted
    const which = only(name)
    expect(which).toHaveLength(1)
    return (await checkReceivers(server.url, certificates, { which, patience })).findings
  }

  /** Sends as `fetch` does, which reads whole answers and follows redirects up to a limit. */
  const fetching = (init: RequestInit): Sender => ({
    async send({ url, headers, body }) {
      try {
        const response = await fetch(url, { method: 'POST', headers, body: body.toString(), ...init })
        await response.arrayBuffer()
        return { status: response.status, answer: '' }
      } catch (error) {
        return { error: String(error) }
      }
    },
  })

  test('that follows redirects', async () => {
    const findings = await foundWith(fetching({ redirect: 'follow' }), 'a redirect to itself')
    expect(findings).toContainEqual(
      expect.stringMatching(/^a redirect to itself: it was called 63 times for 3 attempts$/),
    )
    expect(findings).toContainEqual(expect.stringMatching(/attempt 1 says .*fetch failed.*, not 307$/))
  })

  test('that reads without end', async () => {
    const findings = await foundWith(fetching({ redirect: 'manual' }), 'a body without end')
    expect(findings).toContain('a body without end: 64.0 MiB were taken of one answer')
  })

  test('that keeps its connections', async () => {
    const never: Sender = {
      async send({ url }) {
        const { hostname, port } = new URL(url)
        const { connect } = await import('node:net')
        const socket = connect(Number(port), hostname)
        await new Promise((resolve) => socket.once('connect', resolve))
        return { error: 'timed out after 1 ms' }
      },
    }
    expect(await foundWith(never, 'no answer', 200)).toContain(
      'no answer: 3 of its connections were never closed',
    )
  })
})
