import { instantProduct } from '@xs2a/domain/payment/instant/instant-payments';

/** SQL condition: the row of `payment_view` is an instant payment or a bulk payment of them. The index `payment_instant_due` has the same one. */
export const isInstantRow = `product = '${instantProduct}'`;
