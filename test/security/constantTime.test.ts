// Checks that secrets are compared in constant time wherever they are compared.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../src/index.ts'
import { scan } from '../support/sourceText.ts'
import { lineAt } from '../support/findings.ts'

const ROOT = new URL('../../', import.meta.url)

/** Comparisons that may look at such a name, and why. */
const NO_SECRET: Readonly<Record<string, string>> = {
  'src/world/signatureCheck.ts':
    'explains to the owner of an inbox why a signature does not hold, and tells the right one',
  'src/world/exportedWorld.ts': 'compares the digest of a file with its name, both from the same sender',
  'src/world/ruleFields.ts': 'looks for a digest under a key that nobody has, so that no caller can steer it',
}

const SECRET = String.raw`(?:\w+\??\.)*\w*(?:secret|secretKey|token|signature|digest|password)\b(?!\.)(?:\([^()]*\))?`
/** What holds no secret: nothing, a number, a text that stands in the code. */
const PLAIN = String.raw`\s*(?:null\b|undefined\b|\d|['"\x60])`
/** A comparison that may end early, one of whose sides is named like a secret. */
const COMPARISON = new RegExp(
  [
    String.raw`\b${SECRET}\s*[!=]==?(?!${PLAIN}|=)`,
    String.raw`[!=]==?(?!=)\s*${SECRET}(?!\s*\()`,
    String.raw`\.(?:localeCompare|startsWith|endsWith|includes|indexOf|is)\(\s*${SECRET}`,
  ].join('|'),
  'gi',
)

/** Where a source compares what is named like a secret, as `line: text`. */
function comparisonsIn(path: string, text: string): string[] {
  const { code } = scan({ path, text })
  return [...code.matchAll(COMPARISON)].map(({ 0: match, index }) => `${lineAt(text, index)}: ${match}`)
}

const SOURCES = readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/${path}`)

describe('a secret', () => {
  test('is never compared with ===', () => {
    const found = SOURCES.flatMap((path) =>
      path in NO_SECRET
        ? []
        : comparisonsIn(path, readFileSync(new URL(path, ROOT), 'utf8')).map((each) => `${path}:${each}`),
    )
    expect(found).toEqual([])
  })

  test.each(Object.keys(NO_SECRET))('is looked for in %s although it is left out', (path) => {
    expect(comparisonsIn(path, readFileSync(new URL(path, ROOT), 'utf8'))).not.toEqual([])
  })

  test.each([
    'if (token === controlToken) go()',
    'if (sent !== known.secretDigest) stop()',
    'return expected === signature',
    'return sent.signature == expected',
    'return digestSecret(given) === stored',
    'return controlToken.startsWith(sentToken)',
    'if (a === signBody(b) || given.secretKey === other) go()',
  ])('would be found in: %s', (code) => {
    expect(comparisonsIn('src/planted.ts', `// Owns a plant.\n${code}\n`)).not.toEqual([])
  })

  test.each([
    'if (token === null) go()',
    'if (controlToken === undefined) go()',
    'a.length === b.length',
    "if (secret === '') go()",
  ])('is not taken for one in: %s', (code) => {
    expect(comparisonsIn('src/planted.ts', `// Owns a plant.\n${code}\n`)).toEqual([])
  })

  test.each(['src/world/keys.ts', 'src/webhooks/verify.ts'])('is compared in constant time by %s', (path) => {
    expect(readFileSync(new URL(path, ROOT), 'utf8')).toContain('timingSafeEqual(')
  })
})

describe('verifySignature', () => {
  test('answers false for a signature of any length', () => {
    const right = 71
    const wrong = ['', 'sha256=', 'x'.repeat(right), 'é'.repeat(right), '0'.repeat(1_000_000)]
    for (const signature of wrong) {
      expect(verifySignature('{}', { 'X-Service-Signature': signature }, 'id')).toBe(false)
    }
  })
})
