import { exampleBodies } from '../payment/example-bodies.js';

/** A valid body of a periodic order, with every optional element except mutually exclusive ones (contract 9). */
export const exampleOrder: Readonly<Record<string, unknown>> = {
  ...exampleBodies['domestic-credit-transfer-BGN'],
  startDate: '2027-01-31',
  endDate: '2027-12-31',
  executionRule: 'following',
  frequency: 'Monthly',
  dayOfExecution: '31',
};
