import { importJWK } from 'jose';

/**
 * RSA modulus sizes in bits: the minimum that NIST SP 800-131A requires, and a maximum that bounds the cost of
 * verifying a signature.
 */
const rsaBits = { min: 2048, max: 8192 };
/**
 * The exponent must be odd and at least 65537 (NIST SP 800-56B, 6.4.1). With an exponent of 1, every text would be
 * its own signature.
 */
const minExponent = 65_537n;

const unsigned = (base64url: unknown): bigint =>
  typeof base64url === 'string' && /^[\w-]+$/.test(base64url)
    ? BigInt(`0x0${Buffer.from(base64url, 'base64url').toString('hex')}`)
    : 0n;

const isStrongRsa = ({ n, e }: Record<string, unknown>): boolean => {
  const [modulus, exponent] = [unsigned(n), unsigned(e)];
  const bits = modulus.toString(2).length;
  const isInRange = bits >= rsaBits.min && bits <= rsaBits.max;
  return isInRange && modulus % 2n === 1n && exponent % 2n === 1n && exponent >= minExponent;
};

/** True for a JWK set that contains only public keys suitable for verifying ES256 or PS256. */
export const isKeySet = async (value: unknown): Promise<boolean> => {
  const keys: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'keys') : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 10) return false;
  const checked = await Promise.all(keys.map(isPublicKey));
  return checked.every(Boolean);
};

const isPublicKey = async (key: unknown): Promise<boolean> => {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return false;
  const jwk = key as Record<string, unknown>;
  if (['d', 'k', 'p', 'q'].some((name) => name in jwk)) return false;
  const alg =
    jwk['kty'] === 'EC' && jwk['crv'] === 'P-256' ? 'ES256' : jwk['kty'] === 'RSA' ? 'PS256' : undefined;
  if (alg === undefined || (alg === 'PS256' && !isStrongRsa(jwk))) return false;
  return importJWK(jwk, alg).then(
    () => true,
    () => false,
  );
};
