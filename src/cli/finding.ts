// Owns what a check of `doctor` finds.

/** What a check found: fine, good to know, or a problem with what to do about it. */
export interface Finding {
  /** What was looked at, in one word. */
  check: string
  verdict: 'ok' | 'note' | 'problem'
  /** On one line. */
  says: string
}

/** Something that is fine. */
export function fine(check: string, says: string): Finding {
  return { check, verdict: 'ok', says }
}

/** Something that is good to know. */
export function note(check: string, says: string): Finding {
  return { check, verdict: 'note', says }
}

/** A problem, with what to do about it. */
export function problem(check: string, says: string): Finding {
  return { check, verdict: 'problem', says }
}

/** Whether an address means the machine that reads it. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
}

/** How a container reaches a receiver on its host. */
export const FROM_A_CONTAINER =
  "start it with --rewrite-localhost host.docker.internal (SANDBOX_REWRITE_LOCALHOST; on Linux also docker's " +
  '--add-host host.docker.internal:host-gateway) and let the receiver listen on 0.0.0.0'
