import { instantProduct } from '@xs2a/domain/payment/instant/instant-payments';

/** SQL condition: the row of `payment_view` is a single instant payment. The index `payment_instant_due` has the same one. */
export const isInstantRow = `service = 'payments' AND product = '${instantProduct}'`;
