// Owns who may do what to the host: one file for each power, and the signs by which a power is recognised.
import { perFile, places } from './findings.ts'
import { importsOf } from './sourceText.ts'

/** Something only one file may do, and the signs by which it is recognised. */
interface Power {
  readonly does: string
  readonly owner: string
  /** Who else may: a client that connects to a sandbox is no part of one. */
  readonly also?: readonly string[]
  /** In code, outside comments and strings. */
  readonly signs: readonly RegExp[]
  /** Import specifiers. */
  readonly modules?: RegExp
  /** Import clauses that give the power, as `module clause`. */
  readonly clauses?: RegExp
}

/** Who owns what. The one table to change when a power moves. Source: design, Shape. */
const POWERS: readonly Power[] = [
  {
    does: 'reads host time',
    owner: 'src/kernel/hostTime.ts',
    signs: [
      /\b(?:Date\.now|performance\.now|performance\.timeOrigin|process\.hrtime|process\.uptime|Temporal\.Now)\b/g,
      /\bnew\s+Date\b(?:\s*\(\s*\)|(?!\s*\())/g,
      /(?<!new\s+)(?<![.\w$])Date\s*\(\s*\)/g,
    ],
  },
  {
    does: 'sets timers',
    owner: 'src/kernel/timers.ts',
    signs: [/(?:(?<![.\w$])|\bglobalThis\.)(?<!typeof )(?:setTimeout|setInterval|setImmediate)\b/g],
    modules: /^(?:node:)?timers(?:\/|$)/,
  },
  {
    does: 'makes randomness',
    owner: 'src/kernel/entropy.ts',
    signs: [
      /\bMath\.random\b/g,
      /(?:(?<![.\w$])|\b(?:web)?crypto\.)(?:random(?:Bytes|Int|UUID\w*|Fill\w*)|getRandomValues)\b/g,
      /(?<![.\w$])(?:nanoid|customAlphabet)\s*\(/g,
      /\b(?:generateKey|generateKeySync|generateKeyPair|generateKeyPairSync|generateSecret)\s*\(/g,
    ],
    modules: /^nanoid\/non-secure$/,
  },
  {
    does: 'sends HTTP',
    owner: 'src/webhooks/send.ts',
    also: ['src/client/network.ts'],
    signs: [
      // `app.fetch(…)` answers a request, it sends none; a method named `fetch` is declared, not called.
      /(?:(?<![.\w$])(?<!\bfunction\s+)|\bglobalThis\.)fetch\s*\((?![^()]*\)(?:\s*\{|: ))/g,
      /(?:[=?|&(,]|=>|\breturn)\s*(?:globalThis\.)?fetch\b(?!\s*[:(=?])/g,
      /\bhttps?\.(?:request|get)\b/g,
    ],
    modules: /^(?:undici|axios|got|node-fetch|ky)(?:\/|$)/,
    clauses: /^(?:node:)?https?2? (?!type\b).*\b(?:request|get|connect)\b/,
  },
  {
    does: 'waits for a sending by host time',
    owner: 'src/webhooks/send.ts',
    signs: [/\bAbortSignal\.timeout\b/g],
  },
  {
    does: 'touches the disk',
    owner: 'src/world/disk.ts',
    // Apart from it, so that nothing that writes is loaded by those who only read.
    also: ['src/world/dataDisk.ts'],
    signs: [],
    modules: /^(?:(?:node:)?fs|lowdb|steno)(?:\/|$)/,
  },
]

/** Powers over the host used by a file that does not own them. */
export const checkPowers = perFile((file) =>
  POWERS.filter((power) => power.owner !== file.path && power.also?.includes(file.path) !== true).flatMap(
    (power) => {
      const refuse = (found: string): string => `only ${power.owner} ${power.does}, but here is ${found}`
      return [
        ...power.signs.flatMap((sign) => places(file.code, sign, refuse)),
        ...importsOf(file)
          .filter(
            ({ specifier, clause }) =>
              power.modules?.test(specifier) === true ||
              power.clauses?.test(`${specifier} ${clause.replaceAll(/\s+/g, ' ')}`) === true,
          )
          .map(({ specifier, index }) => ({ index, message: refuse(specifier) })),
      ]
    },
  ),
)
