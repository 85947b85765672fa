import { describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { compactVerify, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK } from 'jose';
import { bundleSigner, mustBeSeparate, publicBundleKeys } from './bundle-signatures.js';
import type { SigningKeys } from './signing-keys.js';

const newKeys = async (...kids: string[]): Promise<SigningKeys> => ({
  keys: await Promise.all(
    kids.map(async (kid) => {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true });
      return { ...(await exportJWK(privateKey)), kid, alg: 'ES256' };
    }),
  ),
});
const clock = new Clock(true);
clock.raiseTo(365 * 86_400_000);
const paymentId = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';
const contentSha256 = 'a'.repeat(43);

describe('the signature of a dispute bundle', () => {
  it('is a JWS of its own type over payment, digest, issuer and the bank’s time, with the first key', async () => {
    const keys = await newKeys('new', 'old');
    const { sign } = await bundleSigner(keys, clock, 'https://bank.example');
    const { signature } = await sign({ paymentId, contentSha256 });
    expect(decodeProtectedHeader(signature)).toEqual({
      alg: 'ES256',
      kid: 'new',
      typ: 'xs2a-dispute-bundle+jws',
    });
    const [jwk] = publicBundleKeys(keys);
    const { payload } = await compactVerify(signature, await importJWK(jwk ?? {}, 'ES256'));
    const statement = JSON.parse(new TextDecoder().decode(payload)) as { readonly exportedAt: string };
    expect(statement).toEqual({
      format: 'xs2a-dispute-bundle/1',
      iss: 'https://bank.example',
      paymentId,
      exportedAt: expect.any(String),
      contentSha256,
    });
    expect(Math.abs(Date.parse(statement.exportedAt) - clock.nowMs())).toBeLessThan(60_000);
  });

  it('is refused for everything that is no id and no digest, so that the key signs no text of a caller', async () => {
    const { sign } = await bundleSigner(await newKeys('one'), clock, 'https://bank.example');
    const wrong = [
      { paymentId: 'x', contentSha256 },
      { paymentId: `${paymentId}","iss":"x`, contentSha256 },
      { paymentId, contentSha256: `${contentSha256}a` },
      { paymentId, contentSha256: '' },
      { paymentId, contentSha256: 7 },
      {},
    ];
    for (const asked of wrong) await expect(sign(asked as never)).rejects.toThrow('fieldMalformed');
  });
});

describe('the keys of dispute bundles', () => {
  it('are published without their private part, and marked so that they verify nothing else', async () => {
    const keys = publicBundleKeys(await newKeys('one', 'two'));
    expect(keys).toEqual([
      expect.objectContaining({ kid: 'one', purpose: 'dispute-bundle' }),
      expect.objectContaining({ kid: 'two', purpose: 'dispute-bundle' }),
    ]);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });

  it('must not be those of tokens and notifications', async () => {
    const [tokens, bundles] = [await newKeys('one'), await newKeys('two')];
    expect(() => mustBeSeparate(bundles, tokens)).not.toThrow();
    const [key] = tokens.keys;
    const wrong: SigningKeys[] = [tokens, await newKeys('one'), { keys: [{ ...key, kid: 'renamed' }] }];
    for (const keys of wrong) expect(() => mustBeSeparate(keys, tokens)).toThrow('BUNDLE_KEYS_FILE');
  });
});
