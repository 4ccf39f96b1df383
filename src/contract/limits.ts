// Owns the limits of the gateway's interface, each with its unit in its name.

/** Smallest amount of a transaction and of a cashout. Source: contract: Limits. */
export const MIN_AMOUNT_CENTS = 100
/** Largest amount of a transaction and of a cashout: ten digits, as on a boleto. Source: behaviour of bodies. */
export const MAX_AMOUNT_CENTS = 9_999_999_999
/** Source: contract: Limits. */
export const MAX_DESCRIPTION_UNITS = 500
/** Source: contract: Limits. */
export const MAX_EXTERNAL_ID_UNITS = 100
/** Metadata of a transaction or customer, as JSON text. Ours: the contract names no limit. */
export const MAX_METADATA_UNITS = 10_000
/** Any other short text (names, e-mails, parts of an address). Ours. */
export const MAX_SHORT_TEXT_UNITS = 255
/** An URL. Ours. */
export const MAX_URL_UNITS = 2_048
/** Source: contract: Limits. */
export const MIN_PIX_EXPIRATION_MINUTES = 5
/** Source: contract: Limits. */
export const MAX_PIX_EXPIRATION_MINUTES = 1_440
/** Source: contract: Limits. */
export const MIN_INSTALLMENTS = 1
/** Source: contract: Limits. */
export const MAX_INSTALLMENTS = 12
/** Days between the creation of a boleto and its earliest due date. Source: contract: Limits. */
export const MIN_BOLETO_DUE_DAYS = 2
/** Receivers of one transaction. Ours. */
export const MAX_SPLITS = 50
/** Source: contract: Limits. */
export const MAX_PAGE_SIZE = 100
/** Source: LI-01. */
export const DEFAULT_PAGE_SIZE = 20
/** Source: contract: Limits. */
export const MAX_DISPUTE_TEXT_UNITS = 5_000
/** Source: contract: Limits. */
export const TOKEN_LIFETIME_SECONDS = 3_600
/** Source: contract: Limits. */
export const TOKENS_PER_HOUR = 10
/** Source: contract: Limits. */
export const DELIVERY_ATTEMPTS = 3
/** Waits before attempts 2 and 3. Source: contract: Delivery and retries. */
export const RETRY_WAITS_SECONDS = [2, 4] as const
/** Body of a call. Source: ER-02. */
export const MAX_BODY_BYTES = 1_048_576
/** Levels of lists and objects in JSON that the sandbox itself keeps or answers. */
export const MAX_JSON_LEVELS = 200
/** Files of one dispute. Source: DI-06. */
export const MAX_EVIDENCES = 10
/** Size of one file of a dispute. Source: DI-06. */
export const MAX_EVIDENCE_BYTES = 10_485_760
/** Life of the link to a file of a dispute. Source: DI-06. */
export const EVIDENCE_LINK_MINUTES = 15
