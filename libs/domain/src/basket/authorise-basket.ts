import { type Decision, happened, refuse } from '../decision.js';
import { fail } from '../failure/failures.js';
import type { Signing } from '../payment/authorise-payment.js';
import type { RejectionReason } from '../payment/payment-events.js';
import {
  type Authorisation,
  authorisationIn,
  isOpenAuthorisation,
  isTakenByAnother,
  type NewAuthorisation,
  signaturesMissing,
  listSigners,
  startFailure,
} from '../sca/authorisations.js';
import { hasPassed } from '../time/bank-calendar.js';
import type { BasketEvent } from './basket-events.js';
import type { BasketState } from './basket-state.js';
import { awaitsSignature } from './basket-transitions.js';

type BasketDecision = Decision<BasketEvent>;

const rejected = (reason: RejectionReason, authorisationId: string, psuId?: string): BasketEvent => ({
  type: 'basket-rejected',
  data: { authorisationId, reason, psuId },
});

/** The authorisation that a PSU wants to use, or the reason for the refusal. */
const openAuthorisation = (
  state: BasketState,
  authorisationId: string,
): Authorisation | { readonly refused: 'resourceUnknown' | 'statusForbidsAuthorisation' } => {
  const authorisation = authorisationIn(state, authorisationId);
  if (authorisation === undefined) return { refused: 'resourceUnknown' };
  return awaitsSignature(state.stage) && isOpenAuthorisation(authorisation)
    ? authorisation
    : { refused: 'statusForbidsAuthorisation' };
};

/**
 * The TPP starts an authorisation for another person, or starts one again (contract 10). Fails with statusForbidsAuthorisation
 * once the basket is signed, final or expired, otherwise as {@link startFailure} says.
 */
export function startBasketAuthorisation(
  state: BasketState,
  { now, ...started }: NewAuthorisation & { readonly now: string },
): BasketDecision {
  if (!awaitsSignature(state.stage) || hasPassed(state.expiresAt, now))
    return refuse('statusForbidsAuthorisation');
  const failure = startFailure(state, started);
  if (failure !== undefined) return { refused: failure };
  const psuId = started.psuId ?? state.namedPsuId;
  return happened<BasketEvent>({
    type: 'basket-authorisation-started',
    data: { ...started, psuId },
  });
}

/**
 * The PSU is identified on the SCA page. `itemFailure`: why this PSU cannot sign one of the items. In that case, after expiry, or
 * when the PSU is not the named one, the basket and every item are rejected (contract 10). Does nothing if already identified.
 * Fails with resourceUnknown, or with statusForbidsAuthorisation, also for a person who has already signed.
 */
export function acceptBasket(
  state: BasketState,
  { authorisationId, psuId, now, itemFailure }: Signing & { readonly itemFailure?: RejectionReason },
): BasketDecision {
  const authorisation = openAuthorisation(state, authorisationId);
  if ('refused' in authorisation) return refuse(authorisation.refused);
  const no = (reason: RejectionReason): BasketDecision => happened(rejected(reason, authorisationId, psuId));
  if (hasPassed(state.expiresAt, now)) return no('not-authorised-in-time');
  if (isTakenByAnother(state, authorisation, psuId)) return refuse('statusForbidsAuthorisation');
  if (authorisation.psuId === psuId) return happened();
  if (authorisation.namedPsuId !== undefined && authorisation.namedPsuId !== psuId)
    return no('not-the-named-psu');
  if (listSigners(state).includes(psuId)) return refuse('statusForbidsAuthorisation');
  if (itemFailure !== undefined) return no(itemFailure);
  return happened<BasketEvent>({ type: 'basket-signer-identified', data: { authorisationId, psuId } });
}

/** A signature, and the accounts that the signer chose where consents leave the choice to the PSU. */
export interface BasketSigning extends Signing {
  readonly chosenIbans?: readonly string[];
}

/**
 * The PSU signs every item at once (contract 10: ACTC, or PATC while others have to sign). Rejects the basket after expiry. Fails with
 * resourceUnknown, with statusForbidsAuthorisation when the PSU is not identified or has already signed, or with
 * fieldMalformed (path `accounts`) when another signer has chosen other accounts.
 */
export function signBasket(
  state: BasketState,
  { authorisationId, psuId, now, chosenIbans }: BasketSigning,
): BasketDecision {
  const authorisation = openAuthorisation(state, authorisationId);
  if ('refused' in authorisation) return refuse(authorisation.refused);
  if (hasPassed(state.expiresAt, now))
    return happened(rejected('not-authorised-in-time', authorisationId, psuId));
  if (authorisation.psuId !== psuId || listSigners(state).includes(psuId))
    return refuse('statusForbidsAuthorisation');
  if (!agrees(state, chosenIbans))
    return {
      refused: fail(
        'fieldMalformed',
        'accounts',
        'Somebody else has chosen the accounts meanwhile. Look at them.',
      ),
    };
  const data = {
    authorisationId,
    psuId,
    signedAt: now,
    chosenIbans,
  };
  return happened<BasketEvent>({
    type: signaturesMissing(state) > 1 ? 'basket-partly-signed' : 'basket-signed',
    data,
  });
}

/** After the first signature, the other signers can only agree to the accounts that it chose. */
const agrees = ({ chosenIbans: first }: BasketState, chosenIbans: readonly string[] | undefined): boolean =>
  first === undefined ||
  chosenIbans === undefined ||
  (first.length === chosenIbans.length && first.every((iban) => chosenIbans.includes(iban)));

/**
 * The PSU refuses or cancels, or SCA fails: the basket and every item are rejected (contract 10). Fails like the refusal of a
 * payment.
 */
export function rejectBasket(
  state: BasketState,
  {
    authorisationId,
    reason,
    psuId,
  }: { readonly authorisationId: string; readonly reason: RejectionReason; readonly psuId?: string },
): BasketDecision {
  const authorisation = openAuthorisation(state, authorisationId);
  if ('refused' in authorisation) return refuse(authorisation.refused);
  const isTaken =
    psuId === undefined
      ? state.authorisations.some((one) => one.psuId !== undefined)
      : isTakenByAnother(state, authorisation, psuId);
  return isTaken ? refuse('statusForbidsAuthorisation') : happened(rejected(reason, authorisationId, psuId));
}
