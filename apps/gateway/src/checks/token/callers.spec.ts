import { describe, expect, it } from '@jest/globals';
import type { TppRecord } from '@xs2a/contracts/auth.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { FastifyRequest } from 'fastify';
import type { AccessToken } from './access-tokens.js';
import { Callers } from './callers.js';

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
const callers = ({ known = tpp, registered, proofFails = false }: World = {}) =>
  new Callers(
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
  );
const requestWith = (authorization: string | undefined): FastifyRequest =>
  ({ headers: { authorization }, method: 'GET', originalUrl: '/', edge: {} }) as unknown as FastifyRequest;
const failing = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof CallFailed ? error.failures[0]?.failure : error),
  );

describe('the caller of a request with an access token (contract 4)', () => {
  it('is the TPP of the token', async () => {
    const request = requestWith('Bearer good');
    expect(await callers().identify(request)).toEqual({ tpp, token });
    expect(request.edge?.token).toEqual(token);
  });

  it.each([
    [undefined, 'tokenMissing'],
    ['Basic x', 'tokenMissing'],
    ['Bearer', 'tokenUnknown'],
    ['Bearer bad', 'tokenUnknown'],
  ])('is refused with Authorization %s: %s', async (authorization, failure) => {
    const request = requestWith(authorization);
    expect(await failing(callers().identify(request))).toBe(failure);
    expect(request.edge?.token).toBeUndefined();
  });

  it('is refused with an invalid proof, but the log may still name the TPP of the token', async () => {
    const request = requestWith('DPoP good');
    expect(await failing(callers({ proofFails: true }).identify(request))).toBe('proofInvalid');
    expect(request.edge?.token).toEqual(token);
  });

  it('is looked up in the registry if the TPP is unknown, and refused if it is not registered', async () => {
    const other = { ...tpp, clientId: 'other' };
    const request = requestWith('Bearer good');
    expect((await callers({ known: other, registered: tpp }).identify(request)).tpp).toBe(tpp);
    expect(await failing(callers({ known: other }).identify(request))).toBe('tokenUnknown');
  });
});
