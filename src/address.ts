// Owns where a server listens unless it is told otherwise.

/** Port unless told otherwise. */
export const DEFAULT_PORT = 4848
/** Address unless told otherwise: only this machine. */
export const DEFAULT_HOST = '127.0.0.1'
