import { openPayees } from '../payee/payment-payees.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import type { Profile } from '../profile/profile.js';

/** The events with which all payees of a payment match; none if no payee has to be verified. */
export const matchingPayees = (
  state: PaymentState,
  profile: Pick<Profile, 'payeeVerification'>,
  at: string,
): PaymentEvent[] => {
  const payees = openPayees(state, profile).map((payee) => ({ ...payee, verdict: 'MATCH' as const }));
  if (payees.length === 0) return [];
  const asked = { authorisationId: state.paymentId, requestId: 'r', askedAt: at, answeredAt: at };
  const texts = { language: 'bg', textsVersion: 'v' };
  return [{ type: 'payee-verified', data: { ...asked, ...texts, isOptedOut: false, payees } }];
};
