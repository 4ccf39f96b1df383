// Checks the two reference documents as they are served.
import { afterAll, describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { LINT_TIMEOUT_MS, lintOpenApi } from '../support/openapiLint.ts'
import { openSandbox } from '../support/sandbox.ts'
import type { OpenApiDocument } from '../../src/contract/openapiDocument.ts'

const sandbox = openSandbox()
afterAll(() => sandbox.close())

/** Names that a code generator gives to the types of a user. */
const TYPES = (
  'AccountBalance Advanced Balance Clock Command CommandLog Delivery DeliveryDetail Exchange Fault ' +
  'FaultAction Fired ForkedWorld Given GivenAnswer GivenCredential Holding Inbox InboxAnswer ' +
  'InboxMessage Info JournalEntry NewCredential NewWorld NoExchange Organization Posting ' +
  'PublicCredential RanJob ResetWorld Rule RuleAction RuleCondition RuleOrder ScenarioFailure ' +
  'ScenarioResult Settled Silence Snapshot StepResult StoredCashout StoredCustomer StoredDispute ' +
  'StoredTransaction Story StoryStep TextProblem Unsettled WaitingJob WantedValue World'
).split(' ')

describe('the control reference', () => {
  test('is served, and a linter finds nothing wrong with it', { timeout: LINT_TIMEOUT_MS }, async () => {
    const { status, body } = await sandbox.control('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(await lintOpenApi(body)).toEqual([])
  })

  test('describes each tag that a route has, and no other', async () => {
    const { body } = await sandbox.control('GET', '/openapi.json')
    const described = (body as OpenApiDocument).tags.map(({ name }) => name)
    expect(described.toSorted()).toEqual([...new Set(CONTROL_ROUTES.map(({ tag }) => tag))].toSorted())
  })

  test('gives its types the names by which users know them', async () => {
    const { body } = await sandbox.control('GET', '/openapi.json')
    expect(Object.keys(body.components.schemas).toSorted()).toEqual(TYPES)
  })

  test('has every route of the table, those of a world twice', async () => {
    const { body } = await sandbox.control('GET', '/openapi.json')
    const document: OpenApiDocument = body
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    const expected = CONTROL_ROUTES.flatMap(({ id, scope }) =>
      scope === 'world' ? [id, `${id}InWorld`] : [id],
    )
    expect(ids.toSorted()).toEqual(expected.toSorted())
  })
})

describe('the gateway reference', () => {
  test('is served under the address of the server', async () => {
    const { status, body } = await sandbox.send('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(body.servers).toEqual([{ url: 'http://sandbox.test' }])
    expect(body.paths['/v1/auth/token'].post.operationId).toBe('createToken')
  })
})
