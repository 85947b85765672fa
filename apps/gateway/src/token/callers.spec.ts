import { describe, expect, it } from '@jest/globals';
import type { TppRecord } from '@xs2a/contracts/auth.contract';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/messaging/call-failed';
import { type TokenKind, tokenKinds } from '../endpoint-rules.js';
import type { AccessToken } from './access-tokens.js';
import { Callers } from './callers.js';
import type { Presented } from './dpop-proofs.js';

const tpp: TppRecord = {
  clientId: 'tpp',
  name: 'TPP',
  status: 'active',
  roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
  redirectUris: [],
  version: 1,
};
const application = (...scopes: string[]): AccessToken => ({
  clientId: 'tpp',
  subject: 'tpp',
  grant: 'application',
  scopes,
  grantId: 'g',
  fresh: false,
  issuedAt: 1000,
  expiresAt: 0,
});
const ofConsent: AccessToken = { ...application('PSP_AI'), grant: 'user', subject: 'ivan', consentId: 'c' };
const ofFunds: AccessToken = { ...application('PSP_IC'), grant: 'user', subject: 'ivan' };

const presented: Presented = { scheme: 'Bearer', token: 'token', method: 'GET', url: '/', proof: undefined };
const failureFor = (token: AccessToken, kind: TokenKind, record = tpp): FailureName | undefined => {
  const callers = new Callers({
    tokens: { check: () => token },
    tpps: { find: () => record, refresh: async () => record },
    proofs: { check: () => undefined },
    revocations: { isLoaded: true, isRevoked: () => false },
    requester: { call: async () => Promise.reject(new Error('nobody is asked')) },
  });
  const rule = tokenKinds[kind];
  if (rule === undefined) throw new Error('a kind without a token');
  try {
    const caller = callers.identify(presented, rule);
    if (caller instanceof Promise) throw new Error('it had to wait');
    return undefined;
  } catch (error) {
    if (error instanceof CallFailed) return error.failures[0]?.failure;
    throw error;
  }
};

describe('who may call what (contract 4)', () => {
  const tokens = {
    'an application with PSP_PI': application('PSP_PI'),
    'an application with PSP_AI': application('PSP_AI'),
    'an application with both': application('PSP_AI', 'PSP_PI'),
    'a PSU’s consent': ofConsent,
    'a PSU’s funds confirmation': ofFunds,
  } as const;
  const may: Readonly<Record<keyof typeof tokens, readonly TokenKind[]>> = {
    'an application with PSP_PI': ['payments', 'anyApplication'],
    'an application with PSP_AI': ['consents', 'anyApplication'],
    'an application with both': ['payments', 'consents', 'anyApplication'],
    'a PSU’s consent': ['accounts'],
    'a PSU’s funds confirmation': ['funds'],
  };
  const kinds = (Object.keys(tokenKinds) as TokenKind[]).filter((kind) => tokenKinds[kind] !== undefined);
  const cases = (Object.keys(tokens) as (keyof typeof tokens)[]).flatMap((name) =>
    kinds.map((kind): [keyof typeof tokens, TokenKind, boolean] => [name, kind, may[name].includes(kind)]),
  );

  it.each(cases)('a token of %s for %s: %s', (name, kind, allowed) => {
    expect(failureFor(tokens[name], kind)).toBe(allowed ? undefined : 'tokenOfWrongKind');
  });

  it('tells a blocked TPP first, then a missing role, then the wrong token', () => {
    const blocked: TppRecord = { ...tpp, status: 'blocked', roles: [] };
    expect(failureFor(ofConsent, 'payments', blocked)).toBe('tppBlocked');
    expect(failureFor(ofConsent, 'payments', { ...tpp, roles: ['PSP_AI'] })).toBe('roleMissing');
    expect(failureFor(ofConsent, 'payments')).toBe('tokenOfWrongKind');
  });

  it('takes no token from before the TPP was blocked, once it is active again', () => {
    expect(failureFor(application('PSP_PI'), 'payments', { ...tpp, tokensFrom: 1001 })).toBe('tokenRevoked');
    expect(failureFor(ofConsent, 'accounts', { ...tpp, tokensFrom: 1001 })).toBe('tokenRevoked');
    expect(failureFor(application('PSP_PI'), 'payments', { ...tpp, tokensFrom: 1000 })).toBeUndefined();
  });

  it('takes a user token without a consent for none of accounts', () => {
    expect(failureFor({ ...ofConsent, consentId: undefined }, 'accounts')).toBe('tokenOfWrongKind');
  });
});

describe('a gateway that has not read yet what was revoked (contract 4)', () => {
  const rule = tokenKinds.accounts;
  const admitted = async (
    active: boolean,
    isLoaded: boolean,
    record = tpp,
  ): Promise<FailureName | undefined> => {
    const callers = new Callers({
      tokens: { check: () => ofConsent },
      tpps: { find: () => record, refresh: async () => record },
      proofs: { check: () => undefined },
      revocations: { isLoaded, isRevoked: () => false },
      requester: {
        call: (async ({ subject }: { subject: string }) =>
          subject.endsWith('introspect-token') ? { active } : { consentStatus: 'valid' }) as never,
      },
    });
    try {
      await callers.identify(presented, rule);
      return undefined;
    } catch (error) {
      if (error instanceof CallFailed) return error.failures[0]?.failure;
      throw error;
    }
  };

  it('asks the authorization server instead of taking every token', async () => {
    expect(await admitted(false, false)).toBe('tokenRevoked');
    expect(await admitted(true, false)).toBeUndefined();
  });

  it('asks nobody once it has read it, nor about a blocked TPP', async () => {
    expect(await admitted(false, true)).toBeUndefined();
    expect(await admitted(false, false, { ...tpp, status: 'blocked' })).toBe('tppBlocked');
  });
});
