import { signingRows } from '../sca/authorisations.js';
import type { BasketEventType } from './basket-events.js';

/** ISO 20022 status codes of a basket (Berlin Group, transactionStatus_SBS). */
export const basketStatuses = ['RCVD', 'PATC', 'ACTC', 'ACSC', 'RJCT', 'CANC'] as const;
export type BasketStatus = (typeof basketStatuses)[number];

/** The stage of a basket: its status or, before creation, whether it can still be created. */
export type BasketStage =
  | 'opening'
  | 'abandoned'
  | 'received'
  | 'partlySigned'
  | 'signed'
  | 'completed'
  | 'rejected'
  | 'cancelled';

interface Row {
  /** Absent while the basket is hidden from TPPs. */
  readonly status?: BasketStatus;
  readonly on: Readonly<Partial<Record<BasketEventType, BasketStage>>>;
}

const signing = signingRows<BasketEventType, BasketStage>(
  {
    started: 'basket-authorisation-started',
    identified: 'basket-signer-identified',
    partlySigned: 'basket-partly-signed',
    signed: 'basket-signed',
    rejected: 'basket-rejected',
  },
  { received: 'received', partlySigned: 'partlySigned', signed: 'signed', rejected: 'rejected' },
);

/**
 * The lifecycle of a signing basket (contract 10): stage × event → next stage. Pairs that are not listed cannot
 * happen.
 */
export const basketLifecycle: Readonly<Record<BasketStage, Row>> = {
  opening: { on: { 'basket-created': 'received', 'basket-abandoned': 'abandoned' } },
  abandoned: { on: { 'basket-items-updated': 'abandoned' } },
  received: { status: 'RCVD', on: { ...signing.received, 'basket-cancelled': 'cancelled' } },
  partlySigned: { status: 'PATC', on: signing.partlySigned },
  signed: { status: 'ACTC', on: { 'basket-items-updated': 'signed', 'basket-completed': 'completed' } },
  completed: { status: 'ACSC', on: {} },
  rejected: { status: 'RJCT', on: { 'basket-items-updated': 'rejected' } },
  cancelled: { status: 'CANC', on: { 'basket-items-updated': 'cancelled' } },
};

/**
 * The stage after an event; undefined if the event is not allowed in that stage. Only `basket-opened` starts a
 * basket.
 */
export function nextBasketStage(
  stage: BasketStage | undefined,
  event: BasketEventType,
): BasketStage | undefined {
  if (stage === undefined) return event === 'basket-opened' ? 'opening' : undefined;
  return basketLifecycle[stage].on[event];
}

const canHappen = (stage: BasketStage, event: BasketEventType): boolean =>
  nextBasketStage(stage, event) !== undefined;

/** The status that the TPP sees; undefined for a basket that was never created. */
export const findBasketStatus = (stage: BasketStage): BasketStatus | undefined =>
  basketLifecycle[stage].status;

/** True while the basket waits for a signature. */
export const awaitsSignature = (stage: BasketStage): boolean => canHappen(stage, 'basket-signed');

/** True if the TPP may delete the basket: only before the first signature. */
export const isCancellable = (stage: BasketStage): boolean => canHappen(stage, 'basket-cancelled');

/** True if the basket's status can no longer change. */
export const isFinalBasket = (stage: BasketStage): boolean =>
  Object.values(basketLifecycle[stage].on).every((next) => next === stage);
