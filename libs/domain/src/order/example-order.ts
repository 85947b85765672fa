import { lev } from '../payment/standards/lev.js';
import type { PaymentStandard } from '../payment/standards/payment-standard.js';

/** A valid body of a periodic order, with every optional element except mutually exclusive ones (contract 9). */
export const exampleOrderOf = ({
  exampleBodies,
  periodicProduct,
}: PaymentStandard): Readonly<Record<string, unknown>> => ({
  ...exampleBodies[periodicProduct],
  startDate: '2027-01-31',
  endDate: '2027-12-31',
  executionRule: 'following',
  frequency: 'Monthly',
  dayOfExecution: '31',
});

/** The one of the lev standard. */
export const exampleOrder = exampleOrderOf(lev);
