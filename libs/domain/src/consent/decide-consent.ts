import { type Decision, happened, refuse } from '../decision.js';
import { fail, type Failure } from '../failure/failures.js';
import type { Profile } from '../profile/profile.js';
import type { RejectionReason } from '../payment/payment-events.js';
import { authorisationIn, listSigners } from '../sca/authorisations.js';
import {
  MultilevelAuthorisation,
  onlyOpenAuthorisation,
  type SigningBinding,
} from '../sca/multilevel-authorisation.js';
import type { SignatureEvidence } from '../sca/signature-evidence.js';
import { addDays, addSeconds, toBankDate, hasPassed, startOfBankDay } from '../time/bank-calendar.js';
import type { ConsentEvent, GrantedAccount } from './consent-events.js';
import type { ConsentState } from './consent-state.js';
import { awaitsAuthorisation, isFinalConsent, isGroupedConsent } from './consent-transitions.js';
import { grantAsAsked, grantAsChosen, type PsuAccountRef } from './consent-grant.js';

type ConsentDecision = Decision<ConsentEvent>;
type Created = Extract<ConsentEvent, { type: 'created' }>['data'];

/**
 * Creates a consent from a valid body (contract 5: received). The time to authorise it starts at `now` and ends no
 * later than the consent's last day, because a consent past its last day grants nothing and must not replace an
 * older valid one.
 */
export const createConsent = (
  { now, ...data }: Omit<Created, 'expiresAt'> & { readonly now: string },
  profile: Profile,
): ConsentEvent[] => {
  const inTime = addSeconds(now, profile.consentAuthorisationSeconds);
  const dayAfter = startOfBankDay(addDays(data.validUntil, 1), profile.timeZone);
  return [{ type: 'created', data: { ...data, expiresAt: hasPassed(dayAfter, inTime) ? dayAfter : inTime } }];
};

/** The authorisation of consents (contract 5, 10). A PSU is identified and authorises in one step. */
const binding: SigningBinding<ConsentState, ConsentEvent> = {
  awaitsSignature: ({ status }) => awaitsAuthorisation(status),
  isGrouped: isGroupedConsent,
  started: (data) => ({ type: 'authorisation-started', data }),
  rejected: (data) => ({ type: 'rejected', data }),
};
const authorisation = new MultilevelAuthorisation(binding);
/** Also accepts a consent in a basket, which receives the signatures of the basket. */
const groupedAuthorisation = new MultilevelAuthorisation({ ...binding, isGrouped: () => false });

export const rejectConsent = authorisation.reject;

const expired = (reason: Extract<ConsentEvent, { type: 'expired' }>['data']['reason']): ConsentEvent => ({
  type: 'expired',
  data: { reason },
});

/**
 * Starts an authorisation as {@link MultilevelAuthorisation.start} does. Also fails with headerMalformed if the TPP
 * names a corporate other than the consent's.
 */
export const startConsentAuthorisation = (
  state: ConsentState,
  {
    psuCorporateId,
    ...input
  }: Parameters<typeof authorisation.start>[1] & { readonly psuCorporateId?: string },
): ConsentDecision =>
  psuCorporateId === undefined || psuCorporateId === state.corporateId
    ? authorisation.start(state, input)
    : refuse(
        'headerMalformed',
        'PSU-Corporate-ID',
        'Send the id of the corporate that signs the consent, or leave the header out.',
      );

/**
 * A PSU's decision on the SCA pages. `psuAccounts`: all accounts of the PSU; `chosenIbans`: set only if the PSU
 * picks the accounts.
 */
export interface ConsentAuthorisationInput {
  readonly authorisationId: string;
  readonly psuId: string;
  readonly psuAccounts: readonly PsuAccountRef[];
  readonly chosenIbans?: readonly string[];
  readonly now: string;
  readonly evidence?: SignatureEvidence;
}

/**
 * The PSU's accounts that this consent may give access to. For the consent of a corporate, these are the
 * corporate's accounts that require no more signatures than the consent receives.
 */
export const openableAccounts = <Account extends PsuAccountRef>(
  { corporateId, signaturesRequired }: Pick<ConsentState, 'corporateId' | 'signaturesRequired'>,
  accounts: readonly Account[],
): readonly Account[] =>
  accounts.filter(
    (account) =>
      (corporateId === undefined || account.corporateId === corporateId) &&
      account.signaturesRequired <= signaturesRequired,
  );

