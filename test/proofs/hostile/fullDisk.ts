// Owns the check of a server process whose disk is full for a while: it refuses, goes on, and has what it answered.
import { mkdtempSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCall, openWorld, send } from '../../bench/gateway.ts'
import { mountSmallDisk, unmountSmallDisk } from '../../support/smallDisk.ts'
import { hasSmallDisks } from '../../support/tools.ts'
import { startProcess } from './process.ts'

/** Calls while the disk is full: the last page of the journal still takes some. */
const CALLS = 50

/** What a check of a full disk found. */
interface DiskReport {
  refused: number
  kept: number
  findings: string[]
}

/** Runs a server on a disk of a megabyte that is filled and emptied again; null where no such disk can be made. */
export async function checkFullDisk(): Promise<DiskReport | null> {
  if (!hasSmallDisks('a full disk')) return null
  const folder = mkdtempSync(join(tmpdir(), 'gateway-sandbox-full-'))
  mountSmallDisk(folder, 'size=1m')
  try {
    return await checkIn(folder)
  } finally {
    unmountSmallDisk(folder)
    rmdirSync(folder)
  }
}

async function checkIn(folder: string): Promise<DiskReport> {
  const args = ['--data', join(folder, 'sandbox.json')]
  const sold: string[] = []
  let refused = 0
  let token = ''
  {
    await using server = await startProcess({ args })
    const world = await openWorld(server.url)
    token = world.token
    const sell = async (): Promise<void> => {
      try {
        sold.push((await send<{ data: { id: string } }>(server.url, createCall(world))).data.id)
      } catch {
        refused += 1
      }
    }
    await sell()
    fill(join(folder, 'ballast'))
    for (let count = 0; count < CALLS; count += 1) await sell()
    truncateSync(join(folder, 'ballast'), 0)
    await sell()
    await server.end()
  }
  await using next = await startProcess({ args })
  const lost: string[] = []
  for (const id of sold) {
    const call = {
      method: 'GET',
      path: `/v1/transactions/${id}`,
      headers: { authorization: `Bearer ${token}` },
    } as const
    await send(next.url, call).catch(() => lost.push(id))
  }
  return {
    refused,
    kept: sold.length - lost.length,
    findings: [
      ...(refused > 0 ? [] : ['no call was refused while the disk was full']),
      ...(sold.length > 1 ? [] : ['no call was answered once there was space again']),
      ...(lost.length === 0 ? [] : [`${lost.length} answered sales are lost`]),
    ],
  }
}

/** Takes all the space that is left. */
function fill(path: string): void {
  try {
    writeFileSync(path, Buffer.alloc(2 * 1_048_576, 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
