// Owns what tests ask of a sandbox through its control API: records that a run needs, and its clock in place of the host's.
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { DISPUTE_FILE } from './ownSandbox.ts'
import type { Host } from './call.ts'

/** What a run can be given. */
export interface Prepared {
  splitCode: string
  dispute: string
}

const scenario = z.object({ given: z.unknown() })
const answered = z.object({ names: z.object({ dispute: z.object({ id: z.string() }) }) })
const organizations = z.object({ items: z.array(z.object({ splitCode: z.string(), name: z.string() })) })

async function control(url: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

/** The clock of the sandbox at this URL, frozen at an instant, in place of the host's: so a run waits for nothing. */
export function clockOf(url: string, start: string): Host {
  let now = Date.parse(start)
  return {
    now: () => now,
    async pass(milliseconds) {
      await control(url, 'clock/advance', { by: `${milliseconds}ms` })
      now += milliseconds
    },
  }
}

/** Opens a dispute in the default world of the sandbox at this URL, and finds its second organisation. */
export async function prepare(url: string): Promise<Prepared> {
  const { given } = scenario.parse(parse(await readFile(DISPUTE_FILE, 'utf8')))
  const { names } = answered.parse(await control(url, 'given', given))
  const listed = organizations.parse(await (await fetch(`${url}/_sandbox/organizations`)).json())
  // Newest first: the organisation to split to was made after the merchant's own.
  return { splitCode: listed.items[0]?.splitCode ?? '', dispute: names.dispute.id }
}
