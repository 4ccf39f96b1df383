// Checks what the entries of an allow-list let in, however an address is written.
import { describe, expect, test } from 'vitest'
import { mayConnect, neverAllowed, parseAllowEntry } from '../../src/webhooks/allow.ts'
import { checkCallbackAllow } from '../../src/world/hostOptions.ts'

describe('an entry of the allow-list', () => {
  const listOf = (entry: string) => checkCallbackAllow(entry.split(','))

  test.each([
    ['shop.test', 'https://shop.test/hook', '93.184.216.34', true],
    ['shop.test', 'https://SHOP.test./hook', '93.184.216.34', true],
    ['Shop.Test', 'https://shop.test/hook', '93.184.216.34', true],
    ['shop.test', 'https://a.shop.test/hook', '93.184.216.34', false],
    ['shop.test', 'https://shop.test.evil.test/hook', '93.184.216.34', false],
    ['shop.test', 'https://evilshop.test/hook', '93.184.216.34', false],
    ['shop.test', 'https://shop.test@evil.test/hook', '93.184.216.34', false],
    ['münchen.test', 'https://xn--mnchen-3ya.test/hook', '93.184.216.34', true],
    ['*.shop.test', 'https://a.b.shop.test/hook', '93.184.216.34', true],
    ['*.shop.test', 'https://shop.test/hook', '93.184.216.34', false],
    ['*.shop.test', 'https://evilshop.test/hook', '93.184.216.34', false],
    ['shop.test:8443', 'https://shop.test:8443/hook', '93.184.216.34', true],
    ['shop.test:8443', 'https://shop.test/hook', '93.184.216.34', false],
    ['shop.test:443', 'https://shop.test/hook', '93.184.216.34', true],
    ['shop.test:443', 'http://shop.test/hook', '93.184.216.34', false],
    ['93.184.216.34', 'http://93.184.216.34/hook', '93.184.216.34', true],
    ['93.184.216.34', 'http://0x5db8d822/hook', '93.184.216.34', true],
    ['93.184.216.34', 'http://any.test/hook', '93.184.216.34', true],
    ['93.184.216.34:80', 'http://any.test:81/hook', '93.184.216.34', false],
    ['2001:4860::8888', 'http://[2001:4860::8888]/hook', '2001:4860::8888', true],
    ['[2001:4860::8888]:80', 'http://[2001:4860::8888]/hook', '2001:4860::8888', true],
    ['10.0.0.0/8', 'http://any.test/hook', '10.200.3.4', true],
    ['10.0.0.0/8', 'http://any.test/hook', '11.0.0.1', false],
    ['10.0.0.0/8', 'http://any.test/hook', '::ffff:10.0.0.1', true],
    ['fd00::/8', 'http://any.test/hook', 'fd12::1', true],
    ['loopback', 'http://localhost:3000/hook', '127.0.0.1', true],
    ['loopback', 'http://localhost:3000/hook', '::1', true],
    ['loopback', 'http://any.test/hook', '10.0.0.1', false],
    ['localhost', 'http://localhost:3000/hook', '127.0.0.1', true],
    ['localhost', 'http://localhost.:3000/hook', '127.0.0.1', true],
    ['Loopback', 'http://localhost:3000/hook', '127.0.0.1', true],
    ['PRIVATE', 'http://any.test/hook', '10.0.0.1', true],
    ['any.test', 'http://any.test/hook', '3fff::1', false],
    ['any.test', 'http://any.test/hook', '5f00::1', false],
    ['localhost', 'http://localhost:3000/hook', '10.0.0.1', false],
    ['localhost', 'http://127.0.0.1:3000/hook', '127.0.0.1', false],
    ['private', 'http://any.test/hook', '192.168.0.7', true],
    ['private', 'http://any.test/hook', '127.0.0.1', false],
    ['private', 'http://169.254.169.254/latest', '169.254.169.254', false],
    ['shop.test,10.0.0.5', 'http://shop.test/hook', '10.0.0.5', true],
  ])("'%s' for %s at %s: %s", (entry, receiver, address, may) => {
    expect(mayConnect(listOf(entry), new URL(receiver), address)).toBe(may)
  })

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1%eth0',
    'ff02::1',
  ])('a name alone lets nobody in at %s, which the internet does not have', (address) => {
    expect(mayConnect(listOf('shop.test,*.shop.test'), new URL('http://shop.test'), address)).toBe(false)
  })

  test.each([
    '',
    '*',
    '*.',
    '*.*.test',
    'shop.*',
    'http://shop.test',
    'shop.test/hook',
    'shop.test:0',
    'shop.test:65536',
    'shop.test:http',
    'user@shop.test',
    'sh op.test',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '*.10.0.0.1',
    '1.2.3.4.5',
    'shop.test?x',
    'LOOPBACK/8',
    'loopback:9000',
    'private:80',
    '*.private',
    '__proto__',
  ])("'%s' is none", (text) => {
    expect(parseAllowEntry(text)).toBeNull()
  })
})

test.each(['shop.test', [5], null, []])('%j is no list of receivers', (given) => {
  expect(() => checkCallbackAllow(given as unknown as string[])).toThrow(/^callbackAllow is /)
})

test('an address in other clothes is the same address', () => {
  const allow = checkCallbackAllow(['shop.test'])
  for (const host of [
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '０',
    '127。0。0。1',
  ]) {
    expect(neverAllowed(allow, new URL(`http://${host}/`)), host).not.toBeNull()
  }
})
