import type { TppMessage } from './bank/bank.js';
import type { InitiationKind, Initiations } from './bank/initiations.js';
import { paymentBody, type PaymentWish } from './payment-wish.js';
import type { KnownPayment, Session } from './sessions.js';

const kind: InitiationKind = {
  bankPath: '/v1/payments/domestic-credit-transfer-BGN',
  ownPath: '/payments',
};

export interface PaymentState {
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
export type Begun = { readonly scaRedirect: string } | { readonly refused: readonly TppMessage[] };

/** The payment initiation side: the payment at the bank, the person's signature there, and then watching it. */
export class PaymentInitiation {
  constructor(private readonly initiations: Initiations) {}

  async begin(session: Session, wish: PaymentWish, psuIp: string): Promise<Begun> {
    const psu = { id: session.connection?.psuId, ip: psuIp };
    const outcome = await this.initiations.begin(kind, paymentBody(wish), psu);
    if ('refused' in outcome) return outcome;
    const { id, paymentId, scaRedirect } = outcome;
    const { amount, creditorName } = wish;
    session.payments.set(id, { paymentId, amount, currency: 'BGN', creditorName });
    return { scaRedirect };
  }

  /** Where it stands at the bank; undefined: the bank does not know it any more. */
  async state({ paymentId }: KnownPayment): Promise<PaymentState | undefined> {
    return this.initiations.read<PaymentState>(`${kind.bankPath}/${paymentId}/status`);
  }
}
