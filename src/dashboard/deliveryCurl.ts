// Owns a delivery as a command: curl with the same bytes and headers, for any shell of the POSIX kind.

/** Longest body that stands in a command, in UTF-16 units. Systems limit the length of an argument to 128 KiB. */
const MAX_COMMAND_UNITS = 40_000

/** What a command sends. */
interface Sent {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** The command; null for a body that is too long to be typed. */
export function curlOf({ url, headers, body }: Sent): string | null {
  if (body.length > MAX_COMMAND_UNITS) return null
  const parts = [
    `curl -i ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ]
  return parts.join(' \\\n  ')
}

/** A text as one word of a shell, which reads nothing in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
