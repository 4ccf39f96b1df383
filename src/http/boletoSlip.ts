// Owns the printed slip of a boleto: the payer's receipt above, the form that a bank would read below.
import { bankLabel, freeFieldParts } from '../domain/boletoNumbers.ts'
import { formatDocument, parseDocument } from '../domain/documents.ts'
import { interleavedWidths } from '../domain/interleaved.ts'
import { dayOf } from '../kernel/calendar.ts'
import { fromTimestamp } from '../kernel/time.ts'
import { pdfBytes } from './pdfPage.ts'
import { row, textBox } from './slipGrid.ts'
import type { Cents, Timestamp } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'
import type { Mark } from './pdfPage.ts'
import type { Cell } from './slipGrid.ts'

/** Someone on a slip. */
export interface SlipParty {
  name: string
  /** CPF or CNPJ with or without punctuation; null when it is not known. */
  document: string | null
}

/** What a slip shows. Texts may be of any length and any characters: they are cut and replaced to fit. */
export interface SlipData {
  /** The 44 digits, whose free field `freeField` made: it also says branch, account, wallet and our number. */
  barcode: string
  /** The digitable line as it is to be shown. */
  line: string
  beneficiary: SlipParty
  payer: SlipParty
  amount: Cents
  dueDay: CalendarDay
  /** When the transaction was created, which is also when the file says it was. */
  createdAt: Timestamp
  /** The merchant's own number of the sale. */
  documentNumber: string
  /** Free text for the payer; null for none. */
  instructions: string | null
}

/** The texts of a slip as Brazilians write them. */
interface SlipTexts {
  bank: string
  line: string
  due: string
  issued: string
  amount: string
  account: string
  wallet: string
  ourNumber: string
  documentNumber: string
  instructions: string
  beneficiary: { value: string; tail: string }
  payer: { value: string; tail: string }
}

// Places and sizes in millimetres. The right column holds what a payer looks for: when, where to, which, how much.
const LEFT = 15
const WIDTH = 180
const RIGHT = LEFT + WIDTH
const SIDE = 45
const MAIN = WIDTH - SIDE
const HEAD_HEIGHT = 9
const ROW_HEIGHT = 7.5
const RECEIPT_TOP = 24
const CUT = 136
const FORM_TOP = 152
const FORM_ROWS = 11
const FORM_END = FORM_TOP + HEAD_HEIGHT + FORM_ROWS * ROW_HEIGHT
/** Source: FEBRABAN: 103 mm wide, 13 mm high, at least 5 mm from the edge of the form. */
const BARS = { x: LEFT + 5, y: FORM_END + 4, width: 103, height: 13 }

/** Thickness of the lines around the bank, in points. */
const THICK = 1.2

const BANK_NAME = 'Banco de Testes'
const SANDBOX_NOTE = 'Ambiente de testes – sem valor'
const WHOSE_INSTRUCTIONS = 'Instruções (texto de responsabilidade do beneficiário)'
const PAY_WHERE = 'Pagável em qualquer banco até o vencimento'

/** The slip as a PDF of one A4 page; equal data give equal bytes. Source: TX-15. */
export function renderSlip(slip: SlipData): Uint8Array {
  const texts = textsOf(slip)
  return pdfBytes({
    title: `Boleto ${slip.line}`,
    createdAt: slip.createdAt,
    marks: [...receipt(texts), ...cutHere(), ...form(texts), ...bars(slip.barcode)],
  })
}

function textsOf(slip: SlipData): SlipTexts {
  const { branch, wallet, ourNumber, account } = freeFieldParts(slip.barcode)
  return {
    bank: bankLabel(slip.barcode.slice(0, 3)),
    line: slip.line,
    due: brazilianDay(slip.dueDay),
    issued: brazilianDay(dayOf(fromTimestamp(slip.createdAt))),
    amount: reais(slip.amount),
    account: `${branch}/${account}`,
    wallet,
    ourNumber: `${wallet}/${ourNumber}`,
    documentNumber: slip.documentNumber,
    instructions: slip.instructions ?? '',
    beneficiary: partyTexts(slip.beneficiary),
    payer: partyTexts(slip.payer),
  }
}

