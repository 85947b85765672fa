import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { parseJson, send } from './http.js';

interface SigningKey extends JsonWebKey {
  readonly kid?: string;
}

/** Returns the public keys listed in the discovery document. */
export const publishedKeys = async (baseUrl: string): Promise<readonly SigningKey[]> => {
  const discovery = await send('GET', `${baseUrl}/.well-known/oauth-authorization-server`);
  const { jwks_uri } = parseJson<{ jwks_uri: string }>(discovery);
  return parseJson<{ keys: SigningKey[] }>(await send('GET', jwks_uri)).keys;
};

const jsonIn = (base64url: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8')) as Record<string, unknown>;

/**
 * Verifies a notification as a TPP does: X-JWS-Signature is a detached JWS (ES256) of the body, signed with the
 * key named in its header. Returns that header, or the reason why the signature is invalid.
 */
export const verifyNotification = (
  body: string,
  signature: string | undefined,
  keys: readonly SigningKey[],
): { readonly header: Readonly<Record<string, unknown>> } | { readonly refused: string } => {
  const [, protectedHeader, sign] = /^([\w-]+)\.\.([\w-]+)$/.exec(signature ?? '') ?? [];
  if (protectedHeader === undefined || sign === undefined) return { refused: 'no detached JWS' };
  const header = jsonIn(protectedHeader);
  if (header['alg'] !== 'ES256') return { refused: 'an algorithm other than ES256' };
  const jwk = keys.find(({ kid }) => kid === header['kid']);
  if (jwk === undefined) return { refused: 'a key that is not published' };
  const signed = `${protectedHeader}.${Buffer.from(body).toString('base64url')}`;
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(signed), key, Buffer.from(sign, 'base64url'))
    ? { header }
    : { refused: 'the signature does not match the body' };
};
