import type { Clock } from '@xs2a/runtime/clock';
import { type Configuration, errors } from 'oidc-provider';
import { clockTolerance } from './clock-tolerance.js';

/** A client assertion is for a single request, so it must expire within this many seconds. */
const maxLifeSeconds = 300;
const maxAssertionLength = 8192;
const maxIdLength = 255;

/** Header parameters with which an attacker could supply a key. Only registered keys may be used. */
const foreignKeys = ['jku', 'jwk', 'x5u', 'x5c', 'x5t', 'x5t#S256', 'crit', 'b64'];

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/**
 * Returns what is wrong with an assertion whose signature, issuer and expiry are valid (RFC 7523 §3). Its audience
 * must be the issuer as a string, not an endpoint and not a list (FAPI 2.0 Security Profile 5.3.2.1). `now` is in
 * epoch seconds.
 */
export const assertionProblem = (
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>>,
  { issuer, now }: { readonly issuer: string; readonly now: number },
): string | undefined => {
  const { exp, iat, aud, jti } = claims;
  if (foreignKeys.some((name) => name in header)) return 'the assertion must not contain or name keys';
  if (aud !== issuer) return 'aud must be the issuer, as a string';
  if (!isTime(exp) || exp > now + maxLifeSeconds + clockTolerance)
    return `the assertion must expire within ${maxLifeSeconds} s`;
  if (iat !== undefined && (!isTime(iat) || Math.abs(now - iat) > clockTolerance))
    return `iat must be within ${clockTolerance} s of now`;
  return typeof jti !== 'string' || jti.length > maxIdLength ? 'jti is too long' : undefined;
};

/** The checks of private_key_jwt client authentication that the provider does not make. */
export const assertionRules = (clock: Clock, issuer: string): Configuration => ({
  clockTolerance,
  assertJwtClientAuthClaimsAndHeader: async (ctx, claims, header) => {
    const length = String(ctx.oidc.params?.['client_assertion'] ?? '').length;
    const problem =
      length > maxAssertionLength
        ? 'the assertion is too long'
        : assertionProblem(claims, header, { issuer, now: clock.nowMs() / 1000 });
    if (problem !== undefined) throw new errors.InvalidClientAuth(problem);
  },
});
