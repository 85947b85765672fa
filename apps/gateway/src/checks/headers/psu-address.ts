import { BlockList, isIP } from 'node:net';

/** True for a single IPv4 or IPv6 literal without brackets and without a zone. */
export const isIpLiteral = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

/**
 * Addresses that cannot belong to a PSU: unspecified, limited broadcast, multicast (RFC 1122 §3.2.1.3, RFC 4291
 * §2.5.2 and §2.7).
 */
const unusableAddresses = new BlockList();
unusableAddresses.addAddress('0.0.0.0');
unusableAddresses.addAddress('255.255.255.255');
unusableAddresses.addSubnet('224.0.0.0', 4);
unusableAddresses.addAddress('::', 'ipv6');
unusableAddresses.addSubnet('ff00::', 8, 'ipv6');

/** True if a PSU could be using this address. A call with an impossible address counts as unattended. */
export const mayBePsuAddress = (literal: string): boolean =>
  !unusableAddresses.check(literal, isIP(literal) === 4 ? 'ipv4' : 'ipv6');
