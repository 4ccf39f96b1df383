// Owns the types of the sample shop, for tests in TypeScript.

/** Opens the shop on the port that `env.PORT` names; resolves once it listens. `now` is its clock, in milliseconds. */
export function openShop(
  env?: Record<string, string | undefined>,
  now?: () => number,
): Promise<{ url: string; close: () => Promise<void> }>
