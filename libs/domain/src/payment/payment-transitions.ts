import type { PaymentEventType } from './payment-events.js';
import type { BulkEntry, PaymentStatus } from './payment-state.js';
import { getService } from './payment-state.js';
import { type PaymentService, paymentServices } from './payment-services.js';
import { signingRows } from '../sca/authorisations.js';

/**
 * The stage of a payment initiation. Stages are more detailed than the ISO status, because ACCP covers several of
 * them: accepted but unsigned, signed and waiting for its day, a bulk payment with refused entries, and finally
 * unfunded.
 */
export type PaymentStage =
  | 'received'
  | 'partlySigned'
  | 'accepted'
  | 'signed'
  | 'refusing'
  | 'unfunded'
  | 'settling'
  | 'answered'
  | 'running'
  | 'settled'
  | 'partlySettled'
  | 'rejected'
  | 'cancelled';

interface Row {
  readonly status: PaymentStatus;
  readonly on: Readonly<Partial<Record<PaymentEventType, PaymentStage>>>;
}
/** Stage × event → next stage. Pairs that are not listed cannot happen. */
export type Lifecycle = Readonly<Partial<Record<PaymentStage, Row>>>;

const signing = signingRows<PaymentEventType, PaymentStage>(
  {
    started: 'authorisation-started',
    identified: 'signer-identified',
    partlySigned: 'partly-signed',
    signed: 'signed',
    rejected: 'rejected',
  },
  { received: 'received', partlySigned: 'partlySigned', signed: 'signed', rejected: 'rejected' },
);
/** A single signer is accepted before the signature; of several, the first signature is never the last. */
const { signed: _never, ...received } = signing.received;

const untilSigned = {
  received: {
    status: 'RCVD',
    on: { ...received, accepted: 'accepted', 'payee-verified': 'received', cancelled: 'cancelled' },
  },
  partlySigned: {
    status: 'PATC',
    on: { ...signing.partlySigned, 'payee-verified': 'partlySigned', cancelled: 'cancelled' },
  },
  accepted: {
    status: 'ACCP',
    on: {
      'authorisation-started': 'accepted',
      accepted: 'accepted',
      'payee-verified': 'accepted',
      signed: 'signed',
      rejected: 'rejected',
      cancelled: 'cancelled',
    },
  },
  rejected: { status: 'RJCT', on: {} },
} as const satisfies Lifecycle;

/** The transitions by which a signing basket claims a payment in RCVD and releases it (contract 10). */
const untilSignedOrGrouped = {
  ...untilSigned,
  received: {
    status: 'RCVD',
    on: { ...untilSigned.received.on, grouped: 'received', ungrouped: 'received' },
  },
} as const satisfies Lifecycle;

/**
 * The lifecycle of a single payment (spec 3.1, 3.3; contract 8, 10). An instant payment is answered before its hold is
 * posted or voided, and may be rejected after the signature (euro contract, E3).
 */
const singlePayment: Lifecycle = {
  ...untilSignedOrGrouped,
  signed: {
    status: 'ACCP',
    on: {
      'brought-forward': 'signed',
      'converted-to-euro': 'signed',
      'settlement-started': 'settling',
      'funds-refused': 'unfunded',
      'instant-rejected': 'rejected',
      cancelled: 'cancelled',
    },
  },
  unfunded: { status: 'ACCP', on: {} },
  settling: {
    status: 'ACSP',
    on: { settled: 'settled', 'entry-booked': 'settling', 'instant-answered': 'answered' },
  },
  answered: {
    status: 'ACSP',
    on: { settled: 'settled', 'instant-rejected': 'rejected', 'instant-answered-late': 'answered' },
  },
  settled: { status: 'ACSC', on: { 'entry-booked': 'settled' } },
  rejected: { status: 'RJCT', on: { 'instant-answered-late': 'rejected' } },
  cancelled: { status: 'CANC', on: {} },
};

