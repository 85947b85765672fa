import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { stageOf } from '@xs2a/domain/payment/payment-transitions';
import type { InlineView } from '@xs2a/event-store/inline-view';

const isUnsigned = (state: PaymentState): boolean => ['received', 'accepted'].includes(stageOf(state));

/** The status view: what is looked up, answered often or due stands in columns, the whole payment in `state`. */
export const paymentView: InlineView<PaymentState> = {
  table: 'payment_view',
  columns: {
    tpp_id: 'text',
    product: 'text',
    status: 'text',
    funds_available: 'boolean',
    rejection_reason: 'text',
    psu_id: 'text',
    unsigned_until: 'timestamptz',
    signed_at: 'timestamptz',
  },
  row: (state) => ({
    tpp_id: state.tppId,
    product: state.product,
    status: state.status,
    funds_available: state.fundsAvailable,
    rejection_reason: state.rejectionReason,
    psu_id: state.authorisation.psuId,
    unsigned_until: isUnsigned(state) ? state.expiresAt : undefined,
    signed_at: state.signed?.signedAt,
  }),
};
