import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import type { RejectionReason } from '../payment/payment-events.js';
import { addSeconds, bankDateOf, hasPassed } from '../time/bank-calendar.js';
import type { ConsentEvent } from './consent-events.js';
import type { ConsentState } from './consent-state.js';
import { awaitsAuthorisation, isFinalConsent } from './consent-transitions.js';
import { grantAsAsked, grantAsChosen, type PsuAccountRef } from './consent-grant.js';

type ConsentDecision = Decision<ConsentEvent>;
type Created = Extract<ConsentEvent, { type: 'created' }>['data'];

/** A valid body becomes a consent (contract 5: received); `now` starts the time to authorise. */
export const createConsent = (
  { now, ...data }: Omit<Created, 'expiresAt'> & { readonly now: string },
  profile: Profile,
): ConsentEvent[] => [
  { type: 'created', data: { ...data, expiresAt: addSeconds(now, profile.consentAuthorisationSeconds) } },
];

const rejected = (
  { authorisation: { authorisationId } }: ConsentState,
  reason: RejectionReason | 'terminated-by-tpp',
  psuId?: string,
): ConsentEvent => ({
  type: 'rejected',
  data: { authorisationId, reason, ...(psuId === undefined ? {} : { psuId }) },
});

const expired = (reason: Extract<ConsentEvent, { type: 'expired' }>['data']['reason']): ConsentEvent => ({
  type: 'expired',
  data: { reason },
});

/** What a PSU brings from the SCA pages. `psuAccounts`: all of the PSU's; `chosenIbans`: only when the PSU picks. */
export interface ConsentAuthorisationInput {
  readonly authorisationId: string;
  readonly psuId: string;
  readonly psuAccounts: readonly PsuAccountRef[];
  readonly chosenIbans?: readonly string[];
  readonly now: string;
}

/**
 * The PSU approves with SCA (contract 5: valid). Rejected when too late, when another PSU was named, when the PSU is not of
 * the corporate named, or when an IBAN is not the PSU's. A consent that is valid stays as it is for the same PSU (spec 5.4).
 * Refused with resourceUnknown, statusForbidsAuthorisation, or fieldMalformed (path `accounts`) when the PSU picked none or
 * an account of somebody else; the PSU may then pick again.
 */
export function authoriseConsent(state: ConsentState, input: ConsentAuthorisationInput): ConsentDecision {
  const { authorisationId, psuId, now } = input;
  if (authorisationId !== state.authorisation.authorisationId) return refuse('resourceUnknown');
  if (state.status === 'valid' && state.authorisation.psuId === psuId) return happened();
  if (!awaitsAuthorisation(state.status)) return refuse('statusForbidsAuthorisation');
  if (hasPassed(state.expiresAt, now)) return happened(rejected(state, 'not-authorised-in-time', psuId));
  if (state.namedPsuId !== undefined && state.namedPsuId !== psuId) {
    return happened(rejected(state, 'not-the-named-psu', psuId));
  }
  const { psuCorporateId } = state;
  const mayOpen = input.psuAccounts.filter(
    ({ corporateId }) => psuCorporateId === undefined || corporateId === psuCorporateId,
  );
  if (psuCorporateId !== undefined && mayOpen.length === 0) {
    return happened(rejected(state, 'not-the-named-psu', psuId));
  }
  const accounts = state.psuPicksAccounts
    ? grantAsChosen(input.chosenIbans ?? [], mayOpen)
    : grantAsAsked(state.access, mayOpen);
  if (accounts !== undefined) {
    return happened<ConsentEvent>({ type: 'authorised', data: { authorisationId, psuId, accounts } });
  }
  if (state.psuPicksAccounts)
    return refuse('fieldMalformed', 'accounts', 'Choose at least one of your accounts.');
  return happened(rejected(state, 'not-the-account-owner', psuId));
}

/** The PSU refuses or SCA fails (contract 5: rejected). Refused with resourceUnknown, or statusForbidsAuthorisation once authorised or final. */
export function rejectConsent(
  state: ConsentState,
  input: { readonly authorisationId: string; readonly psuId?: string; readonly reason: RejectionReason },
): ConsentDecision {
  if (input.authorisationId !== state.authorisation.authorisationId) return refuse('resourceUnknown');
  if (!awaitsAuthorisation(state.status)) return refuse('statusForbidsAuthorisation');
  return happened(rejected(state, input.reason, input.psuId));
}

/** DELETE by the TPP (contract 5): before authorisation rejected, valid terminated, final left as it is. */
export function terminateConsent(
  state: ConsentState,
  { tppId }: { readonly tppId: string },
): ConsentDecision {
  if (tppId !== state.tppId) return refuse('consentUnknown');
  if (isFinalConsent(state.status)) return happened();
  if (awaitsAuthorisation(state.status)) return happened(rejected(state, 'terminated-by-tpp'));
  return happened<ConsentEvent>({ type: 'terminated-by-tpp', data: { tppId } });
}

/** The PSU who authorised it withdraws it at the bank. Final: left as it is. Refused with resourceUnknown for anyone else. */
export function revokeConsent(state: ConsentState, { psuId }: { readonly psuId: string }): ConsentDecision {
  if (state.authorisation.psuId !== psuId) return refuse('resourceUnknown');
  if (isFinalConsent(state.status)) return happened();
  return happened<ConsentEvent>({ type: 'revoked-by-psu', data: { psuId } });
}

/** True when the time of an authorised consent is over: its last day has passed, or its one use. */
const isOver = ({ validUntil, oneOffEndsAt }: ConsentState, now: string, timeZone: string): boolean =>
  bankDateOf(now, timeZone) > validUntil || (oneOffEndsAt !== undefined && hasPassed(oneOffEndsAt, now));

/** Ends what time has ended: not authorised in time, last day passed in the bank's zone, one-off used. Never refused. */
export function expireConsent(
  state: ConsentState,
  { now, timeZone }: { readonly now: string; readonly timeZone: string },
): ConsentDecision {
  if (isFinalConsent(state.status)) return happened();
  if (awaitsAuthorisation(state.status)) {
    return hasPassed(state.expiresAt, now) ? happened(rejected(state, 'not-authorised-in-time')) : happened();
  }
  if (!isOver(state, now, timeZone)) return happened();
  const isUsedUp = state.oneOffEndsAt !== undefined && hasPassed(state.oneOffEndsAt, now);
  return happened(expired(isUsedUp ? 'one-off-used' : 'valid-until-passed'));
}

/** A newer recurring consent of the same TPP and PSU was authorised: an older recurring one ends (contract 5). Never refused. */
export const replaceConsent = (state: ConsentState): ConsentDecision =>
  state.status === 'valid' && state.recurringIndicator ? happened(expired('replaced')) : happened();

/** The first answered call on a one-off consent starts its end (contract 5); any other call changes nothing. */
export function firstUse(
  state: ConsentState,
  { now }: { readonly now: string },
  profile: Profile,
): ConsentDecision {
  const isFirst = state.status === 'valid' && !state.recurringIndicator && state.oneOffEndsAt === undefined;
  if (!isFirst) return happened();
  const expiresAt = addSeconds(now, profile.oneOffConsentSeconds);
  return happened<ConsentEvent>({ type: 'first-used', data: { expiresAt } });
}
