// Reads a PDF back with tools that are not ours: PDFium for its text and its dots, ZXing for the barcode among them.
import { readFileSync } from 'node:fs'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** Dots of a printed millimetre: a little more than 200 in an inch, as on an office printer. */
export const DOTS = 8

/** A page as a printer would lay it on paper, `DOTS` for a millimetre, row by row: 0 is black, 255 white. */
export interface Raster {
  width: number
  height: number
  dots: Uint8Array
}

const pdfium = await PDFiumLibrary.init()
await prepareZXingModule({
  overrides: {
    wasmBinary: Uint8Array.from(
      readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
    ).buffer,
  },
  fireImmediately: true,
})

/** How many pages a PDF has, and all text of the first one, with single blanks. Throws when PDFium refuses the file. */
export async function readText(pdf: Uint8Array): Promise<{ pages: number; text: string }> {
  const document = await pdfium.loadDocument(pdf)
  const text = document.getPage(0).getText().replaceAll(/\s+/g, ' ')
  const pages = document.getPageCount()
  document.destroy()
  return { pages, text }
}

/** The first page of a PDF in dots. */
export async function drawPage(pdf: Uint8Array): Promise<Raster> {
  const document = await pdfium.loadDocument(pdf)
  const page = document.getPage(0)
  const { width, height, data } = await page.render({ scale: (DOTS * 25.4) / 72, colorSpace: 'Gray' })
  const dots = Uint8Array.from(data)
  document.destroy()
  return { width, height, dots }
}

/** Every barcode on a page of whatever kind: its kind and its text. */
export async function readBars({ width, height, dots }: Raster): Promise<[kind: string, text: string][]> {
  const colours = new Uint32Array(dots.length)
  for (const [index, dot] of dots.entries()) colours[index] = 0xff000000 + dot * 0x010101
  const data = new Uint8ClampedArray(colours.buffer)
  const found = await readBarcodes({ width, height, data, colorSpace: 'srgb' })
  return found.map(({ format, text }) => [format, text])
}
