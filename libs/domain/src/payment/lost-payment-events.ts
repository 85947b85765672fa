import type { BasketEventType } from '../basket/basket-events.js';
import type { PaymentEventType } from './payment-events.js';

/**
 * The events that a payment, order, bulk or basket may lose and still be settled without harm: it is started, signed or settled
 * again before the money moves, or the money has moved, which happens only once.
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
 * True if a payment that lost an event of this type must not be settled automatically: it was cancelled, rejected or refused for
 * lack of funds, and someone was informed. Also true for an unknown type.
 */
export const mayForbidSettlement = (type: string): boolean => !settleable.has(type);

/** True if an event of this type ends one occurrence of an order or one entry of a bulk, and not the whole payment. */
export const endsTransaction = (type: string): boolean => type === 'transaction-refused';
