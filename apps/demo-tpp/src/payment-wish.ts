/** A domestic payment as the person filled it in. */
export interface PaymentWish {
  readonly debtorIban: string;
  readonly amount: string;
  readonly creditorName: string;
  readonly creditorIban: string;
  readonly remittance: string;
}

/** The members that a payment and a standing order have alike. */
export const paymentBody = (wish: PaymentWish): Readonly<Record<string, unknown>> => ({
  debtorAccount: { iban: wish.debtorIban },
  instructedAmount: { amount: wish.amount, currency: 'BGN' },
  creditorAccount: { iban: wish.creditorIban },
  creditorName: wish.creditorName,
  remittanceInformationUnstructured: wish.remittance,
  serviceLevel: 'NURG',
});
