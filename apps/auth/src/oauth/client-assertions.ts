import type { Clock } from '@xs2a/runtime/clock';
import { type Configuration, errors } from 'oidc-provider';

/** A client assertion is made for one request: it says so by an end at most this far away, in seconds. */
const longestLife = 300;
const clockTolerance = 15;
const longestAssertion = 8192;
const longestId = 255;

/** Headers by which a forger brings a key of his own. Keys are those that were registered, nothing else. */
const foreignKeys = ['jku', 'jwk', 'x5u', 'x5c', 'x5t', 'x5t#S256', 'crit', 'b64'];

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** What is wrong with an assertion whose signature, issuer, audience and end were right (RFC 7523 §3, RFC 9700 §2.5). */
export const assertionProblem = (
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>>,
  now: number,
): string | undefined => {
  const { exp, iat, aud, jti } = claims;
  if (foreignKeys.some((name) => name in header)) return 'the assertion must not bring or name keys';
  if (Array.isArray(aud) && aud.length !== 1) return 'the assertion must be for this server alone';
  if (!isTime(exp) || exp > now + longestLife) return `the assertion must end within ${longestLife} s`;
  if (iat !== undefined && (!isTime(iat) || iat > now + clockTolerance))
    return 'the assertion must not be from the future';
  return typeof jti !== 'string' || jti.length > longestId ? 'jti is too long' : undefined;
};

/** Client authentication by private_key_jwt: what the provider leaves open. */
export const assertionRules = (clock: Clock): Configuration => ({
  clockTolerance,
  assertJwtClientAuthClaimsAndHeader: async (ctx, claims, header) => {
    const length = String(ctx.oidc.params?.['client_assertion'] ?? '').length;
    const problem =
      length > longestAssertion
        ? 'the assertion is too long'
        : assertionProblem(claims, header, clock.nowMs() / 1000);
    if (problem !== undefined) throw new errors.InvalidClientAuth(problem);
  },
});
