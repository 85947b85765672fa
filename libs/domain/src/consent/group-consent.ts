import { groupingFailure, isGivenBackBy } from '../basket/groupings.js';
import { type Decision, happened, refuse } from '../decision.js';
import type { RejectionReason } from '../payment/payment-events.js';
import type { ConsentEvent } from './consent-events.js';
import type { ConsentState } from './consent-state.js';
import { authoriseUngrouped } from './decide-consent.js';
import type { SignatureEvidence } from '../sca/signature-evidence.js';
import { isGroupedConsent } from './consent-transitions.js';
import { evolveConsent } from './evolve-consent.js';
import type { PsuAccountRef } from './consent-grant.js';

type ConsentDecision = Decision<ConsentEvent>;

/** One signer's signature on a basket, with that PSU's accounts as the bank returns them. */
export interface GroupedApproval {
  readonly authorisationId: string;
  readonly psuId: string;
  readonly psuAccounts: readonly PsuAccountRef[];
  readonly evidence?: SignatureEvidence;
}

/**
 * A basket claims the consent (contract 10); a repeat changes nothing. If two baskets compete, the first one
 * claims it. Fails with itemUnknown (belongs to another TPP), itemStatusWrong (not received), resourceBlocked (in
 * another basket, or already released by this one) or itemGroupedTooOften.
 */
export function groupConsent(
  state: ConsentState,
  { basketId, tppId }: { readonly basketId: string; readonly tppId: string },
): ConsentDecision {
  if (state.tppId !== tppId) return refuse('itemUnknown');
  if (state.status !== 'received') return refuse('itemStatusWrong');
  if (state.basketId === basketId) return happened();
  const failure = groupingFailure(state, basketId);
  if (failure !== undefined) return refuse(failure);
  return happened<ConsentEvent>({ type: 'grouped', data: { basketId } });
}

const isIn = (state: ConsentState, basketId: string): boolean =>
  state.basketId === basketId && isGroupedConsent(state);

/**
 * The basket releases the consent, or has ended before claiming it. After that, a late request (from a stalled
 * instance or a retry) can no longer claim the consent for that basket. Never fails; a repeat changes nothing, and
 * a consent that is decided or in another basket stays unchanged.
 */
export function ungroupConsent(
  state: ConsentState,
  { basketId }: { readonly basketId: string },
): ConsentDecision {
  if (state.status !== 'received' || !isGivenBackBy(state, basketId)) return happened();
  return happened<ConsentEvent>({ type: 'ungrouped', data: { basketId } });
}

/**
 * The basket has been rejected together with all its items. Never fails; a consent outside the basket stays
 * unchanged.
 */
export const rejectGroupedConsent = (
  state: ConsentState,
  { basketId, reason }: { readonly basketId: string; readonly reason: RejectionReason },
): ConsentDecision =>
  isIn(state, basketId) ? happened<ConsentEvent>({ type: 'rejected', data: { reason } }) : happened();

/**
 * All signers of the basket have signed. The consent is authorised with as many of the signatures as it needs,
 * each as if given individually. If an IBAN no longer belongs to the PSU, only this consent is rejected, not the
 * other items. Never fails; a consent outside the basket stays unchanged.
 */
export function authoriseGroupedConsent(
  state: ConsentState,
  {
    basketId,
    approvals,
    chosenIbans,
    signedAt,
  }: {
    readonly basketId: string;
    readonly approvals: readonly GroupedApproval[];
    readonly chosenIbans?: readonly string[];
    /** When the last signer signed (ISO instant). */
    readonly signedAt: string;
  },
): ConsentDecision {
  if (!isIn(state, basketId)) return happened();
  const events: ConsentEvent[] = [];
  let after = state;
  const add = (event: ConsentEvent): void => {
    events.push(event);
    after = evolveConsent(after, event, signedAt);
  };
  const chosen = state.psuPicksAccounts && chosenIbans !== undefined ? { chosenIbans } : {};
  for (const approval of approvals.slice(0, state.signaturesRequired)) {
    const { authorisationId, psuId, psuAccounts, evidence } = approval;
    add({ type: 'authorisation-started', data: { authorisationId, psuId } });
    const decision = authoriseUngrouped(after, {
      authorisationId,
      psuId,
      psuAccounts,
      ...chosen,
      now: signedAt,
      evidence,
    });
    const refusal: ConsentEvent = {
      type: 'rejected',
      data: { authorisationId, reason: 'not-the-account-owner', psuId },
    };
    for (const event of 'refused' in decision ? [refusal] : decision.events) add(event);
    if (after.status === 'rejected') break;
  }
  return happened(...events);
}

/**
 * Returns why this PSU could not authorise the consent as a basket item. If the PSU has to pick the accounts, that
 * happens later and is not checked here.
 */
export function groupedConsentFailure(
  state: ConsentState,
  approval: GroupedApproval & { readonly now: string },
): RejectionReason | undefined {
  const { authorisationId, psuId, psuAccounts, now } = approval;
  if (!isGroupedConsent(state)) return undefined;
  const started = evolveConsent(
    state,
    { type: 'authorisation-started', data: { authorisationId, psuId } },
    now,
  );
  const decision = authoriseUngrouped(started, { authorisationId, psuId, psuAccounts, now });
  if ('refused' in decision) return undefined;
  const rejected = decision.events.find((event) => event.type === 'rejected');
  if (rejected?.type !== 'rejected') return undefined;
  const { reason } = rejected.data;
  return reason === 'terminated-by-tpp' || reason === 'ended-by-bank' ? undefined : reason;
}
