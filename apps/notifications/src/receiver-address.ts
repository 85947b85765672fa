import { isPublicAddress } from '@xs2a/runtime/receivers/public-address';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** All addresses of a host name. Throws when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Asks the name servers only, so that no name of the own network is found, and waits for none longer than two seconds. It
 * occupies none of the few threads on which the operating system resolves names: a silent name server delays only its own names.
 */
export const resolvePublicly: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new UnreachableReceiver('the host name has no address');
  return addresses;
};

/** The same with `localhost`, which no name server knows (RFC 6761 §6.3): for the sandbox. */
export const resolveLocally: Resolve = async (host) =>
  /^(.+\.)?localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : resolvePublicly(host);

/** The receiver's address is none that anything is sent to. */
export class UnreachableReceiver extends Error {
  override readonly name = 'UnreachableReceiver';
}

/** Throws {@link UnreachableReceiver} for an address that is not of the public internet. */
export const refusePrivate = (address: string): void => {
  if (!isPublicAddress(address)) throw new UnreachableReceiver('the host has an address that is not public');
};

/**
 * Resolves names for connections. The addresses that are checked are those that are connected to, so nothing is
 * asked twice, and a name server cannot answer the check one way and the connection another way (DNS rebinding).
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
