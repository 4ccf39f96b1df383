// Owns finding texts by a part of them: which texts hold each run of three characters.
import { addPlace, placesOf, removePlace } from './places.ts'
import type { Places } from './places.ts'

/** Characters of one run. A shorter part is in too many texts for an index to help. */
const RUN = 3

/** The places of texts by each run that they hold. */
export type TextIndex = Map<string, Places>

/** Makes a text findable at its place. */
export function addText(index: TextIndex, place: number, text: string): void {
  for (const run of runsOf(text)) {
    const known = index.get(run)
    if (known) addPlace(known, place)
    else index.set(run, placesOf(place))
  }
}

/** Forgets a text, as it was added. */
export function removeText(index: TextIndex, place: number, text: string): void {
  for (const run of runsOf(text)) {
    const known = index.get(run)
    if (known) removePlace(known, place)
    if (known?.size === 0) index.delete(run)
  }
}

/** Where a part may be: the places of its rarest run, a superset of those that hold it. Null for a part that is too short. */
export function placesWith(index: TextIndex, part: string): Places | null {
  let rarest: Places | null = null
  for (const run of runsOf(part)) {
    const places = index.get(run) ?? placesOf()
    if (!rarest || places.size < rarest.size) rarest = places
  }
  return rarest
}

function runsOf(text: string): Set<string> {
  const runs = new Set<string>()
  for (let start = 0; start + RUN <= text.length; start += 1) runs.add(text.slice(start, start + RUN))
  return runs
}
