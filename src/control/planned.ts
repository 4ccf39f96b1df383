// Owns the control routes that are planned and not built: each says so with 501 instead of looking like a typing error.

/** Method and path of each, relative to `/_sandbox`. */
export const PLANNED_ROUTES = [
  { method: 'POST', path: '/deliveries/hold' },
  { method: 'POST', path: '/deliveries/release' },
  { method: 'POST', path: '/deliveries/{id}/duplicate' },
  { method: 'POST', path: '/scenarios' },
  { method: 'GET', path: '/explain/{id}' },
  { method: 'GET', path: '/ui' },
] as const