const sameIbans = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((iban) => others.includes(iban));

/**
 * The access that this PSU grants: what was requested or picked or, after the first signature, exactly what the
 * first signer granted. Returns a failure if the PSU may pick again, or undefined if one of the accounts does not
 * belong to the PSU.
 */
const grantBy = (
  state: ConsentState,
  { chosenIbans }: ConsentAuthorisationInput,
  mayOpen: readonly PsuAccountRef[],
): readonly GrantedAccount[] | Failure | undefined => {
  if (listSigners(state).length > 0) {
    const agreed = state.accounts.map(({ iban }) => iban);
    if (chosenIbans !== undefined && !sameIbans(chosenIbans, agreed))
      return fail(
        'fieldMalformed',
        'accounts',
        'Another signer has chosen the accounts in the meantime. Review them.',
      );
    return agreed.every((iban) => mayOpen.some((account) => account.iban === iban))
      ? state.accounts
      : undefined;
  }
  if (!state.psuPicksAccounts) return grantAsAsked(state.access, mayOpen);
  return (
    grantAsChosen(chosenIbans ?? [], mayOpen) ??
    fail('fieldMalformed', 'accounts', 'Choose at least one of your accounts.')
  );
};

/**
 * The PSU approves with SCA (contract 5: valid; contract 10: partiallyAuthorised while other signatures are
 * missing). Rejects the consent if it has expired, if the PSU is not the named one or is not a signer of the
 * corporate, or if an IBAN does not belong to the PSU. A repeat by the same PSU changes nothing (spec 5.4). Fails
 * with resourceUnknown or statusForbidsAuthorisation, or with fieldMalformed (path `accounts`) if the PSU picked
 * no account, another person's account, or accounts other than the first signer's; the PSU may then pick again.
 */
export const authoriseConsent = (state: ConsentState, input: ConsentAuthorisationInput): ConsentDecision =>
  authoriseBy(authorisation, state, input);

/** Like {@link authoriseConsent}, but also accepts a consent in a basket. */
export const authoriseUngrouped = (state: ConsentState, input: ConsentAuthorisationInput): ConsentDecision =>
  authoriseBy(groupedAuthorisation, state, input);

const authoriseBy = (
  { identifyAndSign, reject }: typeof authorisation,
  state: ConsentState,
  input: ConsentAuthorisationInput,
): ConsentDecision => {
  const { authorisationId, psuId, evidence } = input;
  const used = authorisationIn(state, authorisationId);
  const isRepeat = used?.scaStatus === 'finalised' && used.psuId === psuId && !isFinalConsent(state.status);
  if (isRepeat) return happened();
  return identifyAndSign(state, input, (isLast) => {
    const no = (reason: RejectionReason): ConsentDecision =>
      reject(state, { authorisationId, reason, psuId });
    const mayOpen = openableAccounts(state, input.psuAccounts);
    if (state.psuCorporateId !== undefined && mayOpen.length === 0) return no('not-the-named-psu');
    const accounts = grantBy(state, input, mayOpen);
    if (accounts === undefined) return no('not-the-account-owner');
    if ('failure' in accounts) return { refused: accounts };
    return happened<ConsentEvent>({
      type: isLast ? 'authorised' : 'partly-authorised',
      data: { authorisationId, psuId, accounts, evidence },
    });
  });
};

/**
 * The TPP deletes the consent (contract 5). It is rejected if not yet authorised, terminated if valid, and
 * unchanged if final.
 */
export function terminateConsent(
  state: ConsentState,
  { tppId }: { readonly tppId: string },
): ConsentDecision {
  if (tppId !== state.tppId) return refuse('consentUnknown');
  if (isFinalConsent(state.status)) return happened();
  if (isGroupedConsent(state)) return refuse('resourceBlocked');
  if (awaitsAuthorisation(state.status))
    return happened<ConsentEvent>({
      type: 'rejected',
      data: { authorisationId: onlyOpenAuthorisation(state), reason: 'terminated-by-tpp' },
    });
  return happened<ConsentEvent>({ type: 'terminated-by-tpp', data: { tppId } });
}

