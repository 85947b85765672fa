import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { hash, randomUUID } from 'node:crypto';
import {
  type Answer,
  GatewayUnderTest,
  issuer,
  paymentId,
  product,
  readCode,
} from '../../testing/gateway-under-test.js';

const path = `/v1/payments/${product}/${paymentId}/status`;
const error = 'DPoP error="invalid_dpop_proof", algs="ES256 PS256"';

describe.each([
  ['oauth2', 'Bearer', `Bearer, ${error}`],
  ['fapi2', 'DPoP algs="ES256 PS256"', error],
] as const)(
  'the WWW-Authenticate challenge of a 401 under AUTH_PROFILE=%s (contract 4)',
  (profile, plain, ofProof) => {
    const gateway = new GatewayUnderTest({ AUTH_PROFILE: profile });
    beforeAll(async () => gateway.start(), 30_000);
    afterAll(async () => gateway.stop());
    beforeEach(() => gateway.reset());

    const challengeOf = (answer: Answer): unknown[] => [
      readCode(answer),
      answer.headers.get('www-authenticate'),
    ];

    it(`is ${plain} for a missing, unknown or expired token`, async () => {
      expect(challengeOf(await gateway.call('GET', path))).toEqual(['401 TOKEN_UNKNOWN', plain]);
      expect(challengeOf(await gateway.call('GET', path, { bearer: 'x' }))).toEqual([
        '401 TOKEN_UNKNOWN',
        plain,
      ]);
      const bearer = await gateway.token({}, { expiresIn: -60 });
      expect(challengeOf(await gateway.call('GET', path, { bearer }))).toEqual(['401 TOKEN_EXPIRED', plain]);
    });

    it('names invalid_dpop_proof for a proof that has already been used', async () => {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      const jwk = await exportJWK(publicKey);
      const token = await gateway.token({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
      const claims = {
        htm: 'GET',
        htu: `${issuer}${path}`,
        jti: randomUUID(),
        ath: hash('sha256', token, 'base64url'),
      };
      const proof = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .setIssuedAt(Math.floor(gateway.clock.nowMs() / 1000))
        .sign(privateKey);
      const headers = { authorization: `DPoP ${token}`, dpop: proof };
      expect((await gateway.call('GET', path, { headers })).status).toBe(200);
      expect(challengeOf(await gateway.call('GET', path, { headers }))).toEqual([
        '401 TOKEN_INVALID',
        ofProof,
      ]);
    });
  },
);
