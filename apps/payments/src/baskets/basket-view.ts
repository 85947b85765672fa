import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { awaitsSignature } from '@xs2a/domain/basket/basket-transitions';
import { addSeconds } from '@xs2a/domain/time/bank-calendar';
import type { InlineView } from '@xs2a/event-store/streams/inline-view';

/** The request that decided a basket updates its items; what it left is due this long afterwards. */
const leftOverSeconds = 2;

/** When the sweep has something to do with it; undefined: never, but for its completion. */
const dueAt = (state: BasketState): string | undefined => {
  if (state.stage === 'opening') return state.abandonAt;
  if (awaitsSignature(state.stage)) return state.expiresAt;
  return state.updatesItemsSince === undefined
    ? undefined
    : addSeconds(state.updatesItemsSince, leftOverSeconds);
};

/** The status view of baskets: what is looked up or due is in columns, the whole basket in `state`. */
export const basketView: InlineView<BasketState> = {
  table: 'basket_view',
  columns: {
    tpp_id: 'text',
    stage: 'text',
    payment_ids: 'jsonb',
    due_at: 'timestamptz',
    notified: 'boolean',
  },
  personalColumns: ['notified'],
  row: (state) => ({
    tpp_id: state.tppId,
    stage: state.stage,
    payment_ids: state.paymentIds,
    due_at: dueAt(state),
    notified: state.notification === undefined ? undefined : true,
  }),
};
