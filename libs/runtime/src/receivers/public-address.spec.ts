import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

describe('the check that an address is public (contract 11: never a private address)', () => {
  it.each([
    ['unspecified', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by carriers', '100.64.0.1'],
    ['loopback', '127.0.0.2'],
    ['of the protocol itself', '192.0.0.8'],
    ['relays of 6to4', '192.88.99.1'],
    ['link-local, where cloud metadata is served', '169.254.169.254'],
    ['for benchmarks', '198.19.0.1'],
    ['documentation', '203.0.113.7'],
    ['multicast', '239.1.1.1'],
    ['reserved', '250.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['multicast', 'ff02::1'],
    ['IPv4-mapped', '::ffff:8.8.8.8'],
    ['IPv4-mapped in hexadecimal', '::ffff:a00:1'],
    ['IPv4-compatible', '::10.0.0.1'],
    ['translated (NAT64)', '64:ff9b::a00:1'],
    ['translated (NAT64) in decimals', '64:ff9b::10.0.0.1'],
    ['translated in a local network (NAT64)', '64:ff9b:1::a00:1'],
    ['site-local', 'fec0::1'],
    ['discard only', '100::1'],
    ['6to4', '2002:a00:1::1'],
    ['Teredo', '2001:0:a00:1::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['segment routing', '5f00::1'],
    ['no address', 'bank.example'],
    ['no address', '2130706433'],
  ])('%s %s is not public', (_kind, literal) => {
    expect(isPublicAddress(literal)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '193.0.0.1',
    '2a00:1450:4001::5',
    '2606:4700::1',
  ])('%s is public', (literal) => {
    expect(isPublicAddress(literal)).toBe(true);
  });
});
