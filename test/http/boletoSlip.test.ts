// Checks the slip as a payer and a bank would: reads its text, scans its bars, measures its page.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { MAX_DESCRIPTION_UNITS } from '../../src/contract/limits.ts'
import { boletoBarcode, digitableLine, freeField } from '../../src/domain/boletoNumbers.ts'
import { renderSlip } from '../../src/http/boletoSlip.ts'
import { cents } from '../../src/kernel/brands.ts'
import { DOTS, drawPage, readBars, readText } from '../support/pdfReader.ts'
import type { SlipData } from '../../src/http/boletoSlip.ts'
import type { Timestamp } from '../../src/kernel/brands.ts'
import type { CalendarDay } from '../../src/kernel/calendar.ts'
import type { Raster } from '../support/pdfReader.ts'

const FREE = freeField({ branch: '0001', wallet: '09', ourNumber: '00000012345', account: '7654321' })

/** A slip whose numbers agree with each other. */
function slip(changes: Partial<SlipData> & { bank?: string; freeField?: string } = {}): SlipData {
  const { bank = '999', freeField: free = FREE, ...data } = changes
  const amount = data.amount ?? cents(123_456)
  const dueDay = data.dueDay ?? ('2030-01-31' as CalendarDay)
  const barcode = boletoBarcode({ bank, dueDay, amount, freeField: free })
  return {
    barcode,
    line: digitableLine(barcode, 'formatted'),
    beneficiary: { name: 'Loja Exemplo Comércio de Calçados Ltda.', document: '11222333000181' },
    payer: { name: 'João da Conceição Araújo', document: '52998224725' },
    amount,
    dueDay,
    createdAt: '2030-01-15T13:45:10.123Z' as Timestamp,
    documentNumber: 'pedido-2030-000123',
    instructions: 'Não receber após o vencimento.\nMulta de 2% (dois por cento) após essa data.',
    ...data,
  }
}

type Changes = Parameters<typeof slip>[0]

const draw = (changes: Changes = {}): Promise<Raster> => drawPage(renderSlip(slip(changes)))

/** The text of the receipt and of the form below it. */
async function partsOf(changes: Changes = {}): Promise<{ receipt: string; form: string }> {
  const { text } = await readText(renderSlip(slip(changes)))
  const [receipt = '', form = ''] = text.split('Corte na linha pontilhada')
  return { receipt, form }
}