/**
 * The lifecycle of a periodic order (spec 3.2, contract 9). The status is ACSP from the first executed occurrence
 * on; an occurrence that lacks funds does not change it. If the order is cancelled while the funds of an
 * occurrence are held, that occurrence is still posted.
 */
const periodicOrder: Lifecycle = {
  ...untilSigned,
  signed: {
    status: 'ACCP',
    on: {
      'transaction-planned': 'signed',
      'brought-forward': 'signed',
      'converted-to-euro': 'signed',
      'transaction-started': 'running',
      'transaction-refused': 'signed',
      completed: 'settled',
      cancelled: 'cancelled',
    },
  },
  running: {
    status: 'ACSP',
    on: {
      'transaction-planned': 'running',
      'brought-forward': 'running',
      'converted-to-euro': 'running',
      'transaction-started': 'running',
      'transaction-settled': 'running',
      'transaction-refused': 'running',
      completed: 'settled',
      cancelled: 'cancelled',
    },
  },
  settled: { status: 'ACSC', on: {} },
  cancelled: { status: 'CANC', on: { 'transaction-settled': 'cancelled' } },
};

/** The lifecycle of a bulk payment (contract 9), which can be cancelled until the first hold or the first refusal. */
const bulkPayment: Lifecycle = {
  ...untilSignedOrGrouped,
  signed: {
    status: 'ACCP',
    on: {
      'brought-forward': 'signed',
      'converted-to-euro': 'signed',
      'transaction-started': 'settling',
      'transaction-refused': 'refusing',
      'transaction-rejected': 'settling',
      cancelled: 'cancelled',
    },
  },
  refusing: {
    status: 'ACCP',
    on: {
      'transaction-started': 'settling',
      'transaction-refused': 'refusing',
      'funds-refused': 'unfunded',
    },
  },
  unfunded: { status: 'ACCP', on: {} },
  settling: {
    status: 'ACSP',
    on: {
      'transaction-started': 'settling',
      'transaction-settled': 'settling',
      'transaction-refused': 'settling',
      'transaction-answered': 'settling',
      'transaction-rejected': 'settling',
      'instant-answered-late': 'settling',
      completed: 'settled',
      'partly-completed': 'partlySettled',
      'instant-rejected': 'rejected',
    },
  },
  settled: { status: 'ACSC', on: {} },
  partlySettled: { status: 'PART', on: { 'instant-answered-late': 'partlySettled' } },
  rejected: { status: 'RJCT', on: { 'instant-answered-late': 'rejected' } },
  cancelled: { status: 'CANC', on: {} },
};

export const lifecycles: Readonly<Record<PaymentService, Lifecycle>> = {
  payments: singlePayment,
  'periodic-payments': periodicOrder,
  'bulk-payments': bulkPayment,
};

/** The first event of each payment service. */
const beginnings = {
  initiated: 'payments',
  'order-initiated': 'periodic-payments',
  'bulk-initiated': 'bulk-payments',
} as const satisfies Partial<Record<PaymentEventType, PaymentService>>;
export type InitiatingEventType = keyof typeof beginnings;
export const initiatingEventTypes = Object.keys(beginnings) as readonly InitiatingEventType[];
const isInitiating = (event: PaymentEventType): event is InitiatingEventType => event in beginnings;

/** The state members of an initiation that determine its stage. */
export interface StatusFields {
  readonly service?: PaymentService;
  readonly status: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly signed?: unknown;
  /** Present only for an instant payment whose amount is held. */
  readonly instant?: { readonly answer?: unknown };
  /** Present only for a bulk payment. */
  readonly entries?: readonly Pick<BulkEntry, 'fundsAvailable'>[];
}

/** A payment service and a stage in its lifecycle. */
export interface PaymentPlace {
  readonly service: PaymentService;
  readonly stage: PaymentStage;
}

