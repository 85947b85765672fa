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

/** Returns the open authorisation that a PSU wants to use, or the reason it cannot be used. */
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
 * The TPP starts an authorisation for another signer, or restarts one (contract 10). Fails with
 * statusForbidsAuthorisation once the basket is signed, final or expired, otherwise as described for
 * {@link startFailure}.
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
 * The PSU is identified on the SCA page. `itemFailure`: why this PSU cannot sign one of the items. The basket and
 * all its items are rejected if `itemFailure` is set, if the basket has expired, or if the TPP named another PSU
 * (contract 10). Does nothing if the PSU is already identified. Fails with resourceUnknown, or with
 * statusForbidsAuthorisation, for example if the PSU has already signed.
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

/** One signer's signature, with the accounts chosen by the signer if a consent lets the PSU choose. */
export interface BasketSigning extends Signing {
  readonly chosenIbans?: readonly string[];
}

/**
 * The PSU signs all items at once (contract 10: ACTC, or PATC while other signatures are missing). Rejects an
 * expired basket. Fails with resourceUnknown, with statusForbidsAuthorisation if the PSU is not identified or has
 * already signed, or with fieldMalformed (path `accounts`) if another signer has chosen other accounts.
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
        'Another signer has chosen the accounts in the meantime. Review them.',
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

/** After the first signature, the other signers must choose the same accounts as the first signer. */
const agrees = ({ chosenIbans: first }: BasketState, chosenIbans: readonly string[] | undefined): boolean =>
  first === undefined ||
  chosenIbans === undefined ||
  (first.length === chosenIbans.length && first.every((iban) => chosenIbans.includes(iban)));

/**
 * The PSU refuses or cancels, or SCA fails: the basket and all its items are rejected (contract 10). Fails in the
 * same cases as the refusal of a payment.
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
