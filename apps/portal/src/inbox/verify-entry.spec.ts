import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, FlattenedSign, generateKeyPair, type JSONWebKeySet } from 'jose';
import { signatureProblem } from './verify-entry.js';

const body = '{"paymentId":"1","transactionStatus":"ACSC"}';
const time = '2026-11-28T10:00:00.000Z';
const now = Date.parse(time) / 1000;
let key: CryptoKey;
let keys: JSONWebKeySet;
beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] };
});

const sign = async (header: object = {}, signer: CryptoKey = key): Promise<string> => {
  const signed = await new FlattenedSign(Buffer.from(body))
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', iat: now, ...header })
    .sign(signer);
  return `${signed.protected}..${signed.signature}`;
};
const problemOf = async (signature: string | undefined, text = body): Promise<string | undefined> =>
  signatureProblem(
    {
      time,
      headers: signature === undefined ? {} : { 'x-jws-signature': signature },
      body: Buffer.from(text).toString('base64url'),
      answer: 'HTTP 204',
    },
    keys,
  );

describe('the signature of an entry of an inbox (contract 11)', () => {
  it('is valid if the bank signed the body within five minutes', async () => {
    expect(await problemOf(await sign())).toBeUndefined();
    for (const iat of [now - 300, now + 300]) expect(await problemOf(await sign({ iat }))).toBeUndefined();
  });

  it('is refused with the reason', async () => {
    const { privateKey: another } = await generateKeyPair('ES256');
    const rsa = await generateKeyPair('RS256');
    expect(await problemOf(undefined)).toBe('not signed: there is no X-JWS-Signature');
    for (const text of ['', 'x', 'a.b.c', '..', '<b>..x'])
      expect(await problemOf(text)).toBe('X-JWS-Signature is not a detached JWS');
    expect(await problemOf('bm90anNvbg..bm90anNvbg')).toBe('X-JWS-Signature is not a valid JWS');
    expect(await problemOf(await sign(), `${body} `)).toBe('the signature does not match the body');
    expect(await problemOf(await sign({}, another))).toBe('the signature does not match the body');
    expect(await problemOf(await sign({ kid: 'k2' }))).toBe(
      'signed with a key that the bank does not publish',
    );
    expect(await problemOf(await sign({ alg: 'RS256' }, rsa.privateKey))).toBe('not signed with ES256');
    for (const iat of [now - 301, now + 301, undefined])
      expect(await problemOf(await sign({ iat }))).toBe(
        'signed more than five minutes before or after it came',
      );
  });
});
