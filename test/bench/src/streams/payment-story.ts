import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { Decision } from '@xs2a/domain/decision';
import { acceptPayment, signPayment } from '@xs2a/domain/payment/authorise-payment';
import { evolvePayment } from '@xs2a/domain/payment/evolve-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Customer } from '../world/customers.js';

const makeFacts = ({ iban, psuId }: Customer): AccountFacts => ({
  iban,
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 1,
  ownerPsuId: psuId,
});

/** The events of a payment so far, and the resulting state. */
export class PaymentStory {
  readonly events: PaymentEvent[] = [];
  private folded: PaymentState | undefined;

  /** `createdAt`: the ISO instant of the POST. */
  constructor(private readonly createdAt: string) {}

  get state(): PaymentState {
    if (this.folded === undefined) throw new Error('the payment has no event yet');
    return this.folded;
  }

  add(events: readonly PaymentEvent[]): void {
    this.events.push(...events);
    this.folded = events.reduce<PaymentState | undefined>(
      (state, event) => evolvePayment(state, event, this.createdAt),
      this.folded,
    );
  }

  decided(decision: Decision<PaymentEvent>): void {
    if ('refused' in decision)
      throw new Error(`a generated payment was refused: ${decision.refused.failure}`);
    this.add(decision.events);
  }

  /** Accepts the payer and lets the payer sign. `now`: ISO instant. */
  sign(payer: Customer, authorisationId: string, now: string, profile: Profile): void {
    const by = { authorisationId, psuId: payer.psuId, now };
    const debtor = { account: makeFacts(payer), ownedByPsu: true };
    this.decided(acceptPayment(this.state, { ...by, debtor }, profile));
    this.decided(signPayment(this.state, by, profile));
  }
}
