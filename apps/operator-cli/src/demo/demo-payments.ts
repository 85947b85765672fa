import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';

/** A payment that the demo makes. */
export interface DemoPayment {
  /** What the demo calls it. */
  readonly name: string;
  /** The path of its product. */
  readonly path: string;
  /** Major units. */
  readonly amount: string;
  /** The rest of its body, without the debtor account and the amount. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the demo does at a bank with payments in leva or in euro. */
export interface DemoScript {
  readonly currency: 'BGN' | 'EUR';
  readonly payments: readonly [DemoPayment, ...DemoPayment[]];
}

const invoice = {
  endToEndIdentification: 'DEMO-1',
  creditorAccount: { iban: 'BG26RZBB91551023456789' },
  remittanceInformationUnstructured: 'Invoice 2024-17',
};

export const demoScripts: Readonly<Record<StandardName, DemoScript>> = {
  lev: {
    currency: 'BGN',
    payments: [
      {
        name: 'payment',
        path: '/v1/payments/domestic-credit-transfer-BGN',
        amount: '12.50',
        body: { ...invoice, creditorName: 'Petar Ivanov', serviceLevel: 'NURG' },
      },
    ],
  },
  euro: {
    currency: 'EUR',
    payments: [
      {
        name: 'SEPA payment',
        path: '/v1/payments/SEPA-Credit-Transfer',
        amount: '12.50',
        body: { ...invoice, creditorName: 'Петър Иванов' },
      },
      {
        name: 'tax payment',
        path: '/v1/payments/domestic-budget-transfer-EUR',
        amount: '120.00',
        body: {
          creditorAccount: { iban: 'BG88BNBG96618000195001' },
          creditorName: 'НАП',
          remittanceInformationUnstructured: 'ДДС 12.2026',
          budgetPaymentDetails: { taxpayerId: '999999995', taxpayerType: 'EIK' },
        },
      },
    ],
  },
};
