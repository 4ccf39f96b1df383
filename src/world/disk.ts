// Owns the disk: the only file that touches it.
import { access, constants, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * The text of a file.
 * @throws {Error} with the system's `code`, such as ENOENT
 */
export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8')
}

/**
 * Writes a text as a file, in place of what was there.
 * @throws {Error} with the system's `code`, such as EACCES
 */
export function writeText(path: string, text: string): Promise<void> {
  return writeFile(path, text)
}

/**
 * Checks that a text can be written as a file, without touching it.
 * @throws {Error} with the system's `code`, such as ENOENT for a folder that is not there
 */
export async function checkWritable(path: string): Promise<void> {
  const kind = await kindOfPath(path)
  if (kind === 'folder') throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR' })
  await access(dirname(path), kind === 'file' ? constants.X_OK : constants.W_OK | constants.X_OK)
  if (kind === 'file') await access(path, constants.W_OK)
}

/** What a path names; null when there is nothing. */
export async function kindOfPath(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    return null
  }
}

/** The files of a folder and of all folders in it, relative to it, with `/` between the parts, in order of the alphabet. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const inside = entry.parentPath.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, '')
      return inside === '' ? entry.name : `${inside}/${entry.name}`
    })
    .toSorted()
}
