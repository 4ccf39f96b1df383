// Owns the disk: the only file that touches it.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'

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
