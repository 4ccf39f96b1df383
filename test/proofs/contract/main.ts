// Checks from outside whether a gateway is the one of the contract: a base URL and keys are all it gets.
//
//   npm run prove:contract -- --url URL [--public-key PK --secret-key SK] [--environment sandbox|production]
//     [--receiver-host HOST] [--receiver URL --receiver-port PORT] [--webhook-prefix X-Service-]
//     [--chapter NAME...] [--split-code UUID] [--dispute UUID] [--name HIDDEN=WIRE...] [--exhaust-tokens]
//     [--pace MS] [--patience S] [--json] [--save]
//
// Url and keys are also read from SANDBOX_URL, SANDBOX_PUBLIC_KEY and SANDBOX_SECRET_KEY; a secret in a flag can be seen
// by other users of the machine. With no URL it starts the built sandbox and checks both environments of it. It only
// makes records. `--dispute` names an open dispute that may be responded to, `--split-code` an organisation that may get
// shares, `--exhaust-tokens` allows it to use up the tokens of an hour. It ends with 0 when all held, with 1 when
// something differs or nothing could be checked, with 2 for wrong usage.
import { parseArgs } from 'node:util'
import { keepRun } from '../lastRuns.ts'
import { HOST } from './hostTime.ts'
import { isHiddenName, PUBLISHED_NAMES } from './names.ts'
import { startOwnSandbox } from './ownSandbox.ts'
import { openReceiver } from './receiver.ts'
import { figuresOf, reportToText, together, withoutSecrets } from './report.ts'
import { CHAPTER_NAMES, checkContract } from './run.ts'
import type { Found } from './check.ts'
import type { Receiver } from './receiver.ts'
import type { Target } from './run.ts'
import type { Keys } from './suite.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
/** Milliseconds between two calls of a gateway elsewhere, so that no limit of it is met. */
const POLITE_MS = 250
/** The longest wait that a 429 may ask for, in seconds. */
const PATIENCE_S = 120

/** Says what is wrong with the command line. */
class UsageError extends Error {}

const tell = (text: string): void => void process.stderr.write(`${text}\n`)

const OPTIONS = {
  url: { type: 'string' },
  'public-key': { type: 'string' },
  'secret-key': { type: 'string' },
  environment: { type: 'string' },
  receiver: { type: 'string' },
  'receiver-host': { type: 'string' },
  'receiver-port': { type: 'string', default: '0' },
  'webhook-prefix': { type: 'string', default: 'X-Service-' },
  'split-code': { type: 'string' },
  dispute: { type: 'string' },
  name: { type: 'string', multiple: true, default: [] as string[] },
  chapter: { type: 'string', multiple: true, default: [] as string[] },
  'exhaust-tokens': { type: 'boolean', default: false },
  pace: { type: 'string' },
  patience: { type: 'string', default: String(PATIENCE_S) },
  json: { type: 'boolean', default: false },
  save: { type: 'boolean', default: false },
} as const

type Flags = ReturnType<typeof readFlags>

function readFlags() {
  return parseArgs({ options: OPTIONS }).values
}

function countOf(flag: string, text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError(`--${flag} ${text} is no whole number`)
  return count
}

function environmentOf(flags: Flags, { publicKey }: Keys): Target['environment'] {
  const asked = flags.environment ?? (publicKey.includes('production') ? 'production' : 'sandbox')
  if (asked === 'sandbox') return 'Sandbox'
  if (asked === 'production') return 'Production'
  throw new UsageError(`--environment ${asked} is neither sandbox nor production`)
}

function namesOf(flags: Flags): Target['names'] {
  const pairs = flags.name.map((text) => {
    const [name = '', wire = ''] = text.split('=')
    if (!isHiddenName(name) || wire === '') {
      throw new UsageError(
        `--name ${text} is not HIDDEN=WIRE; the names are ${Object.keys(PUBLISHED_NAMES).join(', ')}`,
      )
    }
    return [name, wire]
  })
  return Object.fromEntries(pairs) as Target['names']
}

function chaptersOf({ chapter }: Flags): Target['chapters'] {
  const stranger = chapter.find((name) => !(CHAPTER_NAMES as string[]).includes(name))
  if (stranger !== undefined) {
    throw new UsageError(`--chapter ${stranger} is none of ${CHAPTER_NAMES.join(', ')}`)
  }
  return chapter.length === 0 ? CHAPTER_NAMES : (chapter as Target['chapters'])
}

