import type { BasketEventType } from './basket-events.js';

/** ISO 20022 codes that a basket can have (Berlin Group, transactionStatus_SBS). */
export const basketStatuses = ['RCVD', 'PATC', 'ACTC', 'ACSC', 'RJCT', 'CANC'] as const;
export type BasketStatus = (typeof basketStatuses)[number];

/** The stage of a basket: its status, and before it is created, whether it can still be. */
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
  /** Absent: no TPP sees it. */
  readonly status?: BasketStatus;
  readonly on: Readonly<Partial<Record<BasketEventType, BasketStage>>>;
}

/** The life of a signing basket (contract 10): stage × event → next stage. What is not here cannot happen. */
export const basketLifecycle: Readonly<Record<BasketStage, Row>> = {
  opening: { on: { 'basket-created': 'received', 'basket-abandoned': 'abandoned' } },
  abandoned: { on: { 'basket-items-updated': 'abandoned' } },
  received: {
    status: 'RCVD',
    on: {
      'basket-authorisation-started': 'received',
      'basket-signer-identified': 'received',
      'basket-partly-signed': 'partlySigned',
      'basket-signed': 'signed',
      'basket-rejected': 'rejected',
      'basket-cancelled': 'cancelled',
    },
  },
  partlySigned: {
    status: 'PATC',
    on: {
      'basket-authorisation-started': 'partlySigned',
      'basket-signer-identified': 'partlySigned',
      'basket-partly-signed': 'partlySigned',
      'basket-signed': 'signed',
      'basket-rejected': 'rejected',
    },
  },
  signed: { status: 'ACTC', on: { 'basket-items-updated': 'signed', 'basket-completed': 'completed' } },
  completed: { status: 'ACSC', on: {} },
  rejected: { status: 'RJCT', on: { 'basket-items-updated': 'rejected' } },
  cancelled: { status: 'CANC', on: { 'basket-items-updated': 'cancelled' } },
};

/** The stage after an event; undefined when it cannot happen there. Only `basket-opened` happens to no basket yet. */
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

/** True while it waits for its signature, or for one of several. */
export const awaitsSignature = (stage: BasketStage): boolean => canHappen(stage, 'basket-signed');

/** May the TPP dissolve it? Before the first signature alone. */
export const isCancellable = (stage: BasketStage): boolean => canHappen(stage, 'basket-cancelled');

/** True when its status never changes again. */
export const isFinalBasket = (stage: BasketStage): boolean =>
  Object.values(basketLifecycle[stage].on).every((next) => next === stage);
