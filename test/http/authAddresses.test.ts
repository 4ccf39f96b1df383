// Tests of the addresses that a credential may be used from: how they are matched, and where they are checked.
import { describe, expect, test } from 'vitest'
import { isAllowed } from '../../src/http/addresses.ts'
import { openServer } from '../support/server.ts'
import {
  askToken,
  callingFrom,
  choose,
  codeOf,
  control,
  fresh,
  makePair,
  NO_ID,
  outcome,
  ROWS,
} from './calls.ts'

describe('an address', () => {
  test.each<[address: string, ranges: string[], allowed: boolean]>([
    // No ranges allow everybody.
    ['203.0.113.9', [], true],
    ['2001:db8::9', [], true],
    // Single addresses.
    ['203.0.113.9', ['203.0.113.9'], true],
    ['203.0.113.10', ['203.0.113.9'], false],
    ['203.0.113.90', ['203.0.113.9'], false],
    ['2001:db8::9', ['2001:db8::9'], true],
    ['2001:db8::9', ['2001:0db8:0000:0000:0000:0000:0000:0009'], true],
    ['2001:DB8::9', ['2001:db8::9'], true],
    ['2001:db8::a', ['2001:db8::9'], false],
    ['::1', ['::1'], true],
    ['::1', ['127.0.0.1'], false],
    ['127.0.0.1', ['::1'], false],
    // IPv4 ranges, at their edges.
    ['10.0.0.0', ['10.0.0.0/8'], true],
    ['10.255.255.255', ['10.0.0.0/8'], true],
    ['11.0.0.0', ['10.0.0.0/8'], false],
    ['9.255.255.255', ['10.0.0.0/8'], false],
    ['192.168.1.127', ['192.168.1.0/25'], true],
    ['192.168.1.128', ['192.168.1.0/25'], false],
    ['203.0.113.9', ['203.0.113.9/32'], true],
    ['203.0.113.8', ['203.0.113.9/32'], false],
    ['203.0.113.9', ['0.0.0.0/0'], true],
    ['10.1.2.3', ['10.1.2.99/24'], true],
    // IPv6 ranges, at their edges.
    ['2001:db8::', ['2001:db8::/32'], true],
    ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:db8::/32'], true],
    ['2001:db9::', ['2001:db8::/32'], false],
    ['2001:db8::1', ['2001:db8::1/128'], true],
    ['2001:db8::2', ['2001:db8::1/128'], false],
    ['2001:db8::1', ['::/0'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    // One family does not open the other.
    ['203.0.113.9', ['2001:db8::/32'], false],
    ['2001:db8::9', ['203.0.113.0/24'], false],
    ['2001:db8::9', ['0.0.0.0/0'], false],
    // IPv4 in IPv6, as a socket on `::` tells it.
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['::FFFF:10.1.2.3', ['10.1.2.3'], true],
    ['::ffff:11.1.2.3', ['10.0.0.0/8'], false],
    ['::ffff:a01:203', ['10.0.0.0/8'], true],
    ['10.1.2.3', ['::ffff:10.1.2.3'], true],
    ['10.1.2.4', ['::ffff:10.1.2.3'], false],
    // Any one of several ranges is enough.
    ['198.51.100.7', ['203.0.113.9', '198.51.100.0/24', '2001:db8::/32'], true],
    ['2001:db8::7', ['203.0.113.9', '198.51.100.0/24', '2001:db8::/32'], true],
    ['192.0.2.1', ['203.0.113.9', '198.51.100.0/24', '2001:db8::/32'], false],
  ])('%s against %j is allowed: %s', (address, ranges, allowed) => {
    expect(isAllowed(address, ranges)).toBe(allowed)
  })

  test.each([
    'nonsense',
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    '2001:db8::/129',
    '2001:db8:::1',
    'localhost',
    '10.0.0.1 ',
  ])('written as %j is refused when a credential is given it', async (range) => {
    const answered = await fresh().control('POST', '/credentials', { allowedIps: [range] })
    expect(outcome(answered)).toBe('400 sandbox_bad_request')
  })
})

const HERE = '10.1.2.3'
const THERE = '203.0.113.9'
const ONLY_HERE = { allowedIps: ['10.0.0.0/8', '2001:db8::/32'] }

describe('a credential that is restricted to addresses', () => {
  // proves: error ip_not_allowed
  test.each([
    [HERE, '200'],
    ['::ffff:10.1.2.3', '200'],
    ['2001:db8::77', '200'],
    [THERE, '403 ip_not_allowed'],
    ['::ffff:203.0.113.9', '403 ip_not_allowed'],
    ['2001:db9::77', '403 ip_not_allowed'],
  ])('that asks for a token from %s gets %s', async (address, expected) => {
    const sandbox = fresh()
    const pair = await makePair(sandbox, ONLY_HERE)
    expect(outcome(await askToken(callingFrom(sandbox, address), pair))).toBe(expected)
  })

  test('is told in the hint where it calls from and where it may', async () => {
    const sandbox = fresh()
    const pair = await makePair(sandbox, ONLY_HERE)
    const { headers } = await askToken(callingFrom(sandbox, '::ffff:203.0.113.9'), pair)
    expect(headers.get('x-sandbox-hint')).toMatch(/ 203\.0\.113\.9;.*10\.0\.0\.0\/8, 2001:db8::\/32/)
  })

  const withToken = ROWS.filter(({ permission }) => permission !== null)

  test.each(withToken)('cannot use its token from elsewhere for $method $path', async ({ method, path }) => {
    const sandbox = fresh()
    const pair = await makePair(sandbox, ONLY_HERE)
    const token = await callingFrom(sandbox, HERE).token(pair.publicKey, pair.secretKey)
    const url = path.replace(/\{\w+\}/, NO_ID)
    const options = method === 'GET' ? { token } : { token, body: {} }
    const [near, far] = [
      await callingFrom(sandbox, HERE).send(method, url, options),
      await callingFrom(sandbox, THERE).send(method, url, options),
    ]
    expect(codeOf(near)).not.toBe('ip_not_allowed')
    expect(outcome(far)).toBe('403 ip_not_allowed')
  })

  test('can use its token from anywhere where only token creation is restricted (AU-08)', async () => {
    const sandbox = fresh({ silences: { 'AU-08': 'tokenOnly' } })
    const pair = await makePair(sandbox, ONLY_HERE)
    const token = await callingFrom(sandbox, HERE).token(pair.publicKey, pair.secretKey)
    const there = callingFrom(sandbox, THERE)
    expect(outcome(await there.send('GET', '/v1/customers', { token }))).toBe('200')
    expect(outcome(await askToken(there, pair))).toBe('403 ip_not_allowed')
  })

  test('can use its token from elsewhere as soon as that is allowed, and no longer when it is not', async () => {
    const sandbox = fresh()
    const there = callingFrom(sandbox, THERE)
    const token = await sandbox.token()
    const ask = async (allowedIps: string[]): Promise<string> => {
      await control(sandbox, 'PATCH', '/credentials/pk_sandbox_default', { allowedIps })
      return outcome(await there.send('GET', '/v1/customers', { token }))
    }
    expect(await ask([])).toBe('200')
    expect(await ask([HERE])).toBe('403 ip_not_allowed')
    expect(await ask([HERE, THERE])).toBe('200')
    await choose(sandbox, { 'AU-08': 'tokenOnly' })
    expect(await ask([HERE])).toBe('200')
  })

  test.each([
    ['127.0.0.1', '200'],
    ['127.0.0.0/8', '200'],
    ['10.0.0.0/8', '403 ip_not_allowed'],
  ])('to %s, called without a socket, gets %s', async (range, expected) => {
    const sandbox = fresh()
    const pair = await makePair(sandbox, { allowedIps: [range] })
    expect(outcome(await askToken(sandbox, pair))).toBe(expected)
  })

  test.each(['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP'])(
    'is not fooled by the header %s: only the socket counts',
    async (name) => {
      const sandbox = fresh()
      const body = await makePair(sandbox, ONLY_HERE)
      const headers = { [name]: name === 'Forwarded' ? `for=${HERE}` : HERE }
      const answered = await callingFrom(sandbox, THERE).send('POST', '/v1/auth/token', { body, headers })
      expect(outcome(answered)).toBe('403 ip_not_allowed')
    },
  )

  test.each([
    ['127.0.0.1', '200'],
    ['10.0.0.0/8', '403 ip_not_allowed'],
  ])('to %s, called over a real socket of this machine, gets %s', async (range, expected) => {
    const server = await openServer()
    const { body } = await server.control('POST', '/credentials', { allowedIps: [range] })
    const { publicKey, secretKey } = body
    const answered = await askToken(server, { publicKey, secretKey })
    await server.close()
    expect(outcome(answered)).toBe(expected)
  })
})
