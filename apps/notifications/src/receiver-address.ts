import { isPublicAddress } from '@xs2a/runtime/receivers/public-address';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** Returns all addresses of a host name. Throws if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Queries only the name servers, so that no local host names are found, and waits at most two seconds. It does not
 * use the few threads on which the operating system resolves names, so a silent name server delays only lookups of
 * its own names.
 */
export const resolvePublicly: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new UnreachableReceiver('the host name has no address');
  return addresses;
};

/**
 * Like `resolvePublicly`, but also resolves `localhost`, which no name server knows (RFC 6761 §6.3); for the
 * sandbox.
 */
export const resolveLocally: Resolve = async (host) =>
  /^(.+\.)?localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : resolvePublicly(host);

/** Thrown when nothing may be sent to the receiver's address. */
export class UnreachableReceiver extends Error {
  override readonly name = 'UnreachableReceiver';
}

/** Throws {@link UnreachableReceiver} for an address outside the public internet. */
export const refusePrivate = (address: string): void => {
  if (!isPublicAddress(address)) throw new UnreachableReceiver('the host has an address that is not public');
};

/**
 * Resolves names for connections. The connection uses exactly the addresses that were checked: each name is
 * resolved only once, so a name server cannot return different addresses for the check and for the connection (DNS
 * rebinding).
 */
export const checkedLookup = (resolve: Resolve, check: (address: string) => void): LookupFunction => {
  const checkedAddresses = async (host: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = (await resolve(host)).map((address) => ({ address, family: isIP(address) }));
    if (first === undefined) throw new UnreachableReceiver('the host name has no address');
    for (const { address } of [first, ...others]) check(address);
    return [first, ...others];
  };
  const answer = async (...[host, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    let found: [LookupAddress, ...LookupAddress[]];
    try {
      found = await checkedAddresses(host);
    } catch (error) {
      return callback(error as NodeJS.ErrnoException, '', 0);
    }
    const [{ address, family }] = found;
    return options.all === true ? callback(null, found) : callback(null, address, family);
  };
  return (...asked) => void answer(...asked);
};
