import { Injectable } from '@nestjs/common';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { authoriseConsent } from '@xs2a/domain/consent/decide-consent';
import type { Decision } from '@xs2a/domain/decision';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { signaturesMissing } from '@xs2a/domain/sca/authorisations';
import { Clock } from '@xs2a/runtime/clock';
import { BankAccounts } from './bank-accounts.js';
import { Consents } from '../store/consents.js';
import { holderOf } from '../store/holders.js';
import { ReplaceOlder } from '../end/replace-older.js';

/** The approval of a PSU from the SCA pages. */
export interface Approval {
  readonly consentId: string;
  readonly authorisationId: string;
  readonly psuId: string;
  readonly chosenIbans?: readonly string[];
}
export interface Authorised {
  readonly consentStatus: ConsentStatus;
  readonly signaturesMissing: number;
  readonly rejectionReason?: RejectionReason | 'terminated-by-tpp';
}

const anyConsent = (): boolean => true;

/** A PSU's approval of a consent, and the end of the older ones that it replaces. */
@Injectable()
export class ConsentApproval {
  constructor(
    private readonly consents: Consents,
    private readonly replaceOlder: ReplaceOlder,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
  ) {}

  async authorise({ consentId, authorisationId, psuId, chosenIbans }: Approval): Promise<Authorised> {
    const psuAccounts = await this.bank.ofPsu(psuId);
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
    return {
      consentStatus,
      signaturesMissing: signaturesMissing(state),
      ...(reason === undefined ? {} : { rejectionReason: reason }),
    };
  }

  /** Ends the older recurring consents that a valid one replaces; `expired` when an even newer one replaced it meanwhile. */
  async statusAfterReplacing(state: ConsentState): Promise<ConsentStatus> {
    const holder = holderOf(state);
    if (state.status !== 'valid' || !state.recurringIndicator || holder === undefined) return state.status;
    const replaced = await this.replaceOlder.of(holder, state.tppId);
    return replaced.includes(state.consentId) ? 'expired' : state.status;
  }
}

const rejectionIn = (decision: Decision<ConsentEvent>): Authorised['rejectionReason'] => {
  if ('refused' in decision) return undefined;
  const rejected = decision.events.find((event) => event.type === 'rejected');
  return rejected?.type === 'rejected' ? rejected.data.reason : undefined;
};