/**
 * The bank's operator ends the consent, with the statuses that are left to the bank (contract 5): it expires if valid, and is
 * rejected before that. Unchanged if final. Fails with resourceBlocked in an undecided basket.
 */
export function endConsentByBank(state: ConsentState): ConsentDecision {
  if (isFinalConsent(state.status)) return happened();
  if (isGroupedConsent(state)) return refuse('resourceBlocked');
  if (awaitsAuthorisation(state.status))
    return happened<ConsentEvent>({
      type: 'rejected',
      data: { authorisationId: onlyOpenAuthorisation(state), reason: 'ended-by-bank' },
    });
  return happened(expired('ended-by-bank'));
}

/**
 * A PSU who authorised the consent, or any signer of the corporate that owns its accounts, withdraws it at the
 * bank. If other signatures are still missing, the consent is rejected instead. A final consent stays unchanged.
 * Fails with resourceUnknown for any other PSU.
 */
export function revokeConsent(
  state: ConsentState,
  { psuId, corporateIds = [] }: { readonly psuId: string; readonly corporateIds?: readonly string[] },
): ConsentDecision {
  if (!isHeldBy(state, { psuId, corporateIds })) return refuse('resourceUnknown');
  if (isFinalConsent(state.status)) return happened();
  if (awaitsAuthorisation(state.status))
    return happened<ConsentEvent>({ type: 'rejected', data: { reason: 'psu-refused', psuId } });
  return happened<ConsentEvent>({ type: 'revoked-by-psu', data: { psuId } });
}

/**
 * True if this PSU may see and withdraw the consent: a PSU who authorised it, or a signer of the corporate that
 * owns its accounts.
 */
export const isHeldBy = (
  state: ConsentState,
  { psuId, corporateIds }: { readonly psuId: string; readonly corporateIds: readonly string[] },
): boolean => {
  const signers = listSigners(state);
  return (
    signers.includes(psuId) ||
    (signers.length > 0 && state.corporateId !== undefined && corporateIds.includes(state.corporateId))
  );
};

/** True if an authorised consent has expired: its last day has passed, or its one-off use is over. */
const isOver = ({ validUntil, oneOffEndsAt }: ConsentState, now: string, timeZone: string): boolean =>
  toBankDate(now, timeZone) > validUntil || (oneOffEndsAt !== undefined && hasPassed(oneOffEndsAt, now));

/**
 * Expires a consent that was not authorised in time, whose last day in the bank's zone has passed, or whose
 * one-off use is over. Never fails.
 */
export function expireConsent(
  state: ConsentState,
  { now, timeZone }: { readonly now: string; readonly timeZone: string },
): ConsentDecision {
  if (isFinalConsent(state.status)) return happened();
  if (awaitsAuthorisation(state.status)) {
    return authorisation.expire(state, { now });
  }
  if (!isOver(state, now, timeZone)) return happened();
  const isUsedUp = state.oneOffEndsAt !== undefined && hasPassed(state.oneOffEndsAt, now);
  return happened(expired(isUsedUp ? 'one-off-used' : 'valid-until-passed'));
}

/**
 * Ends the consent now, as its time would have (contract 13): an unauthorised one is rejected, a valid one expires.
 * Changes nothing in a basket, which expires instead. Fails with statusForbidsExpiry if the consent has ended.
 */
export function expireConsentNow(
  state: ConsentState,
  { timeZone }: { readonly timeZone: string },
): ConsentDecision {
  if (isFinalConsent(state.status)) return refuse('statusForbidsExpiry');
  const { status, expiresAt, oneOffEndsAt, validUntil } = state;
  const lastDayEnds = startOfBankDay(addDays(validUntil, 1), timeZone);
  const now = awaitsAuthorisation(status) ? expiresAt : (oneOffEndsAt ?? lastDayEnds);
  return expireConsent(state, { now, timeZone });
}

/**
 * Ends an older recurring consent after the same PSU has authorised a newer one for the same TPP (contract 5).
 * Never fails.
 */
export const replaceConsent = (state: ConsentState): ConsentDecision =>
  state.status === 'valid' && state.recurringIndicator ? happened(expired('replaced')) : happened();

/** The first successful call on a one-off consent starts its expiry (contract 5); other calls change nothing. */
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
