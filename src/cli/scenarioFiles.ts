// Owns the scenario files that a verb is told: paths, folders and globs, as scenarios.
import { resolve } from 'node:path'
import { kindOfPath } from '../world/disk.ts'
import { expandPath, readScenarios } from '../scenario/files.ts'
import { UsageError } from './usage.ts'
import type { Scenario } from '../scenario/parse.ts'

/**
 * The scenarios of paths, folders and globs, each file once.
 * @throws {UsageError} for a path where there is none, and for a folder that cannot be read
 * @throws {ScenarioError} with everything that is wrong in any of the files
 */
export async function scenariosOf(
  paths: readonly string[],
  { emptyFolders = false }: { emptyFolders?: boolean } = {},
): Promise<Scenario[]> {
  // As first typed, by where they are: one file can be named in several ways.
  const files = new Map<string, string>()
  for (const path of paths) {
    const found = await filesOf(path)
    const mayBeEmpty = emptyFolders && (await kindOfPath(path)) === 'folder'
    if (found.length === 0 && !mayBeEmpty) throw new UsageError(`there is no scenario file ${path}.`)
    for (const file of found) if (!files.has(resolve(file))) files.set(resolve(file), file)
  }
  return readScenarios([...files.values()])
}

async function filesOf(path: string): Promise<string[]> {
  try {
    return await expandPath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(`the folder of ${path} cannot be read: ${code}.`)
  }
}
