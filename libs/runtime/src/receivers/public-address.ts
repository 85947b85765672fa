import { BlockList, isIP } from 'node:net';

/** IPv4 addresses that are not of the public internet (IANA IPv4 Special-Purpose Address Registry), with the prefix's length. Kubernetes' network policy has the same. */
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

/** Ranges within the global unicast addresses that are special, or carry an IPv4 address inside (Teredo, 6to4). */
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
 * Is this literal an address of the public internet? Not private, shared (CGNAT), loopback, link-local (where clouds have
 * their metadata), multicast or reserved, nor an IPv6 form of an IPv4 address.
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

/** Is this the host of a URL that only the machine itself reaches: `localhost` and names below it, 127.0.0.0/8 and ::1? As `URL.hostname` writes it. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:.+\.)?localhost\.?$/.test(hostname) ||
  hostname === '[::1]' ||
  (isIP(hostname) === 4 && hostname.startsWith('127.'));

/**
 * Is this the host of a URL that the public internet does not have: a loopback host, or an address that {@link isPublicAddress}
 * refuses? Names are taken for public here; what they resolve to is checked where something connects to them.
 */
export const isPrivateHost = (hostname: string): boolean => {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isLoopbackHost(hostname) || (isIP(literal) !== 0 && !isPublicAddress(literal));
};
