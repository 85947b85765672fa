import type { PaymentEventType } from './payment-events.js';
import type { PaymentState, PaymentStatus } from './payment-state.js';

/**
 * Where a single payment stands. Finer than the ISO status, since ACCP means three things: accepted but not signed,
 * signed and waiting for its day, and final without funds.
 */
export type PaymentStage =
  | 'received'
  | 'partlySigned'
  | 'accepted'
  | 'signed'
  | 'unfunded'
  | 'settling'
  | 'settled'
  | 'rejected'
  | 'cancelled';

interface Row {
  readonly status: PaymentStatus;
  readonly on: Readonly<Partial<Record<PaymentEventType, PaymentStage>>>;
}

/** The life of a single payment (spec 3.1, 3.3; contract 8, 10): stage × event → next stage. What is not here cannot happen. */
export const paymentLifecycle: Readonly<Record<PaymentStage, Row>> = {
  received: {
    status: 'RCVD',
    on: {
      'authorisation-started': 'received',
      'signer-identified': 'received',
      'partly-signed': 'partlySigned',
      accepted: 'accepted',
      rejected: 'rejected',
      cancelled: 'cancelled',
    },
  },
  partlySigned: {
    status: 'PATC',
    on: {
      'authorisation-started': 'partlySigned',
      'signer-identified': 'partlySigned',
      'partly-signed': 'partlySigned',
      signed: 'signed',
      rejected: 'rejected',
      cancelled: 'cancelled',
    },
  },
  accepted: {
    status: 'ACCP',
    on: {
      'authorisation-started': 'accepted',
      accepted: 'accepted',
      signed: 'signed',
      rejected: 'rejected',
      cancelled: 'cancelled',
    },
  },
  signed: {
    status: 'ACCP',
    on: { 'settlement-started': 'settling', 'funds-refused': 'unfunded', cancelled: 'cancelled' },
  },
  unfunded: { status: 'ACCP', on: {} },
  settling: { status: 'ACSP', on: { settled: 'settled', 'entry-booked': 'settling' } },
  settled: { status: 'ACSC', on: { 'entry-booked': 'settled' } },
  rejected: { status: 'RJCT', on: {} },
  cancelled: { status: 'CANC', on: {} },
};

export const paymentStages = Object.keys(paymentLifecycle).filter(
  (name): name is PaymentStage => name in paymentLifecycle,
);

/** The part of a payment's state that tells its stage. */
export type Standing = Pick<PaymentState, 'status' | 'fundsAvailable'> & { readonly signed?: unknown };

const stageByStatus: Readonly<Record<Exclude<PaymentStatus, 'ACCP'>, PaymentStage>> = {
  RCVD: 'received',
  PATC: 'partlySigned',
  ACSP: 'settling',
  ACSC: 'settled',
  RJCT: 'rejected',
  CANC: 'cancelled',
};

export function stageOf({ status, signed, fundsAvailable }: Standing): PaymentStage {
  if (status !== 'ACCP') return stageByStatus[status];
  if (fundsAvailable === false) return 'unfunded';
  return signed === undefined ? 'accepted' : 'signed';
}

/** The stage after an event; undefined when it cannot happen there. Only `initiated` happens to no payment yet. */
export function nextStage(
  stage: PaymentStage | undefined,
  event: PaymentEventType,
): PaymentStage | undefined {
  if (stage === undefined) return event === 'initiated' ? 'received' : undefined;
  return paymentLifecycle[stage].on[event];
}

/** The status after an event; undefined when it cannot happen there. */
export function nextStatus(
  standing: Standing | undefined,
  event: PaymentEventType,
): PaymentStatus | undefined {
  const next = nextStage(standing === undefined ? undefined : stageOf(standing), event);
  return next === undefined ? undefined : paymentLifecycle[next].status;
}

/** True when the status (with its funds flag) will never change: no event leads to another stage. */
export function isFinal(standing: Standing): boolean {
  const stage = stageOf(standing);
  return Object.values(paymentLifecycle[stage].on).every((next) => next === stage);
}

/** True while it waits for its signature, or for one of several. */
export const awaitsSignature = (standing: Standing): boolean =>
  nextStage(stageOf(standing), 'rejected') !== undefined;

/** May the TPP cancel (spec 3.3)? Signed or not makes no difference. */
export const isCancellable = (status: PaymentStatus, fundsAvailable?: boolean): boolean =>
  nextStage(stageOf({ status, fundsAvailable }), 'cancelled') !== undefined;
