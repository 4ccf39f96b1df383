// Owns the control routes that are planned and not built: each says so with 501 instead of looking like a typing error.

/** Method and path of each, relative to `/_sandbox`. */
export const PLANNED_ROUTES = [{ method: 'GET', path: '/ui' }] as const
