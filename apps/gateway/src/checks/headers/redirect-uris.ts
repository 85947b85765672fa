import { isLoopbackHost, isPrivateHost } from '@xs2a/runtime/receivers/public-address';

const maxLength = 2000;
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface RedirectRules {
  /** Redirect URIs registered for the TPP. */
  readonly registered: readonly string[];
  /** In the sandbox a loopback host is allowed, with http too. */
  readonly sandbox: boolean;
}

/**
 * May the PSU's browser be sent there (contract 2)? https, or http to a loopback host in the sandbox; no private address, but for a
 * loopback host in the sandbox; the origin of a registered URI; no userinfo, no fragment, and nothing that a browser and this
 * check might read differently.
 */
export const isRedirectUri = (text: string, { registered, sandbox }: RedirectRules): boolean => {
  if (text.length > maxLength || !/^https?:\/\/[^/\\?#@]+(?:[/?]|$)/i.test(text)) return false;
  // Printable ASCII without what RFC 3986 does not allow: spaces, quotes, brackets of other kinds, backslashes, #.
  if (!/^[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(text) || /%(?![0-9a-f]{2})/i.test(text))
    return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  if (url.protocol !== 'https:' && !(sandbox && url.protocol === 'http:' && loopback.has(url.hostname)))
    return false;
  if (isPrivateHost(url.hostname) && !(sandbox && isLoopbackHost(url.hostname))) return false;
  return registered.some((uri) => URL.parse(uri)?.origin === url.origin);
};
