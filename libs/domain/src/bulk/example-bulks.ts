import type { PaymentStandard } from '../payment/standards/payment-standard.js';
import { lev } from '../payment/standards/lev.js';
import type { PaymentProduct } from '../payment/payment-products.js';

type Body = Readonly<Record<string, unknown>>;

/** An entry of a bulk payment: a payment without the debtor account. */
export const exampleEntry = (product: PaymentProduct, standard: PaymentStandard = lev): Body => {
  const { debtorAccount: _own, ...entry } = standard.exampleBodies[product] ?? {};
  return entry;
};

/** A valid bulk body for each product that supports bulk payments, with every optional element (contract 9). */
export const exampleBulk = (product: PaymentProduct, standard: PaymentStandard = lev): Body => ({
  debtorAccount: standard.exampleBodies[product]?.['debtorAccount'],
  requestedExecutionDate: '2027-01-31',
  batchBookingPreferred: true,
  payments: [
    exampleEntry(product, standard),
    { ...exampleEntry(product, standard), endToEndIdentification: 'SALARY-2026-12' },
  ],
});
