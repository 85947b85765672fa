/** A domestic payment as the person filled it in. */
export interface EnteredPayment {
  readonly debtorIban: string;
  readonly amount: string;
  readonly creditorName: string;
  readonly creditorIban: string;
  readonly remittance: string;
}

/** The common members of a payment, a payment to the budget and a standing order. */
export const paymentBody = (entered: EnteredPayment): Readonly<Record<string, unknown>> => ({
  debtorAccount: { iban: entered.debtorIban },
  instructedAmount: { amount: entered.amount, currency: 'BGN' },
  creditorAccount: { iban: entered.creditorIban },
  creditorName: entered.creditorName,
  remittanceInformationUnstructured: entered.remittance,
  serviceLevel: 'NURG',
});

/** Reads the fields that every payment's form has. */
export const readPayment = (form: URLSearchParams): EnteredPayment => {
  const field = (name: keyof EnteredPayment): string => (form.get(name) ?? '').trim();
  const iban = (name: keyof EnteredPayment): string => field(name).replaceAll(/\s/g, '').toUpperCase();
  return {
    debtorIban: iban('debtorIban'),
    amount: field('amount'),
    creditorName: field('creditorName'),
    creditorIban: iban('creditorIban'),
    remittance: field('remittance'),
  };
};
