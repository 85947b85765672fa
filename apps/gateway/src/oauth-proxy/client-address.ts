import { isIP } from 'node:net';

const hexGroups = (part: string): number[] =>
  (part === '' ? [] : part.split(':')).map((group) => parseInt(group, 16));

/** The eight groups of an IPv6 address, in the order in which they are written. */
const parseGroups = (address: string): number[] => {
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? '::';
  const [head = '', tail] = canonical.split('::');
  const [before, after] = [hexGroups(head), hexGroups(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

/**
 * Converts an address to the key by which clients are counted. An IPv4 address counts as one client, and so does a
 * 64-bit IPv6 network, which belongs to a single customer. Returns undefined if the text is not an address.
 */
export const addressKey = (text: string): string | undefined => {
  const [address = ''] = text.trim().split('%', 1);
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return undefined;
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) return '127.0.0.1';
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};

/**
 * Returns the key of the client that sent a request: that of the last address in `X-Forwarded-For` if the bank's
 * proxy has authenticated with its secret, otherwise that of the peer. Returns undefined if the request came
 * through the proxy but the proxy does not name the client.
 */
export const clientKey = (request: {
  readonly isFromProxy: boolean;
  readonly peer: string;
  readonly forwardedFor: string | string[] | undefined;
}): string | undefined => {
  if (!request.isFromProxy) return addressKey(request.peer) ?? request.peer;
  const named = [request.forwardedFor ?? ''].flat().join(',').split(',').at(-1) ?? '';
  return addressKey(named);
};

export const isLoopback = (key: string): boolean => key.startsWith('127.');
