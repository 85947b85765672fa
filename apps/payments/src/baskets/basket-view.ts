import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { awaitsSignature } from '@xs2a/domain/basket/basket-transitions';
import { listAwaited } from '@xs2a/domain/sca/authorisations';
import { addSeconds } from '@xs2a/domain/time/bank-calendar';
import type { InlineView } from '@xs2a/event-store/streams/inline-view';

/**
 * The request that decides a basket also updates its items. Items that it did not update become due for the sweep
 * after this time.
 */
const leftOverSeconds = 2;

/** Returns when the sweep must next work on the basket. Undefined if there is nothing left except its completion. */
const dueAt = (state: BasketState): string | undefined => {
  if (state.stage === 'opening') return state.abandonAt;
  if (awaitsSignature(state.stage)) return state.expiresAt;
  return state.updatesItemsSince === undefined
    ? undefined
    : addSeconds(state.updatesItemsSince, leftOverSeconds);
};

/** The status view of baskets: values used for lookups and due times are columns; the whole basket is in `state`. */
export const basketView: InlineView<BasketState> = {
  table: 'basket_view',
  columns: {
    tpp_id: 'text',
    stage: 'text',
    payment_ids: 'jsonb',
    awaited: 'jsonb',
    due_at: 'timestamptz',
    notified: 'boolean',
  },
  personalColumns: ['awaited', 'notified'],
  row: (state) => ({
    tpp_id: state.tppId,
    stage: state.stage,
    payment_ids: state.paymentIds,
    awaited: awaitsSignature(state.stage) ? listAwaited(state) : undefined,
    due_at: dueAt(state),
    notified: state.notification === undefined ? undefined : true,
  }),
};
