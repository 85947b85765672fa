import { isInstant } from '@xs2a/domain/payment/instant/instant-payments';
import { type PaymentState, getReasonCode, getService, listOrders } from '@xs2a/domain/payment/payment-state';
import { awaitsSignature, isGroupedPayment } from '@xs2a/domain/payment/payment-transitions';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import { nextDueAt } from '@xs2a/domain/payment/settlement/due';
import { listAwaited, listSigners } from '@xs2a/domain/sca/authorisations';
import type { InlineView } from '@xs2a/event-store/streams/inline-view';
import { dueLane } from './due-lane.js';

const isForSeveral = ({ signaturesRequired }: PaymentState): boolean => signaturesRequired > 1;

/** Returns the only signer: the PSU who has signed or is about to sign. */
const findPsu = ({ authorisations }: PaymentState): string | undefined =>
  authorisations.find(({ scaStatus }) => scaStatus === 'finalised')?.psuId ??
  authorisations.find(({ psuId }) => psuId !== undefined)?.psuId;

const lastSignature = ({ authorisations }: PaymentState): string | undefined =>
  authorisations
    .flatMap(({ signedAt }) => signedAt ?? [])
    .sort()
    .at(-1);

/** Returns until when a payment waits for its signature (ISO instant); undefined if it does not, or only as part of a basket. */
export const unsignedUntil = (state: PaymentState): string | undefined =>
  awaitsSignature(state) && !isGroupedPayment(state) ? state.expiresAt : undefined;

/**
 * The status view: values that are used for lookups, read often or mark due work are columns; the whole payment is
 * in `state`.
 */
export const paymentView: InlineView<PaymentState> = {
  table: 'payment_view',
  columns: {
    tpp_id: 'text',
    service: 'text',
    product: 'text',
    status: 'text',
    funds_available: 'boolean',
    rejection_reason: 'text',
    reason_code: 'text',
    psu_id: 'text',
    unsigned_until: 'timestamptz',
    signed_at: 'timestamptz',
    signers: 'jsonb',
    awaited: 'jsonb',
    due_at: 'timestamptz',
    due_lane: 'bigint',
    notified: 'boolean',
    created_at: 'timestamptz',
    amount_minor: 'bigint',
    currency: 'text',
  },
  personalColumns: ['psu_id', 'signers', 'awaited', 'due_lane', 'notified'],
  hashedColumns: ['due_lane'],
  row: (state, hash) => {
    const dueAt = nextDueAt(state);
    const { minor, currency } = total(listOrders(state).map(({ amount }) => amount));
    return {
      tpp_id: state.tppId,
      service: getService(state),
      product: state.product,
      status: state.status,
      funds_available: state.fundsAvailable,
      rejection_reason: state.rejectionReason,
      reason_code: getReasonCode(state),
      psu_id: isForSeveral(state) ? undefined : findPsu(state),
      unsigned_until: unsignedUntil(state),
      signed_at: lastSignature(state),
      signers: isForSeveral(state) ? listSigners(state) : undefined,
      awaited: unsignedUntil(state) === undefined ? undefined : listAwaited(state),
      due_at: dueAt,
      // An instant payment is not read by lane, because it does not wait for others of its account.
      due_lane: dueAt === undefined || isInstant(state) ? undefined : dueLane(state, hash),
      notified: state.notification === undefined ? undefined : true,
      created_at: state.createdAt,
      amount_minor: minor,
      currency,
    };
  },
};
