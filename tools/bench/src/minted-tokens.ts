import { layoutOf } from '@xs2a/sandbox/layout';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { realTime } from './real-time.js';

/**
 * A token for each consent, like `model` in all but the consent, signed with the sandbox's own key: thousands of PSUs
 * cannot be walked through the bank's pages first.
 */
export const mintTokens = async (
  sandbox: Sandbox,
  model: string,
  consentIds: readonly string[],
): Promise<readonly string[]> => {
  const { keys } = JSON.parse(readFileSync(layoutOf(sandbox.dataDir).keys, 'utf8')) as { keys: JWK[] };
  const header = decodeProtectedHeader(model);
  const key = keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) throw new Error('the sandbox has no key of this token');
  const signingKey = await importJWK(key, 'ES256');
  const claims = decodeJwt(model);
  const expires = Math.floor(realTime.nowMs() / 1000) + 3600;
  return Promise.all(
    consentIds.map(async (consentId) =>
      new SignJWT({ ...claims, consent_id: consentId, grant_id: undefined, jti: randomUUID(), exp: expires })
        .setProtectedHeader({ ...header, alg: 'ES256' })
        .sign(signingKey),
    ),
  );
};
