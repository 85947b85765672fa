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
  /** How an instant payment to a payee of the sandbox ends; absent for any other payment. */
  readonly instant?: {
    /** What GET says about the payee's name (contract 15). */
    readonly payee: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE';
    /** The ISO 20022 code of a rejection. */
    readonly reasonCode?: string;
  };
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

/** An instant payment to an account at the sandbox's other bank, of which it knows how it ends (contract 13). */
const instantPayment = (
  name: string,
  amount: string,
  iban: string,
  instant: DemoPayment['instant'],
): DemoPayment => ({
  name: `SEPA instant payment ${name}`,
  path: '/v1/payments/instant-SEPA-credit-transfer',
  amount,
  body: {
    creditorAccount: { iban },
    creditorName: 'Иван Иванов',
    remittanceInformationUnstructured: 'Фактура 1',
  },
  instant,
});

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
      instantPayment('to a payee whose name matches', '1.00', 'BG14XSBV92001000000101', { payee: 'MATCH' }),
      instantPayment('to a payee whose name almost matches', '2.00', 'BG84XSBV92001000000102', {
        payee: 'CLOSE_MATCH',
      }),
      instantPayment('to a payee with another name', '3.00', 'BG57XSBV92001000000103', { payee: 'NO_MATCH' }),
      instantPayment('to a payee whose name cannot be checked', '4.00', 'BG30XSBV92001000000104', {
        payee: 'NOT_POSSIBLE',
      }),
      instantPayment('to a bank that is down', '5.00', 'BG30XSBV92001000000201', {
        payee: 'MATCH',
        reasonCode: 'AB08',
      }),
    ],
  },
};
