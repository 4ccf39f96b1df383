// Owns damage to an `Authorization` header: tokens that are cut, forged, swapped or of another scheme.

const part = (text: string): string => Buffer.from(text).toString('base64url')

/** Changes of `Bearer <token>`; null for no header at all. The second token is of another world. */
export const TOKEN_DAMAGE: readonly ((value: string, other: string) => string | null)[] = [
  () => null,
  () => 'Bearer ',
  () => 'Basic dXNlcjpwYXNz',
  () => `Bearer ${'a'.repeat(5_000)}`,
  () => 'Bearer a.b.c',
  (value) => value.slice(0, -7),
  (value) => value.split('.').slice(0, 2).join('.'),
  (value) => `${value}.x`,
  (value) => `Bearer ${part('{"alg":"none","typ":"JWT"}')}.${value.split('.')[1] ?? ''}.`,
  (value) => value.replace(/^Bearer [^.]+/, `Bearer ${part('{"alg":"RS256"}')}`),
  (value) => value.replace(/^Bearer [^.]+/, `Bearer ${part('{"alg":"HS256","kid":"../../x","crit":["x"]}')}`),
  (value) => value.replace(/\.[^.]+\./, `.${part('{"sub":"__proto__","iss":null,"exp":1e309}')}.`),
  (value) => value.replace(/\.[^.]+\./, `.${part('[]')}.`),
  (_, other) => `Bearer ${other}`,
  // The head and the claims of one world under the signature of the other.
  (value, other) => `${value.split('.').slice(0, 2).join('.')}.${other.split('.')[2] ?? ''}`,
  (value) => value.toLowerCase(),
]
