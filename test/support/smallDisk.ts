// Owns small disks of their own in the place of a folder, for tests that fill them; making one takes the right to mount.
import { spawnSync } from 'node:child_process'

const [MOUNT, UNMOUNT] = ['mount', 'umount']

/** Makes a folder a disk in memory, or changes one that is; `options` are those of mount, such as `size=1m`. Answers whether it could. */
export function mountSmallDisk(folder: string, options: string): boolean {
  return spawnSync(MOUNT, ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
}

/** Makes the folder what it was, also while something in it is still open. */
export function unmountSmallDisk(folder: string): void {
  spawnSync(UNMOUNT, ['-l', folder])
}
