import { Inject, Injectable } from '@nestjs/common';
import type { Signable } from '@xs2a/authorisations/signable';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { Identified, SignatureGiven } from '@xs2a/contracts/authorisations.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import type {
  ConsentAuthorisation,
  consentAuthorisation,
  ConsentAuthorisationRef,
  ConsentRef,
} from '@xs2a/contracts/consents.contract';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import {
  authoriseConsent,
  openableAccounts,
  rejectConsent,
  startConsentAuthorisation,
} from '@xs2a/domain/consent/decide-consent';
import type { Decision } from '@xs2a/domain/decision';
import { callFailed } from '@xs2a/domain/failure/failed';
import {
  type Authorisation,
  authorisationIn,
  listSigners,
  type NewAuthorisation,
  signaturesMissing,
} from '@xs2a/domain/sca/authorisations';
import type { Appended, IdempotencyRecord } from '@xs2a/event-store/streams/event-store';
import { Clock } from '@xs2a/runtime/clock';
import { ReplaceOlder } from '../end/replace-older.js';
import { toAuthorisation } from '../read/consent-answers.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { Consents, ofAuthorisation, ofTpp } from '../store/consents.js';
import { BankAccounts } from './bank-accounts.js';

type Calls = typeof consentAuthorisation;
type Signed = SignatureGiven<ConsentStatus>;

/** Signs consents (contract 5, 10). Nothing is recorded before the signature. */
@Injectable()
export class ConsentSigning implements Signable<
  ConsentRef,
  ConsentAuthorisationRef,
  ConsentAuthorisation,
  ConsentStatus
> {
  constructor(
    private readonly consents: Consents,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly replaceOlder: ReplaceOlder,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
  ) {}

  async mustKnowCorporate(corporateId: string): Promise<void> {
    await this.bank.signersOfCorporate(corporateId);
  }

  async findEarlierAnswer(record: Omit<IdempotencyRecord, 'answer'>) {
    return this.store.idempotencyKeys.find(record);
  }

  async mustBeOwned({ consentId, tppId }: ConsentRef): Promise<void> {
    await this.consents.read(consentId, ofTpp(tppId));
  }

  async start(
    { consentId, tppId }: ConsentRef,
    input: NewAuthorisation & { readonly psuCorporateId?: string },
    idempotencyRecord: IdempotencyRecord | undefined,
  ): Promise<Exclude<Appended, 'conflict'>> {
    return this.store.changeOnce(
      consentId,
      (state) => startConsentAuthorisation(state, { ...input, now: this.clock.now() }),
      { actor: tppId, idempotencyRecord },
    );
  }

  async list({ consentId, tppId }: ConsentRef): Promise<readonly Authorisation[]> {
    return (await this.consents.read(consentId, ofTpp(tppId))).authorisations;
  }

  async read({ consentId, authorisationId }: ConsentAuthorisationRef): Promise<ConsentAuthorisation> {
    return toAuthorisation(await this.consents.read(consentId, ofAuthorisation(authorisationId)));
  }

  /** Accepts the PSU without recording it, or rejects the consent if the TPP named another PSU. */
  async identify(request: RequestOf<Calls['identify']>): Promise<Identified> {
    const { consentId, authorisationId, psuId } = request;
    const consent = await this.consents.read(consentId, ofAuthorisation(authorisationId));
    const namedPsuId = authorisationIn(consent, authorisationId)?.namedPsuId;
    if (namedPsuId !== undefined && namedPsuId !== psuId) {
      await this.reject({ ...request, reason: 'not-the-named-psu' });
      return { scaStatus: 'failed', rejectionReason: 'not-the-named-psu' };
    }
    if (listSigners(consent).includes(psuId)) throw callFailed('statusForbidsAuthorisation');
    return { scaStatus: 'psuIdentified' };
  }

  /** Returns the PSU's accounts that the consent permits and from which the PSU can choose. */
  async listAccounts({
    consentId,
    authorisationId,
    psuId,
  }: RequestOf<Calls['accounts']>): Promise<readonly PsuAccount[]> {
    const consent = await this.consents.read(consentId, ofAuthorisation(authorisationId));
    return openableAccounts(consent, await this.bank.ofPsu(psuId));
  }

  /**
   * Records the authorisation, then ends the older consents that it replaces. Rejects the consent if one of its
   * accounts does not belong to the PSU.
   */
  async sign({ consentId, ...signature }: RequestOf<Calls['sign']>): Promise<Signed> {
    const { authorisationId, psuId, chosenIbans, evidence } = signature;
    const psuAccounts = await this.bank.ofPsu(psuId);
    let rejectionReason: Signed['rejectionReason'];
    const consent = await this.consents.change(
      consentId,
      'psu',
      () => true,
      (state) => {
        const now = this.clock.now();
        const decision = authoriseConsent(state, {
          authorisationId,
          psuId,
          psuAccounts,
          chosenIbans,
          now,
          evidence,
        });
        rejectionReason = rejectionIn(decision);
        return decision;
      },
    );
    const status = await this.replaceOlder.statusAfterReplacing(consent);
    return {
      status,
      isSigned: status === 'valid' || status === 'partiallyAuthorised',
      signaturesMissing: signaturesMissing(consent),
      rejectionReason,
    };
  }

  /** Rejects the consent for all its signers. */
  async reject({
    consentId,
    authorisationId,
    psuId,
    reason,
  }: RequestOf<Calls['reject']>): Promise<ConsentStatus> {
    const { status } = await this.consents.change(
      consentId,
      psuId === undefined ? 'auth' : 'psu',
      ofAuthorisation(authorisationId),
      (state) => rejectConsent(state, { authorisationId, reason, psuId }),
    );
    return status;
  }
}

const rejectionIn = (decision: Decision<ConsentEvent>): Signed['rejectionReason'] => {
  if ('refused' in decision) return undefined;
  const rejected = decision.events.find((event) => event.type === 'rejected');
  if (rejected?.type !== 'rejected') return undefined;
  const { reason } = rejected.data;
  return reason === 'terminated-by-tpp' || reason === 'ended-by-bank' ? undefined : reason;
};
