// Proves that a sandbox keeps its promises in hostile surroundings, as a process of its own.
//
//   npm run prove:hostile [-- --connections N] [--programs N] [--seed N] [--save]
//
// `--connections` hang on the server at once while a normal client is served, and again while it is told to end. `--programs`
// are runs on a host whose calendar jumps, drawn from the seed. `--save` keeps the figures for the README.
// Ends with 0 when all held, 1 when something did not, 2 for wrong usage.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { keepRun } from '../lastRuns.ts'
import { createCall, openWorld, send } from '../../bench/gateway.ts'
import { makeCertificates } from './certificates.ts'
import { checkClients, checkCrowd, checkEnd } from './clientChecks.ts'
import { HANGING_CLIENTS, WRONG_CLIENTS } from './clients.ts'
import { checkFullDisk } from './fullDisk.ts'
import { checkManyJumps } from './manyJumps.ts'
import { openFilesAllowed, startProcess } from './process.ts'
import { checkReceivers } from './receiverChecks.ts'
import { runScript, UsageError } from '../../support/commandLine.ts'

/** Open files that each of the two processes needs besides its connections. */
const SPARE_FILES = 200
/** Calls of a normal client among a crowd. */
const CALLS = 500

/** Memory that the server may use, ten thousand connections included. */
const MAX_MEBIBYTES = 1_024

interface Arguments {
  connections: number
  programs: number
  seed: number
  save: boolean
}

const tell = (text: string): void => void process.stdout.write(`${text}\n`)

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '10000' },
      programs: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      save: { type: 'boolean', default: false },
    },
  })
  const count = (name: 'connections' | 'programs' | 'seed'): number => {
    const value = Number(values[name])
    if (Number.isSafeInteger(value) && value >= (name === 'seed' ? 0 : 1)) return value
    throw new UsageError(`--${name} ${values[name]} is no count`)
  }
  const connections = count('connections')
  const [needed, allowed] = [connections + SPARE_FILES, openFilesAllowed()]
  if (needed > allowed) {
    throw new UsageError(
      `${connections} connections need ${needed} open files, and ${allowed} are allowed here: run 'ulimit -n ${needed}' first, or take fewer --connections`,
    )
  }
  return { connections, programs: count('programs'), seed: count('seed'), save: values.save }
}

/** Runs everything; answers whether all of it held. */
async function prove({ connections, programs, seed, save }: Arguments): Promise<boolean> {
  tell(`seed ${seed}, ${connections} connections, ${programs} programs`)
  const failed: string[] = []
  const note = (what: string, findings: readonly string[]): void => {
    tell(`${findings.length === 0 ? 'held' : 'FAILED'}: ${what}`)
    for (const finding of findings) tell(`  ${finding}`)
    failed.push(...findings)
  }
  const leaveOut = (what: string): void => tell(`left out: ${what}`)
  const certificates = makeCertificates()
  await using server = await startProcess({ trusted: certificates.root })

  if (server.sockets() === null) {
    leaveOut('whether connections are left of clients that went, which this system does not tell')
  }

  const sent = await checkReceivers(server.url, certificates)
  note(`${sent.receivers} hostile receivers, ${sent.attempts} attempts`, sent.findings)

  note(
    `${WRONG_CLIENTS.length} hostile clients, one after the other`,
    await checkClients(server, WRONG_CLIENTS),
  )

  const world = await openWorld(server.url)
  let slowest = 0
  const call = async (): Promise<boolean> => {
    const begun = performance.now()
    const answered = await send(server.url, createCall(world)).then(
      () => true,
      () => false,
    )
    slowest = Math.max(slowest, performance.now() - begun)
    return answered
  }
  const crowd = await checkCrowd(server, { count: connections, calls: CALLS, call, untilGivenUp: true })
  const among = `${crowd.answered} calls among ${crowd.connections} open connections, the slowest in ${Math.round(slowest)} ms`
  note(`${among}; those without a head were given up`, crowd.findings)

  const clients = [...WRONG_CLIENTS, ...HANGING_CLIENTS]
  const ended = await checkEnd(server, { count: connections, clients })
  const code = await server.exitCode()
  note(`told to end with ${connections} connections open, it ended with code ${code}`, [
    ...ended,
    ...(code === 0 ? [] : [`it ended with code ${code}: ${server.complaints()}`]),
  ])
  const peak = server.peakMebibytes()
  if (peak === null) leaveOut('the memory of the server, which this system does not tell')
  else {
    const most = peak <= MAX_MEBIBYTES ? [] : [`that is more than ${MAX_MEBIBYTES}`]
    note(`the server used ${peak} MiB at most`, most)
  }

  const jumps = await checkManyJumps(seed, programs)
  note(
    `${jumps.steps} steps of ${programs} programs on a host whose calendar jumps, ${jumps.expired} charges expired`,
    jumps.findings,
  )

  const disk = await checkFullDisk()
  if (disk) {
    note(
      `a full disk: ${disk.refused} calls were refused, ${disk.kept} answered ones are kept`,
      disk.findings,
    )
  } else leaveOut('a full disk, which cannot be made here')

  if (save && failed.length === 0) {
    const figures = {
      'open connections': crowd.connections,
      'calls answered among them': crowd.answered,
      'hostile clients': WRONG_CLIENTS.length + HANGING_CLIENTS.length,
      'hostile receivers': sent.receivers,
      'programs on a jumping calendar': programs,
      ...(peak === null ? {} : { 'MiB used by the server at most': peak }),
      ...(disk
        ? { 'calls refused on a full disk': disk.refused }
        : { 'full disk (none could be made)': 'no' }),
    }
    keepRun('hostile', figures, { seed })
  }
  return failed.length === 0
}

await runScript('prove:hostile', () => prove(readArguments()))
