// Owns naming the machine that figures were taken on.
import { cpus, totalmem } from 'node:os'

/** What a run was made on. */
export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  node: string
  system: string
}

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
  }
}

/** A machine in a few words. */
export function machineToText({ cpu, cores, memoryGiB, node, system }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`
}
