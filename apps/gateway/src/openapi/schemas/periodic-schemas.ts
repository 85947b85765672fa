import { executionRules, frequencies } from '@xs2a/domain/order/periodic-schedule';
import { orderPaymentFields } from '@xs2a/domain/order/validate-order';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { Profile } from '@xs2a/domain/profile/profile';
import { describeStatusAfter, paymentMembers, submittedMembers, submittedUnder } from './payment-schemas.js';
import {
  count,
  date,
  flag,
  listOf,
  matching,
  object,
  oneOf,
  ref,
  type Schema,
  setOf,
  text,
} from './schema-parts.js';

const ofDays = Object.entries(frequencies).flatMap(([name, step]) => ('days' in step ? [name] : []));
const ofAll = Object.keys(frequencies);

/** The schedule fields of a periodic order (contract 9). */
const schedule = ({ offers }: Pick<Profile, 'offers'>): Readonly<Record<string, Schema>> => ({
  startDate: date('Nothing is executed before this day; today or later'),
  'endDate?': date('Nothing is executed after this day; an order without it goes on until it is cancelled'),
  ...(offers.includes('recurring-payments')
    ? { 'numberOfPayments?': count('Number of payments, instead of endDate', 1, 999) }
    : {}),
  'executionRule?': oneOf(
    'Which banking day replaces a non-banking day; when absent, the day itself is used',
    ...executionRules,
  ),
  frequency: oneOf('How often it is executed', ...ofAll),
  'dayOfExecution?': matching(
    'Day of the month, or the last day of a shorter month; the day of startDate when absent. Not with daily or weekly frequencies',
    '^(?:[1-9]|[12][0-9]|3[01])$',
  ),
  'monthsOfExecution?': setOf(
    matching('Month of the year', '^(?:[1-9]|1[0-2])$'),
    11,
    'Required with MonthlyVariable, not allowed otherwise',
  ),
});

const hasFrequency = (...among: readonly string[]): Schema => ({
  required: ['frequency'],
  properties: { frequency: { enum: among } },
});
const all = (...schemas: readonly Schema[]): Schema => ({ allOf: schemas });
const has = (name: string): Schema => ({ required: [name] });
/** Schemas of bodies in which schedule fields contradict each other. */
const contradictions = ({ offers }: Pick<Profile, 'offers'>): Schema => ({
  anyOf: [
    ...(offers.includes('recurring-payments') ? [{ required: ['endDate', 'numberOfPayments'] }] : []),
    all(has('dayOfExecution'), hasFrequency(...ofDays)),
    all(has('monthsOfExecution'), hasFrequency(...ofAll.filter((name) => name !== 'MonthlyVariable'))),
    all(hasFrequency('MonthlyVariable'), { not: has('monthsOfExecution') }),
  ],
});

const occurrence = object(
  {
    transactionId: text('Its id in the history of the account', 35),
    executionDate: date('Its execution date, adjusted by executionRule'),
    transactionStatus: oneOf(
      'ACTC until the order ends or is cancelled; then ACSC if it was booked, otherwise CANC',
      'ACTC',
      'ACSC',
      'CANC',
    ),
    'fundsAvailable?': flag(
      'Whether it was covered when it was due; absent until then. Without funds it is skipped.',
    ),
  },
  'One payment of the order',
);

/** The request body and the responses for periodic orders; empty if no product can be ordered periodically. */
export const periodicSchemas = (
  [product]: readonly PaymentProduct[],
  profile: Pick<Profile, 'offers' | 'standard'>,
): Readonly<Record<string, Schema>> =>
  product === undefined
    ? {}
    : {
        PeriodicPayment: {
          ...object(
            {
              ...paymentMembers(product, standardOf(profile), orderPaymentFields(standardOf(profile))),
              ...schedule(profile),
            },
            'Body of a periodic payment',
          ),
          not: contradictions(profile),
        },
        PeriodicPaymentDetails: object(
          {
            ...submittedMembers(
              ...submittedUnder('periodic-payments', [product], standardOf(profile), orderPaymentFields),
            ),
            ...schedule(profile),
            ...describeStatusAfter('TransactionStatus', standardOf(profile)),
            'occurrences?': listOf(ref('Occurrence'), 'The latest 100 that ran, and the next one'),
          },
          'The order as submitted, and its current state',
        ),
        Occurrence: occurrence,
      };
