// Owns files that are sent: reading multipart bodies, and which kinds of files are taken.
import { MAX_EVIDENCE_BYTES, MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { refuse } from '../domain/refusal.ts'
import type { Refusal } from '../domain/refusal.ts'

/** A file as sent. */
export interface Upload {
  fileName: string
  bytes: Uint8Array
}

/** A file of a kind that is taken. */
export interface ReadFile extends Upload {
  contentType: string
}

/** A multipart body: its text fields, and its first file. */
export interface Multipart {
  fields: Record<string, unknown>
  upload: Upload | null
}

/** Room for the boundaries and fields around a file, in bytes. */
const ENVELOPE_BYTES = 65_536
/** The largest multipart body that is read, in bytes. */
export const MAX_MULTIPART_BYTES = MAX_EVIDENCE_BYTES + ENVELOPE_BYTES

/** The kinds that are taken, known by their first bytes. Source: DI-06. */
const KINDS = [
  { contentType: 'application/pdf', magic: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { contentType: 'image/png', magic: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/jpeg', magic: [0xff, 0xd8, 0xff] },
]

/** Reads a multipart body; a refusal when it is none or is damaged. */
export async function parseMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string | undefined,
): Promise<Multipart | Refusal<'validation_error'>> {
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- safe here: the whole body is bounded and already in memory
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType ?? '' } }).formData()
    const fields: Record<string, unknown> = {}
    let upload: Upload | null = null
    for (const [name, value] of form) {
      if (typeof value === 'string') fields[name] = value
      else if (name === 'file' && !upload) {
        upload = { fileName: value.name, bytes: new Uint8Array(await value.arrayBuffer()) }
        fields[name] = value.name
      }
    }
    return { fields, upload }
  } catch {
    return refuse(
      'validation_error',
      "The body is no multipart/form-data; send the file as field 'file', such as curl -F file=@proof.pdf.",
      'O corpo da requisição deve ser multipart/form-data.',
    )
  }
}

/** A file of a kind that is taken, under a safe name. Source: DI-06. */
export function readUpload(
  upload: Upload | null,
): ReadFile | Refusal<'validation_error' | 'payload_too_large'> {
  if (!upload || upload.bytes.length === 0) {
    return refuse(
      'validation_error',
      "Field 'file' must be a file that is not empty.",
      "Campo 'file': campo obrigatório.",
    )
  }
  if (upload.bytes.length > MAX_EVIDENCE_BYTES) {
    return refuse('payload_too_large', `A file has at most ${MAX_EVIDENCE_BYTES} bytes.`)
  }
  const kind = KINDS.find(({ magic }) => magic.every((byte, index) => upload.bytes[index] === byte))
  if (!kind) {
    return refuse(
      'validation_error',
      "Field 'file' must be a pdf, png or jpeg, whatever its name says.",
      "Campo 'file': deve ser um arquivo pdf, png ou jpeg.",
    )
  }
  return { fileName: safeName(upload.fileName), bytes: upload.bytes, contentType: kind.contentType }
}

/** The last part of a path, without control characters. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, MAX_SHORT_TEXT_UNITS)
    .replace(/\p{Cs}/gu, '')
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}
