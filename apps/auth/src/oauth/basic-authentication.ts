/** Non-empty base64 with or without padding, which is the form that oidc-provider accepts. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?|[A-Za-z0-9+/]{4})$/;
/** A client's id and secret consist of VSCHARs (RFC 6749, appendix A). */
const visible = /^[\x20-\x7e]+$/;

/** Decodes one form-encoded part of the credentials (RFC 6749 §2.3.1). Returns undefined if it is not form-encoded. */
const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll('+', '%20'));
  } catch {
    return undefined;
  }
};

/**
 * True if the value of an `Authorization` header contains a client's id and secret (RFC 6749 §2.3.1). Does not
 * check whether they are correct.
 */
export const isBasic = (authorization: string): boolean => {
  const [scheme = '', credentials = '', ...more] = authorization.split(' ');
  if (more.length > 0 || scheme.toLowerCase() !== 'basic' || !base64.test(credentials)) return false;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return false;
  return [text.slice(0, colon), text.slice(colon + 1)].every((part) => visible.test(decodePart(part) ?? ''));
};
