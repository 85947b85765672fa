import type { AnswerOf } from '@xs2a/contracts/call';
import type { signNotifications } from '@xs2a/contracts/notifications.contract';
import { isNotificationText } from '@xs2a/domain/notification/signable-notification';
import type { Clock } from '@xs2a/runtime/clock';
import { CompactSign, importJWK } from 'jose';
import type { SigningKeys } from './signing-keys.js';

/**
 * Signs notification bodies with the first key: detached JWS (RFC 7515 appendix F) over the base64url payload,
 * ES256. `typ` distinguishes these signatures from access tokens (`at+jwt`), which are signed with the same keys.
 * `iat` is the time of the delivery attempt in seconds, by the same clock as the body's `timestamp`. Returns null
 * for a body that is not a notification, so that the other bodies are still signed. `signedAt` is that time as an
 * ISO instant.
 */
export const notificationSigner = async (
  { keys }: SigningKeys,
  clock: Pick<Clock, 'nowMs'>,
): Promise<(bodies: readonly string[]) => Promise<AnswerOf<typeof signNotifications>>> => {
  const [jwk] = keys;
  if (jwk?.kid === undefined) throw new Error('no signing key exists');
  const { kid } = jwk;
  const key = await importJWK(jwk, 'ES256');
  return async (bodies) => {
    const nowMs = clock.nowMs();
    const iat = Math.floor(nowMs / 1000);
    const signatures = await Promise.all(
      bodies.map(async (body) => {
        if (!isNotificationText(body)) return null;
        const jws = await new CompactSign(new TextEncoder().encode(body))
          .setProtectedHeader({ alg: 'ES256', kid, typ: 'JOSE', iat })
          .sign(key);
        const [header, , signature] = jws.split('.');
        return `${header}..${signature}`;
      }),
    );
    return { signatures, signedAt: new Date(nowMs).toISOString() };
  };
};
