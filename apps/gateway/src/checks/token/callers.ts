import { introspectToken, type TppRecord } from '@xs2a/contracts/auth.contract';
import { readConsentStatus } from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { type Failure, type FailureName, fail } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { Requester } from '@xs2a/calls/requester';
import type { TokenRule } from '../../endpoint-rules.js';
import type { AccessToken } from './access-tokens.js';
import type { DpopProofs, Presented } from './dpop-proofs.js';

/** The caller, by the access token. */
export interface Caller {
  readonly tpp: TppRecord;
  readonly token: AccessToken;
}

export interface CallerSources {
  readonly tokens: { check(token: string): AccessToken | Promise<AccessToken> };
  readonly tpps: {
    find(clientId: string): TppRecord | undefined;
    refresh(clientId: string): Promise<TppRecord | undefined>;
  };
  readonly proofs: Pick<DpopProofs, 'check'>;
  readonly revocations: { readonly isLoaded: boolean; isRevoked(grantId: string): boolean };
  readonly requester: Pick<Requester, 'call'>;
}

const deadConsent: Readonly<Partial<Record<ConsentStatus, Failure>>> = {
  expired: { failure: 'consentExpired' },
  rejected: { failure: 'consentInvalid' },
  revokedByPsu: { failure: 'consentInvalid' },
  terminatedByTpp: { failure: 'consentInvalid' },
};

/** Finds out who calls and whether the token allows it, in the order of contract 3; throws CallFailed. */
export class Callers {
  constructor(private readonly sources: CallerSources) {}

  /** Answers at once for a token and a TPP that are known: the way of nearly every request. */
  identify(
    presented: Presented,
    rule: TokenRule,
    /** Told of the token once its signature was right, whatever comes of the call. */
    onToken?: (token: AccessToken) => void,
  ): Caller | Promise<Caller> {
    const admit = (token: AccessToken): Caller | Promise<Caller> => {
      onToken?.(token);
      return this.admitHolder(token, presented, rule);
    };
    const token = this.sources.tokens.check(presented.token);
    return token instanceof Promise ? token.then(admit) : admit(token);
  }

  /** Rejects with what is wrong with a call; a token whose consent is dead is refused for that first (contract 3). */
  async refuse(caller: Caller, rule: TokenRule, failures: readonly Failure[]): Promise<never> {
    const ofConsent = await this.consentFailure(caller, rule);
    throw new CallFailed(ofConsent === undefined ? failures : [ofConsent]);
  }

  /** The failure of the consent that a token names, when that consent is dead and this kills the token for the call. */
  private async consentFailure({ token }: Caller, rule: TokenRule): Promise<Failure | undefined> {
    if (token.consentId === undefined || rule.orOfConsentInPath === true) return undefined;
    try {
      const { consentStatus } = await this.sources.requester.call(readConsentStatus, {
        tppId: token.clientId,
        consentId: token.consentId,
      });
      return deadConsent[consentStatus];
    } catch (error) {
      if (error instanceof CallFailed) return undefined;
      throw error;
    }
  }

  private admitHolder(token: AccessToken, presented: Presented, rule: TokenRule): Caller | Promise<Caller> {
    const proving = this.sources.proofs.check(token, presented);
    if (proving === undefined) return this.admit(token, presented, rule);
    return proving.then(() => this.admit(token, presented, rule));
  }

  private admit(token: AccessToken, presented: Presented, rule: TokenRule): Caller | Promise<Caller> {
    const { tpps, revocations } = this.sources;
    const tpp = tpps.find(token.clientId);
    return tpp === undefined || !revocations.isLoaded || revocations.isRevoked(token.grantId)
      ? this.admitSlowly(token, presented, rule)
      : this.allow({ tpp, token }, rule);
  }

  private async admitSlowly(token: AccessToken, presented: Presented, rule: TokenRule): Promise<Caller> {
    const { tpps } = this.sources;
    const tpp = tpps.find(token.clientId) ?? (await tpps.refresh(token.clientId));
    if (tpp === undefined) throw callFailed('tokenUnknown');
    const caller = { tpp, token };
    if (await this.isRevoked(caller, presented)) return this.refuse(caller, rule, [fail('tokenRevoked')]);
    return this.allow(caller, rule);
  }

  private allow(caller: Caller, rule: TokenRule): Caller | Promise<Caller> {
    const failure = failureOf(caller, rule);
    return failure === undefined ? caller : this.refuse(caller, rule, [fail(failure)]);
  }

  /** A gateway that has not heard yet what was revoked before it started asks the authorization server. */
  private async isRevoked({ token, tpp }: Caller, presented: Presented): Promise<boolean> {
    const { revocations, requester } = this.sources;
    if (revocations.isRevoked(token.grantId)) return true;
    if (revocations.isLoaded || tpp.status === 'blocked') return false;
    return !(await requester.call(introspectToken, { token: presented.token })).active;
  }
}

/** Why a TPP may not make this call with this token; undefined if it may. */
const failureOf = ({ tpp, token }: Caller, rule: TokenRule): FailureName | undefined => {
  if (tpp.status === 'blocked') return 'tppBlocked';
  // It was blocked since the token was issued: that ended the token for good.
  if (tpp.tokensFrom !== undefined && token.issuedAt < tpp.tokensFrom) return 'tokenRevoked';
  if (rule.scope !== undefined && !tpp.roles.includes(rule.scope)) return 'roleMissing';
  return isOfKind(token, rule) ? undefined : 'tokenOfWrongKind';
};

const isOfKind = ({ grant, scopes, consentId }: AccessToken, rule: TokenRule): boolean => {
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) return false;
  const isOfConsent = grant === 'user' && consentId !== undefined;
  if (rule.orOfConsentInPath === true && isOfConsent) return true;
  return grant === rule.grant && (!rule.ofConsent || consentId !== undefined);
};
