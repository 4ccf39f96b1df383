// Owns reading the bytes of a request, up to a limit.

/** The bytes of a body, or word that there are more than allowed. */
export type Body = Uint8Array<ArrayBuffer> | 'tooLarge'

/** Reads a body of at most `limit` bytes; stops reading beyond. */
export async function readBody(request: Request, limit: number): Promise<Body> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) return 'tooLarge'
  if (declared !== null) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length > limit ? 'tooLarge' : bytes
  }
  if (!request.body) return new Uint8Array()
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > limit) {
      await reader.cancel()
      return 'tooLarge'
    }
    chunks.push(value)
  }
}
