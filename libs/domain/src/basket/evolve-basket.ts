import { registeredBy } from '../notification/notification-content.js';
import { authorisationsAfter as after, firstAuthorisations } from '../sca/authorisations.js';
import type { BasketEvent, BasketSigned } from './basket-events.js';
import type { BasketState } from './basket-state.js';
import { nextBasketStage } from './basket-transitions.js';

type Opened = Extract<BasketEvent, { type: 'basket-opened' }>;

const begin = ({ psuId, authorisationId, ...data }: Opened['data']): BasketState => ({
  ...data,
  namedPsuId: psuId,
  stage: 'opening',
  authorisations: firstAuthorisations(authorisationId, psuId),
});

/** The accounts that the first signer chose; later signers agree to them. */
const chosenBy = ({ chosenIbans }: Pick<BasketSigned, 'chosenIbans'>): Pick<BasketState, 'chosenIbans'> =>
  chosenIbans === undefined ? {} : { chosenIbans };

/** The state members, except the stage, that an event changes. `at` is the instant of the event. */
function changes(state: BasketState, event: Exclude<BasketEvent, Opened>, at: string): Partial<BasketState> {
  const { authorisations } = state;
  switch (event.type) {
    case 'basket-abandoned': {
      const { failure, path } = event.data;
      return { refusal: { failure, path }, updatesItemsSince: at };
    }
    case 'basket-authorisation-started':
      return { authorisations: after.started(authorisations, event.data), ...registeredBy(event.data) };
    case 'basket-signer-identified':
      return { authorisations: after.identified(authorisations, event.data) };
    case 'basket-partly-signed':
      return { authorisations: after.partlySigned(authorisations, event.data), ...chosenBy(event.data) };
    case 'basket-signed':
      return {
        authorisations: after.signed(authorisations, event.data),
        ...chosenBy(event.data),
        ...(event.data.clockOffsetMs === undefined ? {} : { clockOffsetMs: event.data.clockOffsetMs }),
        updatesItemsSince: at,
      };
    case 'basket-rejected':
      return {
        authorisations: after.rejected(authorisations, event.data),
        rejectionReason: event.data.reason,
        updatesItemsSince: at,
      };
    case 'basket-cancelled': {
      const { idempotencyKey } = event.data;
      return {
        authorisations: after.cancelled(authorisations),
        cancelledWithKey: idempotencyKey,
        updatesItemsSince: at,
      };
    }
    default:
      return {};
  }
}

/**
 * Increase this version when the fold produces a different result from the same events. A state stored with
 * another version is rebuilt from its events.
 */
export const basketStateVersion = 1;

/**
 * The basket after an event that happened at the instant `at`.
 * @throws Error if the lifecycle has no such transition, which means that the stream is damaged and must not be
 * used.
 */
export function evolveBasket(state: BasketState | undefined, event: BasketEvent, at: string): BasketState {
  const stage = nextBasketStage(state?.stage, event.type);
  if (stage === undefined)
    throw new Error(`A basket that is ${state?.stage ?? 'not opened'} cannot be ${event.type}.`);
  if (event.type === 'basket-opened') return begin(event.data);
  if (state === undefined) throw new Error(`A basket that has not been opened cannot be ${event.type}.`);
  if (event.type === 'basket-items-updated') {
    const { updatesItemsSince: _done, ...updated } = state;
    return { ...updated, stage };
  }
  return { ...state, ...changes(state, event, at), stage };
}

/** The basket folded from a stream; undefined for an empty stream. */
export const basketFrom = (
  history: readonly { readonly event: BasketEvent; readonly at: string }[],
): BasketState | undefined =>
  history.reduce<BasketState | undefined>(
    (state, { event, at }) => evolveBasket(state, event, at),
    undefined,
  );
