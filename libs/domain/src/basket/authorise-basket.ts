import { type Decision, happened, refuse } from '../decision.js';
import type { RejectionReason } from '../payment/payment-events.js';
import { MultilevelAuthorisation, type Signing } from '../sca/multilevel-authorisation.js';
import type { BasketEvent } from './basket-events.js';
import type { BasketState } from './basket-state.js';
import { awaitsSignature } from './basket-transitions.js';

type BasketDecision = Decision<BasketEvent>;

/** The authorisation of signing baskets (contract 10). A rejection also rejects every item. */
const authorisation = new MultilevelAuthorisation<BasketState, BasketEvent>({
  awaitsSignature: ({ stage }) => awaitsSignature(stage),
  isGrouped: () => false,
  started: (data) => ({ type: 'basket-authorisation-started', data }),
  rejected: (data) => ({ type: 'basket-rejected', data }),
});

export const startBasketAuthorisation = authorisation.start;
export const rejectBasket = authorisation.reject;
export const expireBasket = authorisation.expire;

/**
 * Ends the time to sign now (contract 13), which rejects every item. Fails with statusForbidsExpiry if the basket
 * does not await a signature.
 */
export const expireBasketNow = (state: BasketState): BasketDecision =>
  awaitsSignature(state.stage)
    ? expireBasket(state, { now: state.expiresAt })
    : refuse('statusForbidsExpiry');

/**
 * The PSU is identified on the SCA page. `itemFailure`: why this PSU cannot sign one of the items; it rejects the
 * basket and all its items. Otherwise as {@link MultilevelAuthorisation.identify}.
 */
export const acceptBasket = (
  state: BasketState,
  { itemFailure, ...signing }: Signing & { readonly itemFailure?: RejectionReason },
): BasketDecision =>
  authorisation.identify(state, signing, {
    obstacle: () => itemFailure,
    identified: (data) => ({ type: 'basket-signer-identified', data }),
  });

/** One signer's signature, with the accounts chosen by the signer if a consent lets the PSU choose. */
export interface BasketSigning extends Signing {
  readonly chosenIbans?: readonly string[];
  /** True while payees of the items have to be verified. */
  readonly hasOpenPayees: boolean;
}

/**
 * The PSU signs all items at once (contract 10: ACTC, or PATC while other signatures are missing). Rejects an
 * expired basket. Fails with resourceUnknown, with statusForbidsAuthorisation if the PSU is not identified or has
 * already signed or payees have to be verified (E4.2), or with fieldMalformed (path `accounts`) if another signer has
 * chosen other accounts.
 */
export const signBasket = (
  state: BasketState,
  { chosenIbans, hasOpenPayees, ...signing }: BasketSigning,
): BasketDecision =>
  authorisation.sign(state, signing, (isLast) => {
    if (hasOpenPayees) return refuse('statusForbidsAuthorisation');
    if (!agrees(state, chosenIbans))
      return refuse(
        'fieldMalformed',
        'accounts',
        'Another signer has chosen the accounts in the meantime. Review them.',
      );
    const { authorisationId, psuId, now, evidence, clockOffsetMs } = signing;
    const data = { authorisationId, psuId, signedAt: now, evidence, chosenIbans };
    return happened<BasketEvent>(
      isLast
        ? {
            type: 'basket-signed',
            data: { ...data, clockOffsetMs: clockOffsetMs === 0 ? undefined : clockOffsetMs },
          }
        : { type: 'basket-partly-signed', data },
    );
  });

/** After the first signature, the other signers must choose the same accounts as the first signer. */
const agrees = ({ chosenIbans: first }: BasketState, chosenIbans: readonly string[] | undefined): boolean =>
  first === undefined ||
  chosenIbans === undefined ||
  (first.length === chosenIbans.length && first.every((iban) => chosenIbans.includes(iban)));