/** The receiver that the flags ask for; null when the target cannot be thought to reach one. */
async function receiverOf(flags: Flags, url: URL): Promise<Receiver | null> {
  const isNear = LOOPBACK.test(url.hostname)
  const address = flags['receiver-host'] ?? (isNear ? '127.0.0.1' : null)
  if (flags.receiver !== undefined && flags['receiver-port'] === '0') {
    throw new UsageError('--receiver leads to this machine: say at which --receiver-port to listen')
  }
  if (address === null && flags.receiver === undefined) return null
  return openReceiver({
    host: HOST,
    // Behind a tunnel or a published port the sender is anybody, so every address is listened on.
    address: address ?? '0.0.0.0',
    port: countOf('receiver-port', flags['receiver-port']),
    url: flags.receiver ?? null,
  })
}

/** What a target is aimed with, from flags and environment. Throws `UsageError`. */
async function targetOf(flags: Flags, address: string, keys: Keys): Promise<Target> {
  if (!URL.canParse(address)) throw new UsageError(`--url ${address} is no URL`)
  const url = new URL(address)
  const polite = LOOPBACK.test(url.hostname) ? 0 : POLITE_MS
  return {
    url: address,
    keys,
    environment: environmentOf(flags, keys),
    host: HOST,
    paceMs: countOf('pace', flags.pace ?? String(polite)),
    patienceS: countOf('patience', flags.patience),
    names: namesOf(flags),
    chapters: chaptersOf(flags),
    splitCode: flags['split-code'] ?? null,
    dispute: flags.dispute ?? null,
    exhaustTokens: flags['exhaust-tokens'],
    webhookPrefix: flags['webhook-prefix'],
    receiver: await receiverOf(flags, url),
  }
}

async function checkOwn(flags: Flags): Promise<Found[]> {
  const own = await startOwnSandbox()
  try {
    const found: Found[] = []
    for (const keys of [own.sandbox, own.production]) {
      const target = await targetOf(flags, own.url, keys)
      const { splitCode, dispute } = own
      const isSandbox = target.environment === 'Sandbox'
      tell(`checking ${own.url} with keys of ${target.environment}`)
      const known = { names: PUBLISHED_NAMES, splitCode, exhaustTokens: true }
      found.push(await checkAndClose({ ...target, ...known, dispute: isSandbox ? dispute : null }))
    }
    return found
  } finally {
    await own.close()
  }
}

async function checkAndClose(target: Target): Promise<Found> {
  try {
    return await checkContract(target)
  } finally {
    await target.receiver?.close()
  }
}

async function check(flags: Flags): Promise<{ found: Found; secrets: string[] }> {
  const { env } = process
  const address = flags.url ?? env['SANDBOX_URL']
  const publicKey = flags['public-key'] ?? env['SANDBOX_PUBLIC_KEY'] ?? ''
  const secretKey = flags['secret-key'] ?? env['SANDBOX_SECRET_KEY'] ?? ''
  if (address === undefined) return { found: together(await checkOwn(flags)), secrets: [] }
  if (publicKey === '' || secretKey === '') {
    throw new UsageError('a URL needs keys: --public-key and --secret-key, or their variables')
  }
  const target = await targetOf(flags, address, { publicKey, secretKey })
  tell(`checking ${address} with keys of ${target.environment}`)
  return { found: await checkAndClose(target), secrets: [publicKey, secretKey] }
}

try {
  const flags = readFlags()
  if (flags.save && flags.chapter.length > 0) {
    throw new UsageError('--save keeps a whole run: leave out --chapter')
  }
  if (flags.save && (flags.url ?? process.env['SANDBOX_URL']) !== undefined) {
    throw new UsageError('--save keeps a run against this sandbox: leave out the URL')
  }
  const began = performance.now()
  const { found, secrets } = await check(flags)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const { held, differs, leftOut, observations, otherwise } = figuresOf(found)
  const text = flags.json ? JSON.stringify(found) : reportToText(found)
  process.stdout.write(`${withoutSecrets(text, secrets)}\n`)
  tell(`${minutes} minutes`)
  const isOurs = (flags.url ?? process.env['SANDBOX_URL']) === undefined
  const failed = differs > 0 || held === 0 || (isOurs && otherwise > 0)
  if (flags.save && !failed) {
    keepRun('contract', {
      'checks held': held,
      differ: differs,
      'left out': leftOut,
      'silent points seen': observations,
      'of them not as chosen': otherwise,
      minutes,
    })
  }
  process.exitCode = failed ? 1 : 0
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
  tell(isUsage ? `contract: ${(error as Error).message}` : `contract: ${(error as Error).stack}`)
  process.exitCode = isUsage ? 2 : 1
}
