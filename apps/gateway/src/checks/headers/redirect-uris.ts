import { isLoopbackHost, isPrivateHost } from '@xs2a/runtime/receivers/public-address';

const maxLength = 2000;
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface RedirectRules {
  /** The TPP's registered redirect URIs. */
  readonly registered: readonly string[];
  /** True in the sandbox, which allows loopback hosts, even with http. */
  readonly sandbox: boolean;
}

/**
 * True if the PSU's browser may be redirected to this URI (contract 2). The URI must use https, or http to a
 * loopback host in the sandbox. It must have the origin of a registered URI. It must not have a private address
 * (except loopback in the sandbox), userinfo, a fragment, or anything that a browser might parse differently from
 * this check.
 */
export const isRedirectUri = (text: string, { registered, sandbox }: RedirectRules): boolean => {
  if (text.length > maxLength || !/^https?:\/\/[^/\\?#@]+(?:[/?]|$)/i.test(text)) return false;
  // Printable ASCII, without the characters that RFC 3986 forbids: spaces, quotes, angle brackets, curly
  // brackets, backslashes and #.
  if (!/^[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(text) || /%(?![0-9a-f]{2})/i.test(text))
    return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  if (url.protocol !== 'https:' && !(sandbox && url.protocol === 'http:' && loopback.has(url.hostname)))
    return false;
  if (isPrivateHost(url.hostname) && !(sandbox && isLoopbackHost(url.hostname))) return false;
  return registered.some((uri) => URL.parse(uri)?.origin === url.origin);
};
