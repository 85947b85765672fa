import { isMaxText } from '@xs2a/domain/text/text';
import { isLoopbackHost, isPrivateHost } from '@xs2a/runtime/receivers/public-address';

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True for an absolute URI that uses https (or http on a loopback host), has no userinfo and no fragment, writes
 * its origin as the WHATWG URL standard serialises it, and whose host is a name or address that is not private, except
 * loopback. The SCA page names the origin in its Content-Security-Policy, so the host has no `;`, `,` or `*`.
 */
export const isRedirectUri = (value: unknown): value is string => {
  if (!isMaxText(value, 2000) || !/^[\x21-\x7e]+$/.test(value) || value.includes('\\')) return false;
  const uri = URL.parse(value);
  if (uri === null || value.includes('#') || uri.username !== '' || uri.password !== '') return false;
  if (!value.startsWith(`${uri.origin}/`) && value !== uri.origin) return false;
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(uri.hostname)) return false;
  if (isPrivateHost(uri.hostname) && !isLoopbackHost(uri.hostname)) return false;
  return uri.protocol === 'https:' || (uri.protocol === 'http:' && loopbacks.has(uri.hostname));
};

/** True if the URI is allowed only in a sandbox because it uses http or a loopback host. */
export const isSandboxRedirectUri = (value: string): boolean =>
  !value.startsWith('https:') || isLoopbackHost(URL.parse(value)?.hostname ?? '');
