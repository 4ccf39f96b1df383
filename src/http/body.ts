// Owns reading the bytes of a request, up to a limit.

/** The bytes of a body, or why there are none: more than allowed, or the caller went away. */
export type Body = Uint8Array<ArrayBuffer> | 'tooLarge' | 'brokenOff'

/** Bytes past a limit that are still read and thrown away, so that the caller can read the refusal and go on. */
const MAX_DRAINED_BYTES = 33_554_432

/** Reads a body of at most `limit` bytes. Keeps nothing of a larger one. */
export async function readBody(request: Request, limit: number): Promise<Body> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) <= limit) return readWhole(request, limit)
  const stream = request.body as ReadableStream<Uint8Array> | null
  if (!stream) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    const reader = stream.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size <= limit) chunks.push(value)
      else chunks.length = 0
      if (size > limit + MAX_DRAINED_BYTES) {
        await reader.cancel()
        break
      }
    }
  } catch {
    return 'brokenOff'
  }
  return size > limit || Number(announced ?? 0) > limit ? 'tooLarge' : Buffer.concat(chunks)
}

/** Reads a body that is as long as was announced: a socket's server sees to that. Much faster than piece by piece. */
async function readWhole(request: Request, limit: number): Promise<Body> {
  try {
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length > limit ? 'tooLarge' : bytes
  } catch {
    return 'brokenOff'
  }
}
