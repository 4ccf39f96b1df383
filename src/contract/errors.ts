// Owns the table of error codes: the contract's own, and the sandbox's, which all start with `sandbox_`.
import type { SilenceId } from './silences.ts'

/** One error code: its HTTP status (or the silence that decides it), and the usual message in Portuguese. */
export interface ErrorRow {
  status: number | { choice: SilenceId }
  message: string
  /** When it is answered, for the reference. */
  when: string
  authority: string
}

/** The contract's failures. Their bodies are exactly the contract's. */
export const GATEWAY_ERRORS = {
  validation_error: {
    status: { choice: 'AU-05' },
    message: 'Dados inválidos.',
    when: 'a field is missing, has the wrong type or breaks a rule',
    authority: 'contract: Errors; AU-05, TX-06',
  },
  invalid_amount: {
    status: { choice: 'AU-05' },
    message: 'O valor mínimo é de 100 centavos.',
    when: 'the amount is below its minimum or above its maximum',
    authority: 'contract: Errors; AU-05',
  },
  invalid_status: {
    status: { choice: 'AU-05' },
    message: 'A operação não é permitida no status atual.',
    when: 'the status of the record does not allow the operation',
    authority: 'contract: Errors; AU-05',
  },
  invalid_credentials: {
    status: 401,
    message: 'Credenciais inválidas ou inativas.',
    when: 'the key pair is unknown, wrong or switched off',
    authority: 'contract: Errors',
  },
  unauthorized: {
    status: 401,
    message: 'Token de acesso inválido ou expirado.',
    when: 'the token is missing, malformed, expired, foreign or tampered with',
    authority: 'contract: Errors; ER-01',
  },
  sandbox_only: {
    status: { choice: 'AU-06' },
    message: 'Operação disponível apenas no ambiente Sandbox.',
    when: 'a simulation is asked for with Production credentials',
    authority: 'contract: Errors; AU-06',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'Limite de requisições excedido. Tente novamente mais tarde.',
    when: 'more tokens or calls than allowed; see `Retry-After`',
    authority: 'contract: Errors; AU-02, LM-01',
  },
  auth_rate_limit_exceeded: {
    status: 429,
    message: 'Limite de geração de tokens excedido. Tente novamente mais tarde.',
    when: 'more tokens than allowed, in a world that chose this code',
    authority: 'contract: Errors; AU-02',
  },
  forbidden: {
    status: 403,
    message: 'A credencial não tem permissão para esta operação.',
    when: 'the credential lacks the permission of the endpoint',
    authority: 'AU-07',
  },
  ip_not_allowed: {
    status: 403,
    message: 'Endereço IP não autorizado para esta credencial.',
    when: 'the credential is restricted to other addresses',
    authority: 'contract: Authentication; AU-08',
  },
  not_found: {
    status: 404,
    message: 'Recurso não encontrado.',
    when: 'no such path, or no such record of this merchant in this environment',
    authority: 'contract: Errors; ER-01, ER-02',
  },
  method_not_allowed: {
    status: 405,
    message: 'Método não permitido para este recurso.',
    when: 'the path exists under another method; see `Allow`',
    authority: 'ER-02',
  },
  conflict: {
    status: 409,
    message: 'Conflito com um registro existente.',
    when: 'a reference is taken, or a record changed meanwhile',
    authority: 'ER-01, CU-01, DI-08',
  },
  payload_too_large: {
    status: 413,
    message: 'Corpo da requisição maior que o permitido.',
    when: 'the body is larger than its limit',
    authority: 'ER-02',
  },
  insufficient_balance: {
    status: 400,
    message: 'Saldo insuficiente.',
    when: 'a cashout asks for more than can be withdrawn now',
    authority: 'CO-06',
  },
  invalid_card_data: {
    status: 400,
    message: 'Dados do cartão inválidos.',
    when: 'the card fields or the card token do not hold',
    authority: 'TX-07',
  },
  tokenization_not_supported: {
    status: 422,
    message: 'Tokenização de cartão não suportada.',
    when: 'the world chose to have no card tokenisation',
    authority: 'TX-28',
  },
  invalid_splits: {
    status: 400,
    message: 'Divisão de pagamento inválida.',
    when: 'a split breaks a rule, in a world that chose specific codes',
    authority: 'TX-06',
  },
  customer_required: {
    status: 400,
    message: 'Cliente obrigatório.',
    when: 'a boleto has no customer, in a world that chose specific codes',
    authority: 'TX-06',
  },
  invalid_due_date: {
    status: 400,
    message: 'Data de vencimento inválida.',
    when: 'a boleto is due too early, in a world that chose specific codes',
    authority: 'TX-06',
  },
  field_too_long: {
    status: 400,
    message: 'Campo maior que o permitido.',
    when: 'a text is too long, in a world that chose specific codes',
    authority: 'TX-06',
  },
  dispute_closed: {
    status: 400,
    message: 'A disputa não aceita mais respostas.',
    when: 'the dispute is under review or closed',
    authority: 'DI-07',
  },
  dispute_expired: {
    status: 400,
    message: 'O prazo de resposta da disputa terminou.',
    when: 'the deadline of the dispute has passed',
    authority: 'DI-07',
  },
  internal_error: {
    status: 500,
    message: 'Erro interno. Tente novamente.',
    when: 'the sandbox has a defect, or a fault asked for it',
    authority: 'contract: Errors; ER-01',
  },
} as const satisfies Record<string, ErrorRow>

/** Misuse of the sandbox. Answered in the envelope, with a message in English that says what to do. */
export const SANDBOX_ERRORS = {
  sandbox_bad_request: { status: 400, when: 'a field of a control call is missing or wrong' },
  sandbox_bad_scenario: { status: 400, when: 'a text is no scenario' },
  sandbox_bad_amount: { status: 400, when: 'a trigger carries an amount outside of what is left' },
  sandbox_unauthorized: { status: 401, when: 'the control token is missing or wrong' },
  sandbox_cross_site: {
    status: 403,
    when: 'a page of another origin asks for a change, or a browser asks at a public name that is not configured',
  },
  sandbox_not_found: { status: 404, when: 'no such route, world or record' },
  sandbox_method_not_allowed: { status: 405, when: 'the control route exists under another method' },
  sandbox_world_exists: { status: 409, when: 'the id of a new world is taken' },
  sandbox_world_fixed: { status: 409, when: 'the default world cannot be deleted' },
  sandbox_too_many_worlds: { status: 409, when: 'the server holds as many worlds as it may' },
  sandbox_too_many_plays: { status: 409, when: 'the server plays as many scenarios as it may' },
  sandbox_clock_busy: { status: 409, when: 'the clock of the world is being advanced by another call' },
  sandbox_clock_backwards: { status: 409, when: 'a clock is asked to move to an earlier instant' },
  sandbox_too_many_jobs: { status: 409, when: 'an advance ran more jobs than one advance may' },
  sandbox_trigger_refused: { status: 409, when: 'the status of the record has no row for the trigger' },
  sandbox_delivery_busy: { status: 409, when: 'an attempt of the delivery is in flight' },
  sandbox_not_held: { status: 409, when: 'a delivery that is to be released is not held' },
  sandbox_payload_too_large: { status: 413, when: 'the body of a control call is larger than its limit' },
  sandbox_internal_error: { status: 500, when: 'the sandbox has a defect' },
} as const satisfies Record<string, { status: number; when: string }>

/** A code of the contract. */
export type GatewayErrorCode = keyof typeof GATEWAY_ERRORS
/** A code of the sandbox. */
export type SandboxErrorCode = keyof typeof SANDBOX_ERRORS
