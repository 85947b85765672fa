import type { BasketEventType } from '../basket/basket-events.js';
import type { PaymentEventType } from './payment-events.js';

/**
 * The event types that a payment, order, bulk payment or basket can lose without making settlement unsafe. Either
 * the step (start, signature or settlement) is repeated before money moves, or the money has already moved, which
 * happens only once.
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
  'payee-verified',
  'partly-signed',
  'signed',
  'brought-forward',
  'settlement-started',
  'instant-answered',
  'settled',
  'entry-booked',
  'transaction-planned',
  'transaction-started',
  'transaction-answered',
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
 * True if a payment that lost an event of this type must not be settled automatically, because the payment may
 * have been cancelled, rejected or refused due to insufficient funds, and someone may have been informed. Also
 * true for an unknown type.
 */
export const mayForbidSettlement = (type: string): boolean => !settleable.has(type);

/**
 * True if an event of this type ends a single occurrence of an order or a single entry of a bulk payment, not the
 * whole payment.
 */
export const endsTransaction = (type: string): boolean =>
  type === 'transaction-refused' || type === 'transaction-rejected';