function partyTexts({ name, document }: SlipParty): { value: string; tail: string } {
  const parsed = document === null ? null : parseDocument(document)
  const shown = parsed ? `${parsed.type} ${formatDocument(parsed.text)}` : 'CPF/CNPJ não informado'
  return { value: name, tail: ` – ${shown}` }
}

/** `2030-01-31` as `31/01/2030`. */
function brazilianDay(day: CalendarDay): string {
  return day.split('-').toReversed().join('/')
}

/** Cents as `R$ 1.234,56`. */
function reais(amount: Cents): string {
  const whole = String(Math.floor(amount / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, '.')
  return `R$ ${whole},${String(amount % 100).padStart(2, '0')}`
}

/** The upper part, which the payer keeps. */
function receipt(texts: SlipTexts): Mark[] {
  const rowTop = (index: number): number => RECEIPT_TOP + HEAD_HEIGHT + index * ROW_HEIGHT
  const end = rowTop(8)
  return [
    ...caption(RECEIPT_TOP, 'Recibo do Pagador'),
    ...head(RECEIPT_TOP, texts),
    ...row(LEFT, rowTop(0), ROW_HEIGHT, [
      { width: MAIN, label: 'Beneficiário', ...texts.beneficiary },
      dueCell(texts),
    ]),
    ...row(LEFT, rowTop(1), ROW_HEIGHT, [{ width: MAIN, label: 'Pagador', ...texts.payer }, codeCell(texts)]),
    ...row(LEFT, rowTop(2), ROW_HEIGHT, [
      { width: 75, label: 'Nº do documento', value: texts.documentNumber },
      { width: 30, label: 'Data do documento', value: texts.issued },
      { width: 15, label: 'Carteira', value: texts.wallet },
      { width: 15, label: 'Espécie', value: 'R$' },
      ourNumberCell(texts),
    ]),
    ...textBox(LEFT, rowTop(3), MAIN, 5 * ROW_HEIGHT, 'Instruções', texts.instructions),
    ...column(rowTop(3), [
      totalCell(texts),
      sideCell('(–) Desconto / Abatimento'),
      sideCell('(+) Mora / Multa'),
      sideCell('(+) Outros acréscimos'),
      sideCell('(=) Valor cobrado'),
    ]),
    { kind: 'line', from: [LEFT, end], to: [RIGHT, end] },
    authentication(end, 'Autenticação mecânica'),
  ]
}

/** The lower part, the ficha de compensação. */
function form(texts: SlipTexts): Mark[] {
  const rowTop = (index: number): number => FORM_TOP + HEAD_HEIGHT + index * ROW_HEIGHT
  return [
    ...caption(FORM_TOP, 'Ficha de Compensação'),
    ...head(FORM_TOP, texts),
    ...row(LEFT, rowTop(0), ROW_HEIGHT, [
      { width: MAIN, label: 'Local de pagamento', value: PAY_WHERE },
      dueCell(texts),
    ]),
    ...row(LEFT, rowTop(1), ROW_HEIGHT, [
      { width: MAIN, label: 'Beneficiário', ...texts.beneficiary },
      codeCell(texts),
    ]),
    ...row(LEFT, rowTop(2), ROW_HEIGHT, [
      { width: 25, label: 'Data do documento', value: texts.issued },
      { width: 50, label: 'Nº do documento', value: texts.documentNumber },
      { width: 20, label: 'Espécie doc.', value: 'DM' },
      { width: 12, label: 'Aceite', value: 'N' },
      { width: 28, label: 'Data do processamento', value: texts.issued },
      ourNumberCell(texts),
    ]),
    ...row(LEFT, rowTop(3), ROW_HEIGHT, [
      { width: 25, label: 'Uso do banco' },
      { width: 20, label: 'Carteira', value: texts.wallet },
      { width: 30, label: 'Espécie', value: 'R$' },
      { width: 32, label: 'Quantidade' },
      { width: 28, label: '(x) Valor' },
      totalCell(texts),
    ]),
    ...textBox(LEFT, rowTop(4), MAIN, 5 * ROW_HEIGHT, WHOSE_INSTRUCTIONS, texts.instructions),
    ...column(rowTop(4), [
      sideCell('(–) Desconto / Abatimento'),
      sideCell('(–) Outras deduções'),
      sideCell('(+) Mora / Multa'),
      sideCell('(+) Outros acréscimos'),
      sideCell('(=) Valor cobrado'),
    ]),
    { kind: 'line', from: [LEFT, rowTop(9)], to: [RIGHT, rowTop(9)] },
    ...row(LEFT, rowTop(9), ROW_HEIGHT, [{ width: WIDTH, label: 'Pagador', ...texts.payer }]),
    ...row(LEFT, rowTop(10), ROW_HEIGHT, [
      { width: MAIN, label: 'Sacador / Avalista' },
      sideCell('Cód. baixa'),
    ]),
    authentication(FORM_END, 'Autenticação mecânica – Ficha de Compensação'),
  ]
}

/** Cells below each other in the right column, with a line on their left. */
function column(top: number, cells: readonly Cell[]): Mark[] {
  const left = LEFT + MAIN
  return [
    ...cells.flatMap((cell, index) => row(left, top + index * ROW_HEIGHT, ROW_HEIGHT, [cell])),
    { kind: 'line', from: [left, top], to: [left, top + cells.length * ROW_HEIGHT] },
  ]
}

/** A cell of the right column that a clerk fills in. */
function sideCell(title: string): Cell {
  return { width: SIDE, label: title }
}

function dueCell({ due: value }: SlipTexts): Cell {
  return { width: SIDE, label: 'Vencimento', value, align: 'right', strong: true, shaded: true }
}

function codeCell({ account: value }: SlipTexts): Cell {
  return { width: SIDE, label: 'Agência / Código do beneficiário', value, align: 'right' }
}

function ourNumberCell({ ourNumber: value }: SlipTexts): Cell {
  return { width: SIDE, label: 'Nosso número', value, align: 'right' }
}

function totalCell({ amount: value }: SlipTexts): Cell {
  return { width: SIDE, label: '(=) Valor do documento', value, align: 'right', strong: true, shaded: true }
}

/** The line above a part: what it is, and that it is worth nothing. */
function caption(top: number, title: string): Mark[] {
  const y = top - 1.5
  return [
    { kind: 'text', x: LEFT, y, text: SANDBOX_NOTE, style: { size: 8 }, grey: 0.3 },
    { kind: 'text', x: RIGHT, y, text: title, style: { size: 8, bold: true }, align: 'right' },
  ]
}

/** The bank, its code in a box, and the digitable line in large type. */
function head(top: number, { bank, line }: SlipTexts): Mark[] {
  const bottom = top + HEAD_HEIGHT
  const y = bottom - 2.4
  return [
    { kind: 'text', x: LEFT + 1.2, y, text: BANK_NAME, style: { size: 11, bold: true } },
    { kind: 'text', x: LEFT + 42.5, y, text: bank, style: { size: 15, bold: true } },
    { kind: 'text', x: RIGHT - 1.2, y, text: line, style: { size: 11.5, bold: true }, align: 'right' },
    { kind: 'line', from: [LEFT + 40, top + 1.5], to: [LEFT + 40, bottom], width: THICK },
    { kind: 'line', from: [LEFT + 60, top + 1.5], to: [LEFT + 60, bottom], width: THICK },
    { kind: 'line', from: [LEFT, bottom], to: [RIGHT, bottom], width: THICK },
  ]
}

function authentication(top: number, text: string): Mark {
  return { kind: 'text', x: RIGHT, y: top + 2.8, text, style: { size: 5.5 }, align: 'right', grey: 0.25 }
}

function cutHere(): Mark[] {
  return [
    {
      kind: 'text',
      x: RIGHT,
      y: CUT - 1,
      text: 'Corte na linha pontilhada',
      style: { size: 5.5 },
      align: 'right',
    },
    { kind: 'line', from: [LEFT, CUT], to: [RIGHT, CUT], dashed: true },
  ]
}

/** The barcode: every other width is a bar. */
function bars(digits: string): Mark[] {
  const widths = interleavedWidths(digits)
  const unit = BARS.width / widths.reduce((sum, width) => sum + width, 0)
  let x = BARS.x
  return widths.flatMap((width, index): Mark[] => {
    const left = x
    x += width * unit
    return index % 2 === 0
      ? [{ kind: 'box', x: left, y: BARS.y, width: width * unit, height: BARS.height }]
      : []
  })
}
