import { describe, expect, it } from '@jest/globals';
import type { TppRecord } from '@xs2a/contracts/auth.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { FastifyRequest } from 'fastify';
import { AccessTokenStrategy, authenticateWith } from './access-token.strategy.js';
import type { AccessToken } from './access-tokens.js';

const tpp: TppRecord = {
  clientId: 'tpp',
  name: 'TPP',
  status: 'active',
  roles: [],
  redirectUris: [],
  version: 1,
};
const token: AccessToken = {
  clientId: 'tpp',
  grant: 'application',
  scopes: [],
  grantId: 'g',
  fresh: false,
  issuedAt: 0,
  expiresAt: 0,
};
interface World {
  readonly known?: TppRecord;
  readonly registered?: TppRecord;
  readonly proofFails?: boolean;
}
const authenticate = ({ known = tpp, registered, proofFails = false }: World = {}) =>
  authenticateWith(
    new AccessTokenStrategy(
      {
        check: async (text) => {
          if (text !== 'good') throw callFailed('tokenUnknown');
          return token;
        },
      },
      {
        find: (clientId) => (known.clientId === clientId ? known : undefined),
        refresh: async () => registered,
      },
      {
        check: async () => {
          if (proofFails) throw callFailed('proofInvalid', 'DPoP');
        },
      },
    ),
  );
const requestWith = (authorization: string | undefined): FastifyRequest =>
  ({ headers: { authorization }, method: 'GET', originalUrl: '/', edge: {} }) as unknown as FastifyRequest;
const failing = async (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof CallFailed ? error.failures[0]?.failure : error),
  );

describe('the Passport strategy for access tokens (contract 4)', () => {
  it('sets the caller of the request', async () => {
    const request = requestWith('Bearer good');
    await authenticate()(request);
    expect([request.caller, request.edge?.token]).toEqual([{ tpp, token }, token]);
  });

  it('keeps the callers of concurrent requests separate', async () => {
    const run = authenticate();
    const [first, second] = [requestWith('Bearer good'), requestWith('Bearer bad')];
    expect(await Promise.all([failing(run(first)), failing(run(second))])).toEqual([
      undefined,
      'tokenUnknown',
    ]);
    expect([first.caller?.tpp, second.caller]).toEqual([tpp, undefined]);
  });

  it.each([
    [undefined, 'tokenMissing'],
    ['Basic x', 'tokenMissing'],
    ['Bearer', 'tokenUnknown'],
    ['Bearer bad', 'tokenUnknown'],
  ])('rejects Authorization %s: %s', async (authorization, failure) => {
    const request = requestWith(authorization);
    expect(await failing(authenticate()(request))).toBe(failure);
    expect([request.caller, request.edge?.token]).toEqual([undefined, undefined]);
  });

  it('rejects an invalid proof, but the log may still name the TPP of the token', async () => {
    const request = requestWith('DPoP good');
    expect(await failing(authenticate({ proofFails: true })(request))).toBe('proofInvalid');
    expect([request.caller, request.edge?.token]).toEqual([undefined, token]);
  });

  it('looks up an unknown TPP in the registry, and rejects it if it is not registered', async () => {
    const other = { ...tpp, clientId: 'other' };
    const request = requestWith('Bearer good');
    await authenticate({ known: other, registered: tpp })(request);
    expect(request.caller?.tpp).toBe(tpp);
    expect(await failing(authenticate({ known: other })(requestWith('Bearer good')))).toBe('tokenUnknown');
  });
});
