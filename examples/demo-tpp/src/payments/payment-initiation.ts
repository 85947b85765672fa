import type { TppMessage } from '../bank/bank.js';
import type { Initiations } from '../bank/initiations.js';
import { type EnteredBudgetPayment, budgetBody } from '../budget/entered-budget-payment.js';
import { paymentBody, type EnteredPayment } from './entered-payment.js';
import type { KnownPayment, Session } from '../page/sessions.js';

const paths = {
  domestic: '/v1/payments/domestic-credit-transfer-BGN',
  budget: '/v1/payments/domestic-budget-transfer-BGN',
} as const;

export interface PaymentState {
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
export type Begun = { readonly scaRedirect: string } | { readonly refused: readonly TppMessage[] };

/** The payment initiation side: the payment at the bank, the person's signature there, and the status afterwards. */
export class PaymentInitiation {
  constructor(private readonly initiations: Initiations) {}

  async begin(session: Session, entered: EnteredPayment, psuIp: string): Promise<Begun> {
    return this.beginAt(paths.domestic, session, entered, paymentBody(entered), psuIp);
  }

  async beginToBudget(session: Session, entered: EnteredBudgetPayment, psuIp: string): Promise<Begun> {
    return this.beginAt(paths.budget, session, entered, budgetBody(entered), psuIp);
  }

  /** The status of the payment at the bank; undefined: it no longer exists there. */
  async state({ bankPath, resourceId }: KnownPayment): Promise<PaymentState | undefined> {
    return this.initiations.read<PaymentState>(`${bankPath}/${resourceId}/status`);
  }

  private async beginAt(
    bankPath: string,
    session: Session,
    { amount, creditorName }: EnteredPayment,
    body: unknown,
    psuIp: string,
  ): Promise<Begun> {
    const psu = { id: session.connection?.psuId, ip: psuIp };
    const outcome = await this.initiations.begin({ bankPath, ownPath: '/payments' }, body, psu);
    if ('refused' in outcome) return outcome;
    const { id, resourceId, scaRedirect } = outcome;
    session.payments.set(id, { bankPath, resourceId, amount, currency: 'BGN', creditorName });
    return { scaRedirect };
  }
}
