import { createLocalJWKSet, errors, flattenedVerify, type JSONWebKeySet } from 'jose';
import type { InboxEntry } from './inbox-entries.js';

/** A signature is as old as its attempt. An older one is a replay (docs/how-to/verify-a-notification.md). */
const maxAgeMs = 300_000;

/** Returns why the bank did not sign an entry of an inbox, or signed it too long before; undefined if its signature is valid. */
export const signatureProblem = async (
  { headers, body, time }: InboxEntry,
  keys: JSONWebKeySet,
): Promise<string | undefined> => {
  const { 'x-jws-signature': sent } = headers;
  if (sent === undefined) return 'not signed: there is no X-JWS-Signature';
  const [, head, signature] = /^([\w-]+)\.\.([\w-]+)$/.exec(sent) ?? [];
  if (head === undefined || signature === undefined) return 'X-JWS-Signature is not a detached JWS';
  try {
    const { protectedHeader } = await flattenedVerify(
      { protected: head, payload: body, signature },
      createLocalJWKSet(keys),
      { algorithms: ['ES256'] },
    );
    const ageMs = Date.parse(time) - Number(protectedHeader?.['iat']) * 1000;
    return Math.abs(ageMs) <= maxAgeMs ? undefined : 'signed more than five minutes before or after it came';
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return problems[error.code] ?? 'X-JWS-Signature is not a valid JWS';
  }
};

const problems: Readonly<Record<string, string>> = {
  ERR_JWKS_NO_MATCHING_KEY: 'signed with a key that the bank does not publish',
  ERR_JOSE_ALG_NOT_ALLOWED: 'not signed with ES256',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not match the body',
};
