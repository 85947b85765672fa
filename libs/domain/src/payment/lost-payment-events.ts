import type { BasketEventType } from '../basket/basket-events.js';
import type { PaymentEventType } from './payment-events.js';

/**
 * The event types that a payment, order, bulk or basket may lose without making settlement unsafe: either it is
 * started, signed or settled again before money moves, or the money has moved, which happens only once.
 */
const settleable: ReadonlySet<string> = new Set<PaymentEventType | BasketEventType>([
  'initiated',
  'order-initiated',
  'bulk-initiated',
  'authorisation-started',
  'grouped',
  'ungrouped',
  'accepted',
  'signer-identified',
  'partly-signed',
  'signed',
  'settlement-started',
  'settled',
  'entry-booked',
  'transaction-planned',
  'transaction-started',
  'transaction-settled',
  'completed',
  'partly-completed',
  'basket-opened',
  'basket-created',
  'basket-abandoned',
  'basket-authorisation-started',
  'basket-signer-identified',
  'basket-partly-signed',
  'basket-signed',
  'basket-items-updated',
  'basket-completed',
]);

/**
 * True if a payment that lost an event of this type must not be settled automatically, because it was cancelled,
 * rejected or refused for lack of funds and someone was informed. Also true for an unknown type.
 */
export const mayForbidSettlement = (type: string): boolean => !settleable.has(type);

/** True if an event of this type ends a single occurrence of an order or entry of a bulk, not the whole payment. */
export const endsTransaction = (type: string): boolean => type === 'transaction-refused';
