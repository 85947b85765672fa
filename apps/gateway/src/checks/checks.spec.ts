import { describe, expect, it } from '@jest/globals';
import { introspectToken, type TppRecord } from '@xs2a/contracts/auth.contract';
import { readConsentStatus } from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import type { FastifyRequest } from 'fastify';
import { endpointIds, endpointRules, type TokenKind, tokenKinds } from '../endpoint-rules.js';
import type { CheckSources } from './check.js';
import { checkBeforeBody } from './index.js';
import type { AccessToken } from './token/access-tokens.js';

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

interface Circumstances {
  readonly record?: TppRecord;
  readonly consentStatus?: ConsentStatus;
  readonly isRevoked?: boolean;
  readonly isLoaded?: boolean;
  /** The value of `active` in the authorization server's response about the token. */
  readonly active?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}
const json = { 'content-type': 'application/json' };

/** Returns the failure of the checks before the body, for a call with this token. */
const failureFor = async (
  token: AccessToken,
  kind: TokenKind,
  {
    record = tpp,
    consentStatus = 'valid',
    isRevoked = false,
    isLoaded = true,
    active,
    headers,
    url = '/consents',
  }: Circumstances = {},
): Promise<FailureName | undefined> => {
  const endpoint = endpointIds.find((id) => endpointRules[id].token === kind);
  if (endpoint === undefined) throw new Error(`no endpoint takes tokens of the kind ${kind}`);
  const request = {
    url,
    params: {},
    query: {},
    headers: { authorization: 'Bearer token', ...json, ...headers },
    raw: { rawHeaders: [] },
  } as unknown as FastifyRequest;
  const sources: CheckSources = {
    profile: makeProfile('sandbox'),
    sandbox: true,
    clockIsFixed: false,
    secondsToWaitForRegistration: () => undefined,
    receivers: { anywhere: true, ports: [443] },
    certificates: { failure: () => undefined },
    clock: { nowMs: () => 0 },
    revocations: { isLoaded, isRevoked: () => isRevoked },
    callClient: {
      call: (async ({ subject }: { subject: string }) => {
        if (subject === introspectToken.subject && active !== undefined) return { active };
        if (subject === readConsentStatus.subject) return { consentStatus };
        throw new Error(`nobody was to be asked ${subject}`);
      }) as never,
    },
    callers: { identify: async () => ({ tpp: record, token }), firstIssued: async () => undefined },
  };
  try {
    await checkBeforeBody({ request, edge: { endpoint, rule: endpointRules[endpoint] }, sources });
    return undefined;
  } catch (error) {
    if (error instanceof CallFailed) return error.failures[0]?.failure;
    throw error;
  }
};

describe('access rules (contract 4)', () => {
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

  it.each(cases)('decide whether the token of %s is accepted for %s: %s', async (name, kind, allowed) => {
    expect(await failureFor(tokens[name], kind)).toBe(allowed ? undefined : 'tokenOfWrongKind');
  });

  it('report a blocked TPP before a missing role, and a missing role before a token of the wrong kind', async () => {
    const record: TppRecord = { ...tpp, status: 'blocked', roles: [] };
    expect(await failureFor(ofConsent, 'payments', { record })).toBe('tppBlocked');
    const withoutRole: TppRecord = { ...tpp, roles: ['PSP_AI'] };
    expect(await failureFor(ofConsent, 'payments', { record: withoutRole })).toBe('roleMissing');
    expect(await failureFor(ofConsent, 'payments')).toBe('tokenOfWrongKind');
  });

  it('reject tokens issued before the TPP was blocked, even after the TPP has become active again', async () => {
    const since = (tokensFrom: number): Circumstances => ({ record: { ...tpp, tokensFrom } });
    expect(await failureFor(application('PSP_PI'), 'payments', since(1001))).toBe('tokenRevoked');
    expect(await failureFor(ofConsent, 'accounts', since(1001))).toBe('tokenRevoked');
    expect(await failureFor(application('PSP_PI'), 'payments', since(1000))).toBeUndefined();
  });

  it('reject a user token without a consent at the endpoints for accounts and consents', async () => {
    const withoutConsent = { ...ofConsent, consentId: undefined };
    expect(await failureFor(withoutConsent, 'accounts')).toBe('tokenOfWrongKind');
    expect(await failureFor(withoutConsent, 'ownConsent')).toBe('tokenOfWrongKind');
  });
});

describe('a token whose consent has ended (contract 3: the token is checked before TPP, role and scope)', () => {
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

  it.each(cases)(
    'leads, even with %s, to the error code of a consent that is %s',
    async (name, consentStatus) => {
      for (const kind of kinds)
        expect([kind, await failureFor(ofConsent, kind, { ...circumstances[name], consentStatus })]).toEqual([
          kind,
          statuses[consentStatus],
        ]);
    },
  );

  it('may still read and end its consent (contract 4), unless the token itself was revoked', async () => {
    expect(await failureFor(ofConsent, 'ownConsent', { consentStatus: 'expired' })).toBeUndefined();
    expect(await failureFor(ofConsent, 'ownConsent', { consentStatus: 'expired', isRevoked: true })).toBe(
      'tokenRevoked',
    );
  });
});

describe('a gateway that has not yet read the revocations (contract 4)', () => {
  it('asks the authorization server instead of accepting every token', async () => {
    const notLoaded = { isLoaded: false };
    expect(await failureFor(ofConsent, 'accounts', { ...notLoaded, active: false })).toBe('tokenRevoked');
    expect(await failureFor(ofConsent, 'accounts', { ...notLoaded, active: true })).toBeUndefined();
  });

  it('stops asking once it has read them, and never asks about a blocked TPP', async () => {
    expect(await failureFor(ofConsent, 'accounts')).toBeUndefined();
    const record: TppRecord = { ...tpp, status: 'blocked' };
    expect(await failureFor(ofConsent, 'accounts', { isLoaded: false, record })).toBe('tppBlocked');
  });
});

describe('the order of checks (contract 3)', () => {
  it('reports the first check that fails, and the next one once the first is fixed', async () => {
    const everythingWrong: Circumstances = {
      url: '/consents//x',
      isRevoked: true,
      record: { ...tpp, status: 'blocked', roles: [] },
      headers: { accept: 'text/html', 'content-type': 'text/plain', 'content-length': '9999999' },
    };
    const corrections: readonly (readonly [FailureName | undefined, Circumstances])[] = [
      ['pathUnknown', {}],
      ['tokenRevoked', { url: '/consents' }],
      ['tppBlocked', { isRevoked: false }],
      ['roleMissing', { record: { ...tpp, roles: [] } }],
      ['tokenOfWrongKind', { record: tpp }],
    ];
    let circumstances = everythingWrong;
    for (const [failure, correction] of corrections) {
      circumstances = { ...circumstances, ...correction };
      expect(await failureFor(application(), 'funds', circumstances)).toBe(failure);
    }
    const wrongForm = everythingWrong.headers;
    const forms: readonly (readonly [FailureName | undefined, Readonly<Record<string, string>>])[] = [
      ['acceptExcludesJson', {}],
      ['contentTypeNotJson', { accept: '*/*' }],
      ['bodyTooLarge', json],
      [undefined, { 'content-length': '2' }],
    ];
    let headers = { ...wrongForm };
    for (const [failure, correction] of forms) {
      headers = { ...headers, ...correction };
      expect(await failureFor(ofFunds, 'funds', { headers })).toBe(failure);
    }
  });
});
