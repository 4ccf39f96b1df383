// Owns taking turns: each round measures everything once, so that a busy moment of the machine meets all of it alike.

/** Measures one thing once. */
export type Measure = () => Promise<number>

/**
 * Measures everything in each of some rounds, every second one backwards, so that no measure always follows the same one.
 * @returns what each measure found, round by round
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, Measure>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      taken[name].push(await measures[name]())
    }
  }
  return taken
}

/** How long something takes, in milliseconds. */
export async function timed(run: () => unknown): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}
