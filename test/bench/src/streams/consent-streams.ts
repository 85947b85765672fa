import type { Decision } from '@xs2a/domain/decision';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { authoriseConsent, createConsent, terminateConsent } from '@xs2a/domain/consent/decide-consent';
import { evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { newId } from '@xs2a/runtime/ids';
import type { Customer } from '../world/customers.js';
import type { Stream } from './append-streams.js';
import { idAt } from './id-at.js';

interface ConsentBegun {
  /** The time in epoch milliseconds. */
  readonly at: number;
  readonly holder: Customer;
  readonly tppId: string;
  readonly profile: Profile;
}

export const eventsOfConsent = 3;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates a consent for all data of an account, authorises it and, if requested, lets its TPP terminate it. The
 * domain produces the events.
 */
export const authorisedConsent = (
  { at, holder: { psuId, iban, resourceId }, tppId, profile }: ConsentBegun,
  isTerminated = false,
): Stream<ConsentEvent> => {
  const [consentId, authorisationId] = [idAt(at), newId()];
  const now = new Date(at).toISOString();
  const access = { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] };
  const events: ConsentEvent[] = [];
  let state: ConsentState | undefined;
  const add = (more: readonly ConsentEvent[]): ConsentState => {
    events.push(...more);
    state = more.reduce<ConsentState | undefined>(
      (before, event) => evolveConsent(before, event, now, profile.timeZone),
      state,
    );
    if (state === undefined) throw new Error('the consent has no event yet');
    return state;
  };
  const decided = (decision: Decision<ConsentEvent>): ConsentState => {
    if ('refused' in decision)
      throw new Error(`a consent of the history was refused: ${decision.refused.failure}`);
    return add(decision.events);
  };
  const data = {
    consentId,
    tppId,
    access,
    authorisationId,
    redirectUris: {},
    signaturesRequired: 1,
    frequencyPerDay: 4,
    psuPicksAccounts: false,
    recurringIndicator: true,
    combinedServiceIndicator: false,
    validUntil: new Date(at + 30 * dayMs).toISOString().slice(0, 10),
  };
  const created = add(createConsent({ ...data, now }, profile));
  const psuAccounts = [{ iban, resourceId, currency: 'BGN', signaturesRequired: 1 }];
  const authorised = decided(authoriseConsent(created, { authorisationId, psuId, psuAccounts, now }));
  if (isTerminated) decided(terminateConsent(authorised, { tppId }));
  return { id: consentId, tppId, events };
};