/** A part of the page row by row, in which a dot is 1 where it is dark; millimetres from the top left corner. */
function ink({ width, dots }: Raster, x: [number, number], y: [number, number]): Uint8Array[] {
  const at = (millimetres: number): number => Math.round(millimetres * DOTS)
  return Array.from({ length: at(y[1]) - at(y[0]) }, (_, index) => {
    const start = (at(y[0]) + index) * width
    return dots.subarray(start + at(x[0]), start + at(x[1])).map((dot) => (dot < 128 ? 1 : 0))
  })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the text', () => {
  const facts = [
    ['the beneficiary', 'Beneficiário Loja Exemplo Comércio de Calçados Ltda. – CNPJ 11.222.333/0001-81'],
    ['the payer', 'Pagador João da Conceição Araújo – CPF 529.982.247-25'],
    ['the due date', 'Vencimento 31/01/2030'],
    ['the amount', '(=) Valor do documento R$ 1.234,56'],
    ['the first line of the instructions', 'Não receber após o vencimento.'],
    ['the second line', 'Multa de 2% (dois por cento) após essa data.'],
    ['the digitable line', '99990.00103 90000.001231 45765.432120 6 28040000123456'],
    ['the bank', 'Banco de Testes 999-7'],
    ['branch and account', 'Agência / Código do beneficiário 0001/7654321'],
    ['our number', 'Nosso número 09/00000012345'],
    ['the number of the document', 'Nº do documento pedido-2030-000123'],
    ['its day', 'Data do documento 15/01/2030'],
    ['the wallet', 'Carteira 09'],
    ['the currency', 'Espécie R$'],
    ['that it is worth nothing', 'Ambiente de testes – sem valor'],
    ['where a bank stamps', 'Autenticação mecânica'],
  ] as const

  test.each(facts)('shows %s in the receipt and in the form', async (_what, shown) => {
    const { receipt, form } = await partsOf()
    expect(receipt).toContain(shown)
    expect(form).toContain(shown)
  })

  test('names both parts, and in the form what only a bank asks for', async () => {
    const { receipt, form } = await partsOf()
    expect(receipt).toContain('Recibo do Pagador')
    expect(form).toContain('Ficha de Compensação')
    expect(form).toContain('Local de pagamento Pagável em qualquer banco até o vencimento')
    expect(form).toContain('Espécie doc. DM Aceite N Data do processamento 15/01/2030')
    expect(form).toContain(
      '(–) Desconto / Abatimento (–) Outras deduções (+) Mora / Multa (+) Outros acréscimos',
    )
  })

  test.each([
    [0, 'R$ 0,00'],
    [5, 'R$ 0,05'],
    [100, 'R$ 1,00'],
    [99_999, 'R$ 999,99'],
    [100_000, 'R$ 1.000,00'],
    [100_000_000, 'R$ 1.000.000,00'],
    [9_999_999_999, 'R$ 99.999.999,99'],
  ])('writes %d cents as %s', async (amount, shown) => {
    const { form } = await partsOf({ amount: cents(amount) })
    expect(form).toContain(`(=) Valor do documento ${shown} `)
  })

  test('dates the document by the day in São Paulo', async () => {
    const { form } = await partsOf({ createdAt: '2030-01-15T02:59:59.999Z' as Timestamp })
    expect(form).toContain('Data do documento 14/01/2030')
  })

  test('shows another bank, and a line without dots as it is', async () => {
    const plain = slip().line.replaceAll(/\D/g, '')
    const { form } = await partsOf({ bank: '341', line: plain })
    expect(form).toContain(`341-7 ${plain} `)
  })

  test('says so when a document is not known', async () => {
    const { form } = await partsOf({ beneficiary: { name: 'Loja', document: null } })
    expect(form).toContain('Beneficiário Loja – CPF/CNPJ não informado Agência')
  })

  test('leaves the box empty without instructions', async () => {
    const { receipt } = await partsOf({ instructions: null })
    expect(receipt).toContain('Instruções (=) Valor do documento')
  })

  test('shows instructions of the greatest length whole', async () => {
    const prose = 'Não receber após o vencimento; juros de mora de 1% ao mês, multa de 2%. '
    const instructions = prose.repeat(9).slice(0, MAX_DESCRIPTION_UNITS).trim()
    const { form, receipt } = await partsOf({ instructions })
    expect(instructions.length).toBeGreaterThan(MAX_DESCRIPTION_UNITS - 5)
    expect(form).toContain(instructions)
    expect(receipt).toContain(instructions)
  })

  test('ends longer ones with an ellipsis', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => `palavra${index}`)
    const { form } = await partsOf({ instructions: words.join(' ') })
    const shown = / (palavra0 .*)… \(–\) Desconto/.exec(form)?.[1] ?? ''
    expect(words.join(' ').startsWith(shown)).toBe(true)
    expect(shown.split(' ').length).toBeGreaterThan(50)
  })
})

describe('the barcode', () => {
  test.each([
    ['of an ordinary boleto', {}],
    ['of the largest amount', { amount: cents(9_999_999_999) }],
    ['of the last day of the first run of factors', { dueDay: '2025-02-21' as CalendarDay }],
    ['of the day after', { dueDay: '2025-02-22' as CalendarDay }],
    ['of zeros', { bank: '000', amount: cents(0), freeField: '0'.repeat(25) }],
    ['of ones', { bank: '111', amount: cents(1_111_111_111), freeField: '1'.repeat(25) }],
    ['of all pairs', { bank: '237', freeField: '1357902468192837465564738' }],
  ] as const)('%s is the only one on the page and says exactly the 44 digits', async (_what, changes) => {
    const raster = await draw(changes)
    expect(await readBars(raster)).toEqual([['ITF', slip(changes).barcode]])
  })

  test('is 103 mm wide and 13 mm high, with 5 mm of white on either side', async () => {
    const raster = await draw()
    const rows = ink(raster, [0, 209], [0, 296])
    const edges = (row: Uint8Array): number => row.filter((dot, x) => dot !== (row[x - 1] ?? 0)).length
    // 114 bars have 228 edges; no line of text has as many.
    const bars = rows.filter((row) => edges(row) === 228)
    const [middle = new Uint8Array()] = bars.slice(bars.length / 2)
    const left = middle.indexOf(1) / DOTS
    const right = (middle.lastIndexOf(1) + 1) / DOTS
    expect(Math.abs(bars.length / DOTS - 13)).toBeLessThan(0.3)
    expect(Math.abs(right - left - 103)).toBeLessThan(0.3)
    // No other ink in these rows, so all the rest is white.
    expect(left).toBeGreaterThan(15)
    expect(210 - right).toBeGreaterThan(15)
  })
})

