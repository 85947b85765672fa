import { describe, expect, it } from '@jest/globals';
import { introspectToken, type TppRecord } from '@xs2a/contracts/auth.contract';
import { readConsentStatus } from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { type TokenKind, tokenKinds } from '../../endpoint-rules.js';
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
  grant: 'application',
  scopes,
  grantId: 'g',
  fresh: false,
  issuedAt: 1000,
  expiresAt: 0,
});
const ofConsent: AccessToken = { ...application('PSP_AI'), grant: 'user', consentId: 'c' };
const ofFunds: AccessToken = { ...application('PSP_IC'), grant: 'user' };

const presented: Presented = { scheme: 'Bearer', token: 'token', method: 'GET', url: '/', proof: undefined };
interface Circumstances {
  readonly record?: TppRecord;
  readonly consentStatus?: ConsentStatus;
  readonly isRevoked?: boolean;
}
const failureFor = async (
  token: AccessToken,
  kind: TokenKind,
  { record = tpp, consentStatus = 'valid', isRevoked = false }: Circumstances = {},
): Promise<FailureName | undefined> => {
  const callers = new Callers({
    tokens: { check: () => token },
    tpps: { find: () => record, refresh: async () => record },
    proofs: { check: () => undefined },
    revocations: { isLoaded: true, isRevoked: () => isRevoked },
    requester: {
      call: (async ({ subject }: { subject: string }) => {
        if (subject !== readConsentStatus.subject) throw new Error(`nobody was to be asked ${subject}`);
        return { consentStatus };
      }) as never,
    },
  });
  const rule = tokenKinds[kind];
  if (rule === undefined) throw new Error('a kind without a token');
  try {
    const caller = callers.identify(presented, rule);
    // A caller who is allowed is known at once: the hot path waits for nobody.
    if (caller instanceof Promise && (await caller)) throw new Error('it had to wait');
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
    'an application with PSP_AI': ['consents', 'ownConsent', 'anyApplication'],
    'an application with both': ['payments', 'consents', 'ownConsent', 'anyApplication'],
    'a PSU’s consent': ['accounts', 'ownConsent'],
    'a PSU’s funds confirmation': ['funds'],
  };
  const kinds = (Object.keys(tokenKinds) as TokenKind[]).filter((kind) => tokenKinds[kind] !== undefined);
  const cases = (Object.keys(tokens) as (keyof typeof tokens)[]).flatMap((name) =>
    kinds.map((kind): [keyof typeof tokens, TokenKind, boolean] => [name, kind, may[name].includes(kind)]),
  );

  it.each(cases)('a token of %s for %s: %s', async (name, kind, allowed) => {
    expect(await failureFor(tokens[name], kind)).toBe(allowed ? undefined : 'tokenOfWrongKind');
  });

  it('tells a blocked TPP first, then a missing role, then the wrong token', async () => {
    const record: TppRecord = { ...tpp, status: 'blocked', roles: [] };
    expect(await failureFor(ofConsent, 'payments', { record })).toBe('tppBlocked');
    const withoutRole: TppRecord = { ...tpp, roles: ['PSP_AI'] };
    expect(await failureFor(ofConsent, 'payments', { record: withoutRole })).toBe('roleMissing');
    expect(await failureFor(ofConsent, 'payments')).toBe('tokenOfWrongKind');
  });

  it('takes no token from before the TPP was blocked, once it is active again', async () => {
    const since = (tokensFrom: number): Circumstances => ({ record: { ...tpp, tokensFrom } });
    expect(await failureFor(application('PSP_PI'), 'payments', since(1001))).toBe('tokenRevoked');
    expect(await failureFor(ofConsent, 'accounts', since(1001))).toBe('tokenRevoked');
    expect(await failureFor(application('PSP_PI'), 'payments', since(1000))).toBeUndefined();
  });

  it('takes a user token without a consent for none of accounts and consents', async () => {
    const withoutConsent = { ...ofConsent, consentId: undefined };
    expect(await failureFor(withoutConsent, 'accounts')).toBe('tokenOfWrongKind');
    expect(await failureFor(withoutConsent, 'ownConsent')).toBe('tokenOfWrongKind');
  });
});

describe('a token whose consent is dead (contract 3: the token answers before TPP, role and scope)', () => {
  const circumstances: Readonly<Record<string, Omit<Circumstances, 'consentStatus'>>> = {
    'a TPP that is blocked': { record: { ...tpp, status: 'blocked' } },
    'a TPP without a role': { record: { ...tpp, roles: [] } },
    'a token from before the TPP was blocked': { record: { ...tpp, tokensFrom: 2000 } },
    'a token that was revoked': { isRevoked: true },
    'a call that needs another kind of token': {},
  };
  const statuses = {
    expired: 'consentExpired',
    rejected: 'consentInvalid',
    revokedByPsu: 'consentInvalid',
    terminatedByTpp: 'consentInvalid',
  } as const satisfies Partial<Record<ConsentStatus, FailureName>>;
  const kinds: readonly TokenKind[] = ['payments', 'consents', 'funds', 'anyApplication'];
  const cases = Object.keys(circumstances).flatMap((name) =>
    (Object.keys(statuses) as (keyof typeof statuses)[]).map((status) => [name, status] as const),
  );

  it.each(cases)('answers %s with the code of a consent that is %s', async (name, consentStatus) => {
    for (const kind of kinds)
      expect([kind, await failureFor(ofConsent, kind, { ...circumstances[name], consentStatus })]).toEqual([
        kind,
        statuses[consentStatus],
      ]);
  });

  it('is not dead where it reads and ends that consent (contract 4), unless it was revoked itself', async () => {
    expect(await failureFor(ofConsent, 'ownConsent', { consentStatus: 'expired' })).toBeUndefined();
    expect(await failureFor(ofConsent, 'ownConsent', { consentStatus: 'expired', isRevoked: true })).toBe(
      'tokenRevoked',
    );
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
        call: (async ({ subject }: { subject: string }) => {
          if (subject === introspectToken.subject) return { active };
          if (subject === readConsentStatus.subject) return { consentStatus: 'valid' };
          throw new Error(`nobody was to be asked ${subject}`);
        }) as never,
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
