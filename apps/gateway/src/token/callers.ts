import type { TppRecord } from '@xs2a/contracts/auth.contract';
import { readConsentStatus } from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { Failure } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/messaging/call-failed';
import type { Requester } from '@xs2a/messaging/requester';
import type { TokenRule } from '../endpoint-rules.js';
import type { AccessToken } from './access-tokens.js';

/** Who calls, by the access token. */
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
  readonly revocations: { isRevoked(grantId: string): boolean };
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
  identify(bearerToken: string, rule: TokenRule): Caller | Promise<Caller> {
    const token = this.sources.tokens.check(bearerToken);
    if (token instanceof Promise) return token.then((checked) => this.admit(checked, rule));
    return this.admit(token, rule);
  }

  /** The failure of the consent that a token names, when that consent is dead: it comes before what else is wrong. */
  async consentFailure({ token }: Caller): Promise<Failure | undefined> {
    if (token.consentId === undefined) return undefined;
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

  private admit(token: AccessToken, rule: TokenRule): Caller | Promise<Caller> {
    const tpp = this.sources.tpps.find(token.clientId);
    const revoked = token.grantId !== undefined && this.sources.revocations.isRevoked(token.grantId);
    return tpp === undefined || revoked
      ? this.admitSlowly(token, rule, revoked)
      : allowed({ tpp, token }, rule);
  }

  private async admitSlowly(token: AccessToken, rule: TokenRule, revoked: boolean): Promise<Caller> {
    const tpp = this.sources.tpps.find(token.clientId) ?? (await this.sources.tpps.refresh(token.clientId));
    if (tpp === undefined) throw callFailed('tokenUnknown');
    const caller = { tpp, token };
    if (revoked) throw new CallFailed([(await this.consentFailure(caller)) ?? { failure: 'tokenRevoked' }]);
    return allowed(caller, rule);
  }
}

const allowed = (caller: Caller, rule: TokenRule): Caller => {
  const { tpp, token } = caller;
  if (tpp.status === 'blocked') throw callFailed('tppBlocked');
  // It was blocked since the token was issued: that ended the token for good.
  if (tpp.tokensFrom !== undefined && token.issuedAt < tpp.tokensFrom) throw callFailed('tokenRevoked');
  if (rule.scope !== undefined && !tpp.roles.includes(rule.scope)) throw callFailed('roleMissing');
  const fits =
    token.grant === rule.grant &&
    (rule.scope === undefined || token.scopes.includes(rule.scope)) &&
    (!rule.ofConsent || token.consentId !== undefined);
  if (!fits) throw callFailed('tokenOfWrongKind');
  return caller;
};
