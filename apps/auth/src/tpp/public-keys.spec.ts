import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { isKeySet } from './public-keys.js';

const rsa = (modulusLength: number): Record<string, unknown> => ({
  ...generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' }),
});
const good = rsa(2048);
const base64url = (bytes: readonly number[]): string => Buffer.from(bytes).toString('base64url');

describe('keys in a TPP registration (contract 4)', () => {
  it('must be RSA of at least 2048 bits, or EC P-256', async () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    expect(await isKeySet({ keys: [good, ec] })).toBe(true);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the exponent 1, under which every text is its own signature', { ...good, e: base64url([1]) }],
    ['the exponent 0', { ...good, e: base64url([0]) }],
    ['an even exponent', { ...good, e: base64url([1, 0, 2]) }],
    ['an exponent below 65537', { ...good, e: base64url([3]) }],
    ['no exponent', { ...good, e: undefined }],
    ['an even modulus', { ...good, n: base64url([...Array.from({ length: 255 }, () => 255), 254]) }],
    ['2047 bits', { ...good, n: base64url([127, ...Array.from({ length: 255 }, () => 255)]) }],
    ['1024 bits', rsa(1024)],
    [
      '1024 bits padded with zeros',
      {
        ...good,
        n: base64url([...Array.from({ length: 128 }, () => 0), ...Array.from({ length: 128 }, () => 255)]),
      },
    ],
    ['8193 bits', { ...good, n: base64url([1, ...Array.from({ length: 1024 }, () => 255)]) }],
    ['a prime factor', { ...good, p: 'AQ' }],
    ['a modulus that is not a string', { ...good, n: 7 }],
  ])('cannot be RSA keys with %s', async (_name, key) => {
    expect(await isKeySet({ keys: [key] })).toBe(false);
  });
});
