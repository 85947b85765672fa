/** A domestic payment as the person filled it in. */
export interface PaymentWish {
  readonly debtorIban: string;
  readonly amount: string;
  readonly creditorName: string;
  readonly creditorIban: string;
  readonly remittance: string;
}

/** The members that a payment, one to the budget and a standing order have alike. */
export const paymentBody = (wish: PaymentWish): Readonly<Record<string, unknown>> => ({
  debtorAccount: { iban: wish.debtorIban },
  instructedAmount: { amount: wish.amount, currency: 'BGN' },
  creditorAccount: { iban: wish.creditorIban },
  creditorName: wish.creditorName,
  remittanceInformationUnstructured: wish.remittance,
  serviceLevel: 'NURG',
});

/** Reads the fields that every payment's form has. */
export const readPayment = (form: URLSearchParams): PaymentWish => {
  const field = (name: keyof PaymentWish): string => (form.get(name) ?? '').trim();
  const iban = (name: keyof PaymentWish): string => field(name).replaceAll(/\s/g, '').toUpperCase();
  return {
    debtorIban: iban('debtorIban'),
    amount: field('amount'),
    creditorName: field('creditorName'),
    creditorIban: iban('creditorIban'),
    remittance: field('remittance'),
  };
};
