import { Inject, Injectable } from '@nestjs/common';
import { PROFILE } from '@xs2a/runtime/tokens';
import { type ConsentAuthorisation, readConsentForAuthorization } from '@xs2a/contracts/consents.contract';
import { isFinalConsent } from '@xs2a/domain/consent/consent-transitions';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import type { GrantBinding } from './grant-bindings.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const authorizable = new Set<ConsentStatus>(['received', 'partiallyAuthorised', 'valid']);

export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuid.test(text);

/** Asks the consents service about a consent that a TPP named in a request to the authorization server. */
@Injectable()
export class ConsentAuthority {
  constructor(
    private readonly callClient: CallClient,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Reads a consent. Undefined if it is unknown or belongs to another TPP. Throws CallFailed (dependencyDown). */
  async find(tppId: string, consentId: string): Promise<ConsentAuthorisation | undefined> {
    if (!isUuid(consentId)) return undefined;
    try {
      return await this.callClient.call(readConsentForAuthorization, { tppId, consentId });
    } catch (error) {
      if (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'consentUnknown'))
        return undefined;
      throw error;
    }
  }

  /**
   * Returns the TPP's consent if it is valid, or if it can still be authorised separately (contract 4, 10). A code
   * is issued for no other consent, and for none in a signing basket.
   */
  async findAuthorizable(tppId: string, consentId: string): Promise<ConsentAuthorisation | undefined> {
    const consent = await this.find(tppId, consentId);
    if (consent === undefined || consent.isGrouped) return undefined;
    return authorizable.has(consent.consentStatus) ? consent : undefined;
  }

  /**
   * Returns when the consent of a grant ends, in epoch milliseconds. Undefined if it is not valid for this TPP and
   * PSU.
   */
  async readEnd({
    clientId,
    psuId,
    consentId,
  }: GrantBinding & { readonly consentId: string }): Promise<number | undefined> {
    const consent = await this.find(clientId, consentId);
    // The token of one of several signers grants no access until all of them have signed. The consents
    // service checks that on each access (contract 10).
    if (consent?.signedBy.includes(psuId) !== true || isFinalConsent(consent.consentStatus)) return undefined;
    return Date.parse(startOfBankDay(addDays(consent.validUntil, 1), this.profile.timeZone));
  }
}
