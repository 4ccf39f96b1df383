// Owns the words: which ones the kernel must not know, which ones exist only on the wire, and which ones nowhere at all.
import { perFile } from './findings.ts'
import { exportsOf, wordsOf } from './sourceText.ts'
import type { Finding } from './findings.ts'
import type { Scanned } from './sourceText.ts'

const PAYMENT_WORDS: ReadonlySet<string> = new Set(
  `acquirer antifraud boleto boletos brcode card cards cashout cashouts charge chargeback chargebacks
  charges cnpj cpf customer customers dispute disputes gateway gateways installment installments invoice invoices merchant
  merchants payee payer payment payments payout payouts pix receivable receivables refund refunds
  transaction transactions webhook webhooks`.split(/\s+/),
)

/** Payment words in names, strings and comments. */
export const checkKernelWords = perFile((file) =>
  [...file.text.matchAll(/[A-Za-z]+/g)].flatMap((match) =>
    wordsOf(match[0])
      .filter((word) => PAYMENT_WORDS.has(word))
      .map((word) => ({
        index: match.index,
        message: `kernel knows no payment word, but here is "${word}"`,
      })),
  ),
)

const WORDS_OF_THE_WIRE: ReadonlyMap<string, string> = new Map([
  ['charge', 'transaction'],
  ['charges', 'transactions'],
  ['payment', 'transaction'],
  ['payments', 'transactions'],
  ['payout', 'cashout'],
  ['payouts', 'cashouts'],
])

/** The words of the wire in one name of ours. */
function foreignWords(name: string): string[] {
  return wordsOf(name.replaceAll(/paymentIds?/gi, '')).flatMap((word) => {
    const ours = WORDS_OF_THE_WIRE.get(word)
    return ours === undefined ? [] : [`"${word}" in ${name} is a word of the wire; ours is "${ours}"`]
  })
}

/** Words of the wire in file names and exported names. */
export const checkWords = perFile((file) => {
  const base = (file.path.split('/').at(-1) ?? '').replace(/\.ts$/, '')
  const names = [{ name: base, index: 0 }, ...exportsOf(file)]
  return names.flatMap(({ name, index }) => foreignWords(name).map((message) => ({ index, message })))
})

/**
 * Names of real providers, which must appear nowhere; rotated by 13 letters so that they do not appear here either.
 * A blank stands for any separator or none.
 */
const PROVIDERS = `nfnnf|cntne zr|cnt frtheb|cnt onax|zrepnqb cntb|cvp cnl|pvryb|trgarg|ronak|vhth|trerapvnarg|rsv onax|rsv cnl|
jverpneq|zbvc|whab|mbbc|ivaqv|bcracvk|jbbiv|nonpngr cnl|qybpny|fnsen cnl|genafsrren|prypbva|fgnex onax|xvjvsl|ubgzneg|nccznk|
znytn|vasvavgr cnl|fhzhc|onaxyl|fgbar cntnzragbf|cntnyrir|lncnl`

/** Rotates the letters a to z by 13; doing it twice gives the text back. */
export function rotate(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))
}

const PROVIDER_NAMES = rotate(PROVIDERS)
  .split('|')
  .map((name) => name.trim())

const PROVIDER = new RegExp(
  `(?<![a-z0-9])(?:${PROVIDER_NAMES.map((name) => name.replaceAll(' ', '[^a-z0-9]?')).join('|')})(?![a-z0-9])`,
)

/** Names of real providers anywhere in a file, its path included. */
export function checkProviders(files: readonly Scanned[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [path, ...text.split('\n')].flatMap((line, number) => {
      const apart = line.replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
      const found = PROVIDER.exec(line.toLowerCase()) ?? PROVIDER.exec(apart.toLowerCase())
      return found === null
        ? []
        : [{ path, line: Math.max(number, 1), message: `names a real provider: ${found[0]}` }]
    }),
  )
}
