// Deep JSON: what nests too deep to be answered again is refused by the control API, and is only text for an inbox.
import { describe, expect, test } from 'vitest'
import { MAX_JSON_LEVELS } from '../../src/contract/limits.ts'
import { openSandbox } from '../support/sandbox.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('JSON of very many levels', () => {
  test.each([
    ['PATCH', '/silences', 'AU-13'],
    ['POST', '/worlds', 'silences'],
    ['POST', '/trigger', 'payer'],
  ])('is refused by %s %s', async (method, path, field) => {
    const sandbox = openSandbox()
    const { status, body } = await sandbox.control(method, path, `{"${field}":${nested(40_000)}}`)
    expect(status).toBe(400)
    expect(body.error).toEqual({
      code: 'sandbox_bad_request',
      message: `A body nests at most ${MAX_JSON_LEVELS} lists and objects.`,
    })
    expect(sandbox.defects).toEqual([])
    sandbox.close()
  })

  // proves: limit MAX_JSON_LEVELS
  test.each([
    [MAX_JSON_LEVELS, true],
    [MAX_JSON_LEVELS + 1, false],
    [40_000, false],
  ])('with %i levels is kept by an inbox, read as JSON or not', async (levels, isRead) => {
    const sandbox = openSandbox()
    await sandbox.control('POST', '/inbox/deep', nested(levels))
    const { status, body } = await sandbox.control('GET', '/inboxes/deep/messages')
    expect(status).toBe(200)
    expect(body.items[0].body).toBe(nested(levels))
    expect(body.items[0].json !== null).toBe(isRead)
    expect(sandbox.defects).toEqual([])
    sandbox.close()
  })
})
