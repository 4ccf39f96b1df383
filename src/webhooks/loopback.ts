// Owns telling addresses that mean the machine they are used on.

const LOOPBACK =
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])\.?$/

/** Whether the host of a parsed URL means the machine it is used on. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}
