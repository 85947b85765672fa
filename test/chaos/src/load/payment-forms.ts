import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { bulkPath, domesticPath, domesticPayment } from '@xs2a/test-support/requests';

/** The rules of the bank that a fault run can use. */
export const chaosProfiles = ['sandbox', 'bg-euro'] as const;
export type ChaosProfile = (typeof chaosProfiles)[number];

type Json = Readonly<Record<string, unknown>>;

/** The paths and bodies with which clients pay by credit transfer. */
export interface PaymentForms {
  readonly singlePath: string;
  readonly orderPath: string;
  readonly bulkPath: string;
  /** Whether payees are verified before the signature. */
  readonly verifiesPayees: boolean;
  /** Builds the body of a payment. `minor`: the amount in minor units of the bank's currency. */
  transfer(debtorIban: string, creditorIban: string, minor: number): Json;
}

const orderPath = '/v1/periodic-payments/domestic';
export const formatMinor = (minor: number): string => (minor / 100).toFixed(2);

export const formsInLev: PaymentForms = {
  singlePath: domesticPath,
  orderPath,
  bulkPath,
  verifiesPayees: false,
  transfer: (debtorIban, creditorIban, minor) =>
    domesticPayment(debtorIban, formatMinor(minor), { creditorAccount: { iban: creditorIban } }),
};

const transferInEuro = (
  product: 'SEPA-Credit-Transfer' | 'instant-SEPA-credit-transfer',
): PaymentForms['transfer'] => {
  // The bank finds the payee's bank by the IBAN.
  const { creditorAgent: _unknown, ...body } = euroExampleBodies[product];
  return (debtorIban, creditorIban, minor) => ({
    ...body,
    debtorAccount: { iban: debtorIban },
    creditorAccount: { iban: creditorIban },
    instructedAmount: { currency: 'EUR', amount: formatMinor(minor) },
  });
};

export const formsInEuro: PaymentForms = {
  singlePath: '/v1/payments/SEPA-Credit-Transfer',
  orderPath,
  bulkPath: '/v1/bulk-payments/SEPA-Credit-Transfer',
  verifiesPayees: true,
  transfer: transferInEuro('SEPA-Credit-Transfer'),
};

/** The forms of instant payments, which cannot be periodic. */
export const instantForms: Omit<PaymentForms, 'orderPath'> = {
  singlePath: '/v1/payments/instant-SEPA-credit-transfer',
  bulkPath: '/v1/bulk-payments/instant-SEPA-credit-transfer',
  verifiesPayees: true,
  transfer: transferInEuro('instant-SEPA-credit-transfer'),
};
