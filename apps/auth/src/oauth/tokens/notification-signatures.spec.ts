import { describe, expect, it } from '@jest/globals';
import { notificationBody } from '@xs2a/domain/notification/notification-body';
import { Clock } from '@xs2a/runtime/clock';
import { compactVerify, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK } from 'jose';
import { notificationSigner } from './notification-signatures.js';
import { publicKeys, type SigningKeys } from './signing-keys.js';

const newKeys = async (...kids: string[]): Promise<SigningKeys> => ({
  keys: await Promise.all(
    kids.map(async (kid) => {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true });
      return { ...(await exportJWK(privateKey)), kid, alg: 'ES256' };
    }),
  ),
});
const id = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';
const body = JSON.stringify(
  notificationBody(
    {
      idName: 'paymentId',
      statusName: 'transactionStatus',
      id,
      path: `/v1/payments/domestic-credit-transfer-BGN/${id}`,
    },
    { status: 'ACSC', fundsAvailable: true },
    '2026-11-23T10:00:00.000Z',
  ),
);
/** A sandbox clock that has been moved forward by a year. */
const clock = new Clock(true);
clock.raiseTo(365 * 86_400_000);
/** Signs the notification body and returns its signature. */
const signed = async (sign: Awaited<ReturnType<typeof notificationSigner>>): Promise<string> =>
  (await sign([body])).signatures[0] ?? '';
const attached = (signature: string, payload: string): string =>
  signature.replace('..', `.${Buffer.from(payload).toString('base64url')}.`);

describe('X-JWS-Signature (contract 11: detached JWS, ES256, kid and iat in its header, base64url payload)', () => {
  it('verifies with the published key named in its header', async () => {
    const keys = await newKeys('new', 'old');
    const signature = await signed(await notificationSigner(keys, clock));
    const header = decodeProtectedHeader(attached(signature, body));
    expect(header).toMatchObject({ alg: 'ES256', kid: 'new', iat: expect.any(Number) });
    const jwk = publicKeys(keys).find(({ kid }) => kid === header.kid) ?? {};
    const { payload } = await compactVerify(attached(signature, body), await importJWK(jwk, 'ES256'));
    expect(new TextDecoder().decode(payload)).toBe(body);
  });

  it('takes its iat from the same clock as the timestamp in the body, even if a sandbox has moved this clock', async () => {
    const before = Math.floor(clock.nowMs() / 1000);
    const signature = await signed(await notificationSigner(await newKeys('one'), clock));
    const iat = Number(decodeProtectedHeader(attached(signature, body))['iat']);
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(iat).toBeLessThanOrEqual(clock.nowMs() / 1000);
  });

  it('returns the instant from which iat is taken, for X-Sandbox-Clock (contract 13)', async () => {
    const sign = await notificationSigner(await newKeys('one'), clock);
    const { signatures, signedAt } = await sign([body]);
    const iat = Number(decodeProtectedHeader(attached(signatures[0] ?? '', body))['iat']);
    expect(Math.floor(Date.parse(signedAt) / 1000)).toBe(iat);
  });

  it('does not verify against a different body', async () => {
    const keys = await newKeys('one');
    const signature = await signed(await notificationSigner(keys, clock));
    const key = await importJWK(publicKeys(keys)[0] ?? {}, 'ES256');
    const forged = attached(signature, body.replace('ACSC', 'RJCT'));
    await expect(compactVerify(forged, key)).rejects.toThrow('signature verification failed');
  });

  it('is created only for notification bodies, never for anything that could pass as a token', async () => {
    const sign = await notificationSigner(await newKeys('one'), clock);
    const others = [
      '{}',
      '{"iss":"https://bank.example","paymentId":"p"}',
      body.replace('ACSC', 'PAID'),
      body.replace('{', '{"iss":"https://bank.example",'),
      '"text"',
      '[]',
      'null',
      'no JSON',
    ];
    expect((await sign(others)).signatures).toEqual(others.map(() => null));
    expect(decodeProtectedHeader(attached(await signed(sign), body)).typ).not.toBe('at+jwt');
  });

  it('is still created for the other bodies if one body is not a notification', async () => {
    const sign = await notificationSigner(await newKeys('one'), clock);
    expect((await sign(['[]', body])).signatures).toEqual([null, expect.stringMatching(/^\S+\.\.\S+$/)]);
  });
});
