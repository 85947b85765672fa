import { Injectable } from '@nestjs/common';
import { listPsuAccounts, type PsuAccount, readCorporate } from '@xs2a/contracts/accounts.contract';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { authoriseConsent } from '@xs2a/domain/consent/decide-consent';
import type { Decision } from '@xs2a/domain/decision';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { Requester } from '@xs2a/messaging/requester';
import { Clock } from '@xs2a/runtime/clock';
import { Consents } from './consents.js';
import { ReplaceOlder } from './replace-older.js';

/** What a PSU brings from the SCA pages. */
export interface Approval {
  readonly consentId: string;
  readonly authorisationId: string;
  readonly psuId: string;
  readonly chosenIbans?: readonly string[];
}
export interface Authorised {
  readonly consentStatus: ConsentStatus;
  readonly rejectionReason?: RejectionReason | 'terminated-by-tpp';
}

const anyConsent = (): boolean => true;

/** A PSU's approval of a consent, and the end of the older ones that it replaces. */
@Injectable()
export class ConsentApproval {
  constructor(
    private readonly consents: Consents,
    private readonly replaceOlder: ReplaceOlder,
    private readonly requester: Requester,
    private readonly clock: Clock,
  ) {}

  async authorise({ consentId, authorisationId, psuId, chosenIbans }: Approval): Promise<Authorised> {
    const psuAccounts = await this.accountsToOpenAlone(psuId);
    let reason: Authorised['rejectionReason'];
    const state = await this.consents.change(consentId, psuId, anyConsent, (current) => {
      const decision = authoriseConsent(current, {
        authorisationId,
        psuId,
        psuAccounts,
        ...(chosenIbans === undefined ? {} : { chosenIbans }),
        now: this.clock.now(),
      });
      reason = rejectionIn(decision);
      return decision;
    });
    const consentStatus = await this.statusAfterReplacing(state);
    return { consentStatus, ...(reason === undefined ? {} : { rejectionReason: reason }) };
  }

  private async statusAfterReplacing(state: ConsentState): Promise<ConsentStatus> {
    const { psuId } = state.authorisation;
    if (state.status !== 'valid' || !state.recurringIndicator || psuId === undefined) return state.status;
    const replaced = await this.replaceOlder.of(psuId, state.tppId);
    return replaced.includes(state.consentId) ? 'expired' : state.status;
  }

  /**
   * The PSU's accounts, without closed ones and those of corporates that need more than one signature: one PSU alone
   * never opens these, so a consent over them is rejected rather than made valid by one of several.
   */
  private async accountsToOpenAlone(psuId: string): Promise<readonly PsuAccount[]> {
    const { accounts } = await this.requester.call(listPsuAccounts, { psuId });
    const corporateIds = [...new Set(accounts.flatMap(({ corporateId }) => corporateId ?? []))];
    const single = await Promise.all(
      corporateIds.map(async (corporateId) => this.needsOneSignature(corporateId)),
    );
    const openAlone = new Set(corporateIds.filter((_id, index) => single[index]));
    return accounts.filter(
      ({ status, corporateId }) =>
        status !== 'closed' && (corporateId === undefined || openAlone.has(corporateId)),
    );
  }

  private async needsOneSignature(corporateId: string): Promise<boolean> {
    const { signaturesRequired } = await this.requester.call(readCorporate, { corporateId });
    return signaturesRequired === 1;
  }
}

const rejectionIn = (decision: Decision<ConsentEvent>): Authorised['rejectionReason'] => {
  if ('refused' in decision) return undefined;
  const rejected = decision.events.find((event) => event.type === 'rejected');
  return rejected?.type === 'rejected' ? rejected.data.reason : undefined;
};
