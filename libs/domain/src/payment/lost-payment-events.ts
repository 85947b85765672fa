import type { BasketEventType } from '../basket/basket-events.js';
import type { PaymentEventType } from './payment-events.js';

/**
 * What a payment, order, bulk or basket may have been through, and lost, without anybody being wronged by its settlement: it
 * is begun, signed or settled again before the money moves, or the money moved and moves only once.
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
 * Whether a payment whose event of this type was lost must not be settled just so: it was cancelled, rejected or refused for
 * want of funds, and somebody was told so. Also a type that is not known here.
 */
export const mayForbidSettlement = (type: string): boolean => !settleable.has(type);

/** True if an event of this type ends one occurrence of an order or one entry of a bulk, and not the payment. */
export const endsTransaction = (type: string): boolean => type === 'transaction-refused';
