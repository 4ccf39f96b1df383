// Owns ascending lists of whole numbers that stay fast when they are long: kept in short chunks, never moved as a whole.

/** Numbers of one chunk at most. */
const MAX_CHUNK = 512

/** Numbers without repetition in ascending order. No chunk is empty. Plain data; changed only by the functions here. */
export interface Places {
  size: number
  chunks: number[][]
}

/** A list of some numbers that ascend already. */
export function placesOf(...ascending: number[]): Places {
  const places: Places = { size: 0, chunks: [] }
  for (const place of ascending) addPlace(places, place)
  return places
}

/** Puts a number into its place; one that is greater than all others is the cheapest. It must not be there yet. */
export function addPlace(places: Places, place: number): void {
  const { chunks } = places
  places.size += 1
  const last = chunks.at(-1)
  if (!last) {
    // As literals, arrays take no more memory than they need: most lists stay this short.
    places.chunks = [[place]]
    return
  }
  if (last.length >= MAX_CHUNK && endOf(last) < place) {
    chunks.push([place])
    return
  }
  if (endOf(last) < place) {
    last.push(place)
    return
  }
  const index = chunkFor(chunks, place)
  const chunk = chunks[index] ?? last
  chunk.splice(below(chunk, place), 0, place)
  if (chunk.length > MAX_CHUNK) chunks.splice(index + 1, 0, chunk.splice(MAX_CHUNK >> 1))
}

/** Takes a number out; answers whether it was there. */
export function removePlace(places: Places, place: number): boolean {
  const { chunks } = places
  const index = chunkFor(chunks, place)
  const chunk = chunks[index]
  const at = chunk ? below(chunk, place) : 0
  if (chunk?.[at] !== place) return false
  places.size -= 1
  if (chunk.length === 1) chunks.splice(index, 1)
  else chunk.splice(at, 1)
  return true
}

/** How many numbers are less than another. */
export function countBelow({ chunks, size }: Places, place: number): number {
  const last = chunks.at(-1)
  if (!last || endOf(last) < place) return size
  const index = chunkFor(chunks, place)
  let count = below(chunks[index] ?? [], place)
  for (let before = 0; before < index; before += 1) count += chunks[before]?.length ?? 0
  return count
}

/** The numbers from one position up to another, which is not included, in ascending order. */
export function slicePlaces({ chunks }: Places, start: number, end: number): number[] {
  const found: number[] = []
  let first = 0
  for (const chunk of chunks) {
    if (first >= end) break
    if (first + chunk.length > start) {
      for (const place of chunk.slice(Math.max(0, start - first), end - first)) found.push(place)
    }
    first += chunk.length
  }
  return found
}

/** The index of the first chunk that ends at a number or after it; the number of chunks when none does. */
function chunkFor(chunks: readonly number[][], place: number): number {
  let [low, high] = [0, chunks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(chunks[middle] ?? []) < place) low = middle + 1
    else high = middle
  }
  return low
}

function endOf(chunk: readonly number[]): number {
  return chunk[chunk.length - 1] ?? -Infinity
}

/** How many numbers of a chunk are less than another. */
function below(chunk: readonly number[], place: number): number {
  let [low, high] = [0, chunk.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chunk[middle] ?? Infinity) < place) low = middle + 1
    else high = middle
  }
  return low
}
