import { Clock } from '@xs2a/runtime/clock';
import { CompactSign, importJWK } from 'jose';
import type { SigningKeys } from './signing-keys.js';

/** The members of a notification (contract 11). None is a claim of a token. */
const members = new Set([
  'paymentId',
  'consentId',
  'basketId',
  'transactionStatus',
  'consentStatus',
  'fundsAvailable',
  'authorisationId',
  'scaStatus',
  'transactionId',
  'timestamp',
  '_links',
]);

/** A notification and nothing else may be had signed: the keys also sign access tokens. */
const isNotification = (body: string): boolean => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((name) => members.has(name));
};

/**
 * Signs bodies of notifications with the first key: detached JWS (RFC 7515 appendix F) over the base64url payload, ES256.
 * `typ` tells them from access tokens (`at+jwt`), which the same keys sign. `iat` is real time, in seconds. Answers null for
 * a body that is no notification, so that it does not keep the others from being signed.
 */
export const notificationSigner = async (
  { keys }: SigningKeys,
  realTime = new Clock(false),
): Promise<(bodies: readonly string[]) => Promise<(string | null)[]>> => {
  const [jwk] = keys;
  if (jwk?.kid === undefined) throw new Error('there is no signing key');
  const { kid } = jwk;
  const key = await importJWK(jwk, 'ES256');
  return async (bodies) =>
    Promise.all(
      bodies.map(async (body) => {
        if (!isNotification(body)) return null;
        const iat = Math.floor(realTime.nowMs() / 1000);
        const jws = await new CompactSign(new TextEncoder().encode(body))
          .setProtectedHeader({ alg: 'ES256', kid, typ: 'JOSE', iat })
          .sign(key);
        const [header, , signature] = jws.split('.');
        return `${header}..${signature}`;
      }),
    );
};
