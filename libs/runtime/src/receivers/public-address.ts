import { BlockList, isIP } from 'node:net';

/**
 * IPv4 prefixes, with their lengths, that are not on the public internet (IANA IPv4 Special-Purpose Address
 * Registry). The Kubernetes network policy contains the same list.
 */
export const specialPurpose4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Special-purpose prefixes within the global unicast range, and the prefixes that embed an IPv4 address (Teredo,
 * 6to4).
 */
export const specialPurpose6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const blocked4 = new BlockList();
for (const [net, prefix] of specialPurpose4) blocked4.addSubnet(net, prefix);
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const blocked6 = new BlockList();
for (const [net, prefix] of specialPurpose6) blocked6.addSubnet(net, prefix, 'ipv6');

/**
 * True if this literal is an address on the public internet: not private, shared (CGNAT), loopback, link-local
 * (where clouds serve metadata), multicast or reserved, and not an IPv6 form of an IPv4 address.
 */
export const isPublicAddress = (literal: string): boolean => {
  switch (isIP(literal)) {
    case 4:
      return !blocked4.check(literal);
    case 6:
      return !literal.includes('%') && global6.check(literal, 'ipv6') && !blocked6.check(literal, 'ipv6');
    default:
      return false;
  }
};

/**
 * True if only the machine itself can reach this URL host: `localhost` and names below it, 127.0.0.0/8 and ::1.
 * The host must have the form of `URL.hostname`.
 */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:.+\.)?localhost\.?$/.test(hostname) ||
  hostname === '[::1]' ||
  (isIP(hostname) === 4 && hostname.startsWith('127.'));

/**
 * True if the URL host is not on the public internet: a loopback host, or an address that {@link isPublicAddress}
 * rejects. Names count as public here; the addresses that they resolve to are checked when connecting.
 */
export const isPrivateHost = (hostname: string): boolean => {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isLoopbackHost(hostname) || (isIP(literal) !== 0 && !isPublicAddress(literal));
};