const stageByStatus: Readonly<Record<Exclude<PaymentStatus, 'ACCP' | 'ACSP'>, PaymentStage>> = {
  RCVD: 'received',
  PATC: 'partlySigned',
  ACSC: 'settled',
  PART: 'partlySettled',
  RJCT: 'rejected',
  CANC: 'cancelled',
};

export function deriveStage(payment: StatusFields): PaymentStage {
  const { status, signed, fundsAvailable, instant, entries = [] } = payment;
  if (status === 'ACSP') {
    if (getService(payment) === 'periodic-payments') return 'running';
    return instant?.answer === undefined ? 'settling' : 'answered';
  }
  if (status !== 'ACCP') return stageByStatus[status];
  if (fundsAvailable === false) return 'unfunded';
  if (entries.some((entry) => entry.fundsAvailable === false)) return 'refusing';
  return signed === undefined ? 'accepted' : 'signed';
}

/**
 * The payment service and stage after an event; undefined if the event is not allowed in the current stage. An
 * initiation can start only with an initiating event.
 */
export function nextPlace(
  place: PaymentPlace | undefined,
  event: PaymentEventType,
): PaymentPlace | undefined {
  if (place === undefined) {
    return isInitiating(event) ? { service: beginnings[event], stage: 'received' } : undefined;
  }
  const stage = lifecycles[place.service][place.stage]?.on[event];
  return stage === undefined ? undefined : { service: place.service, stage };
}

const getPlace = (payment: StatusFields): PaymentPlace => ({
  service: getService(payment),
  stage: deriveStage(payment),
});

/** The status of a stage; undefined if the payment service has no such stage. */
export const statusAt = ({ service, stage }: PaymentPlace): PaymentStatus | undefined =>
  lifecycles[service][stage]?.status;

/** The status after an event; undefined if the event is not allowed in the current stage. */
export function nextStatus(
  payment: StatusFields | undefined,
  event: PaymentEventType,
): PaymentStatus | undefined {
  const next = nextPlace(payment === undefined ? undefined : getPlace(payment), event);
  return next === undefined ? undefined : statusAt(next);
}

/** True if no event leads from the stage to another one. */
const isFinalPlace = ({ service, stage }: PaymentPlace): boolean =>
  Object.values(lifecycles[service][stage]?.on ?? {}).every((next) => next === stage);

/** True if neither the status nor the funds flag can change any more, because no event leads to another stage. */
export const isFinal = (payment: StatusFields): boolean => isFinalPlace(getPlace(payment));

/** The events after which a payment has ended, whatever its payment service, with its final status. */
export const endingEvents: ReadonlyMap<string, PaymentStatus> = new Map(
  paymentServices.flatMap((service) =>
    Object.entries(lifecycles[service]).flatMap(([stage, { on }]) =>
      Object.entries(on).flatMap(([event, next]): [string, PaymentStatus][] => {
        const status = statusAt({ service, stage: next });
        const isEnd = next !== stage && isFinalPlace({ service, stage: next });
        return isEnd && status !== undefined ? [[event, status]] : [];
      }),
    ),
  ),
);

const canHappen = (payment: StatusFields, event: PaymentEventType): boolean =>
  nextStatus(payment, event) !== undefined;

/** True while the payment waits for a signature. */
export const awaitsSignature = (payment: StatusFields): boolean => canHappen(payment, 'rejected');

/** True if the due time of what is signed may still be moved: its settlement has not begun (contract 13). */
export const canBeBroughtForward = (payment: StatusFields): boolean => canHappen(payment, 'brought-forward');

/** True if the TPP may cancel the payment, signed or not (spec 3.3, contract 9). */
export const isCancellable = (payment: StatusFields): boolean => canHappen(payment, 'cancelled');

/**
 * True while the payment is in an undecided basket and cannot be signed, cancelled or grouped separately (contract
 * 10).
 */
export const isGroupedPayment = ({
  basketId,
  status,
}: {
  readonly basketId?: string;
  readonly status: PaymentStatus;
}): boolean => basketId !== undefined && status === 'RCVD';
