import { describe, expect, it } from '@jest/globals';
import { addressKey, clientKey, isLoopback } from './client-address.js';

describe('the client key derived from an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '127.0.0.1'],
  ])('for %s is %s', (text, key) => expect(addressKey(text)).toBe(key));

  it.each(['', 'unknown', '203.0.113', '203.0.113.7:8080', '[::1]', '2001:db8::1::2', '_hidden'])(
    'for %j is undefined',
    (text) => expect(addressKey(text)).toBeUndefined(),
  );

  it('shows whether the client is on this machine', () => {
    expect(['127.0.0.1', '127.8.8.8', '128.0.0.1', '::/64'].map(isLoopback)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the client of a request', () => {
  const peer = '198.51.100.1';

  it('is the peer, whatever address a client without the secret of the proxy claims', () => {
    const sent = { isFromProxy: false, peer, forwardedFor: '203.0.113.7' };
    expect(clientKey(sent)).toBe(peer);
  });

  it('is the address that the proxy appended last, because the client sent the ones before it', () => {
    const from = (forwardedFor: string | string[] | undefined): string | undefined =>
      clientKey({ isFromProxy: true, peer, forwardedFor });
    expect(from('203.0.113.7')).toBe('203.0.113.7');
    expect(from('10.0.0.1, 203.0.113.7')).toBe('203.0.113.7');
    expect(from(['10.0.0.1', '203.0.113.7'])).toBe('203.0.113.7');
    expect([from(undefined), from(''), from('203.0.113.7, unknown')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