describe('the file', () => {
  test('is one A4 page', async () => {
    const bytes = renderSlip(slip())
    const raster = await drawPage(bytes)
    expect((await readText(bytes)).pages).toBe(1)
    expect(raster.width / DOTS).toBeCloseTo(210, -1)
    expect(raster.height / DOTS).toBeCloseTo(297, -1)
    expect(Buffer.from(bytes).toString('latin1')).toContain('/MediaBox [0 0 595.276 841.89]')
  })

  test('has the same bytes for the same slip, whatever the host’s clock shows', () => {
    vi.useFakeTimers({ now: Date.UTC(2001, 1, 3) })
    const first = renderSlip(slip())
    vi.setSystemTime(Date.UTC(2042, 10, 12))
    expect(Buffer.from(renderSlip(slip())).equals(first)).toBe(true)
  })

  const others: [string, Partial<SlipData>][] = [
    ['beneficiary', { beneficiary: { name: 'Outra', document: '11222333000181' } }],
    ['payer', { payer: { name: 'Outro', document: '52998224725' } }],
    ['amount', { amount: cents(123_457) }],
    ['due day', { dueDay: '2030-02-01' as CalendarDay }],
    ['time of creation', { createdAt: '2030-01-15T13:45:11.123Z' as Timestamp }],
    ['number of the document', { documentNumber: 'pedido-2030-000124' }],
    ['instructions', { instructions: 'Outras' }],
  ]

  test.each(others)('has other bytes for another %s', (_what, changes) => {
    expect(Buffer.from(renderSlip(slip(changes))).equals(renderSlip(slip()))).toBe(false)
  })

  test('says when it was made: when the transaction was', () => {
    const text = Buffer.from(renderSlip(slip())).toString('latin1')
    expect(text).toContain('/CreationDate (D:20300115134510Z)')
  })

  // Readers repair a wrong table in silence, so they cannot tell.
  test('has a table in which every object is where it says, and a stream as long as it says', () => {
    const text = Buffer.from(renderSlip(slip({ payer: { name: 'Ação – “€”', document: null } }))).toString(
      'latin1',
    )
    const table = text.lastIndexOf('\nxref\n') + 1
    expect(text.endsWith(`startxref\n${table}\n%%EOF\n`)).toBe(true)
    const places = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
    expect(places.map((place) => text.slice(place, place + 8))).toEqual(
      places.map((_, index) => `${index + 1} 0 obj\n`),
    )
    expect(text).toContain(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n`)
    const stream = /\/Length (\d+) >>\nstream\n([^]*)\nendstream/.exec(text)
    expect(stream?.[2]?.length).toBe(Number(stream?.[1]))
    expect(text).toMatch(/^[\n\x20-\x7e]*$/)
  })
})

describe('hostile text', () => {
  const hostile: [string, string][] = [
    ['empty', ''],
    ['blank', ' \t\n '],
    ['very long', 'W'.repeat(100_000)],
    ['many words', 'Fulano de Tal '.repeat(10_000)],
    ['many lines', 'a\n'.repeat(10_000)],
    ['emoji', '👩‍👩‍👧‍👦🇧🇷😀'.repeat(50)],
    ['right to left', '\u202Eشركة المثال \u202C'.repeat(20)],
    ['control characters', '\u0000\u0007\u001B[2J\u007F\u0085\u2028x'],
    ['half of a character', '\uD83D \uDE00'],
    ['piled accents', `Z${'\u0301'.repeat(5000)}algo`],
    ['operators of PDF', ') Tj ET endstream endobj \\( (( %%EOF \\'],
    ['escapes', '\\051\\) \\n <</Type/Page>>'],
  ]

  test.each(hostile)(
    'that is %s breaks neither numbers nor bars, and spills nowhere',
    async (_what, text) => {
      const party = { name: text, document: text }
      const changes = { beneficiary: party, payer: party, documentNumber: text, instructions: text }
      const bytes = renderSlip(slip(changes))
      const { pages, text: shown } = await readText(bytes)
      const [raster, usual] = [await drawPage(bytes), await draw()]
      const { line, barcode } = slip()
      expect(pages).toBe(1)
      expect(shown.split(line)).toHaveLength(3)
      expect(shown.split('R$ 1.234,56')).toHaveLength(3)
      expect(shown.split('Vencimento 31/01/2030')).toHaveLength(3)
      expect(await readBars(raster)).toEqual([['ITF', barcode]])
      // The right column but for the form's payer, whose row is as wide as the page, and the left margin.
      const parts = [
        [150.5, 209, 0, 228],
        [150.5, 209, 237, 296],
        [0, 14.5, 0, 296],
        [195.5, 209, 0, 296],
      ] as const
      for (const [left, right, top, bottom] of parts) {
        const part = (page: Raster): Buffer => Buffer.concat(ink(page, [left, right], [top, bottom]))
        expect(part(raster).equals(part(usual)), `${left} to ${right} mm`).toBe(true)
      }
    },
  )

  test.each([
    ['a letter with an accent in two parts', 'Joa\u0303o', 'João'],
    ['letters that the fonts lack', 'Erdős Öztürk-Şahin Łoś', 'Erdos Öztürk-Sahin ?os'],
    ['an emoji', 'Loja 😀 Feliz', 'Loja ? Feliz'],
    ['an emoji in parts', 'Loja 👩‍👧', 'Loja ??'],
    ['another script', 'Кафе', '????'],
    ['letters of other widths', 'ＡＢＣ ﬁm ①', 'ABC fim 1'],
    ['line breaks and tabs', 'Ana\r\n\tMaria\u00A0Lima', 'Ana Maria Lima'],
    ['control characters', 'Ana\u0000\u0007Lima', 'Ana Lima'],
    ['accents upon accents', `Z${'\u0301'.repeat(9)}algo`, 'Zalgo'],
    ['marks of direction', '\u202EAna\u202C\u200B', 'Ana'],
    ['signs of typography', '“Ana” & Cia. – 5€…', '“Ana” & Cia. – 5€…'],
    ['parentheses and backslashes', String.raw`\(Ana\) ((`, String.raw`\(Ana\) ((`],
  ])('with %s is shown in the nearest letters', async (_what, name, shown) => {
    const { form } = await partsOf({ payer: { name, document: '52998224725' } })
    expect(form).toContain(`Pagador ${shown} – CPF 529.982.247-25`)
  })

  test.each([
    ['one word', 'W'.repeat(10_000)],
    ['words', 'instruções '.repeat(2000)],
    ['lines', 'linha\n'.repeat(200)],
  ])('in the instructions stays in their boxes: %s', async (_what, instructions) => {
    const [raster, usual] = [await draw({ instructions }), await draw()]
    const parts = [
      [0, 55],
      [94, 190],
      [229, 296],
    ] as const
    for (const [top, bottom] of parts) {
      const part = (page: Raster): Buffer => Buffer.concat(ink(page, [0, 209], [top, bottom]))
      expect(part(raster).equals(part(usual)), `${top} to ${bottom} mm`).toBe(true)
    }
    expect(Buffer.from(raster.dots).equals(usual.dots)).toBe(false)
  })

  test('that is too long is cut, and the document after it is not', async () => {
    const name = 'Maria '.repeat(100)
    const { form, receipt } = await partsOf({ payer: { name, document: '52998224725' } })
    expect(form).toMatch(/Pagador (?:Maria ){9,}[Mari]*… – CPF 529\.982\.247-25/)
    expect(receipt).toMatch(/Pagador (?:Maria ){9,}[Mari]*… – CPF 529\.982\.247-25/)
  })
})
