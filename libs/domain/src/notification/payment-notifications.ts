import type { PaymentState } from '../payment/payment-state.js';
import { isFinal } from '../payment/payment-transitions.js';
import type { Notifiable } from './status-notification.js';

/** A payment as far as its TPP is told of it. */
export const notifiablePayment = (state: PaymentState): Notifiable => ({
  status: state.status,
  isFinal: isFinal(state),
  ...(state.fundsAvailable === undefined ? {} : { fundsAvailable: state.fundsAvailable }),
  authorisations: state.authorisations,
});
