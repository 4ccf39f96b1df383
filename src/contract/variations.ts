// Owns the table of what the contract does not promise and a server can vary, so that no client comes to rely on it.

/** Each variation with what it does. */
export const VARIATIONS = {
  fieldOrder: 'the fields of answers and webhooks come in any order',
  absentFields:
    'fields that are null are left out where the contract does not state them: in webhooks, and in answers of endpoints that it does not describe',
  messageTexts: 'the texts of messages differ; codes and statuses stay',
  extraFields: 'answers and webhooks have fields that nobody knows',
  tieOrder: 'records that were made at one instant are listed in any order, the same on every page',
  tokenLength: 'access tokens are longer, by a length that differs',
  retryWaits: 'the waits of about 2 and 4 seconds before retries are drawn from 2 to 4 seconds',
} as const

/** Name of a variation. */
export type VariationName = keyof typeof VARIATIONS

/** All variations, in the order of the table. */
export const VARIATION_NAMES = Object.keys(VARIATIONS) as VariationName[]
