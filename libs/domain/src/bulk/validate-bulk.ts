import { type Failure, fail, listFailures } from '../failure/failures.js';
import {
  ibanReferenceFailures,
  isJsonObject,
  type JsonObject,
  getMember,
  unknownMembers,
} from '../form/form-checks.js';
import { parseAmount } from '../money/money.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import { paymentPaths, withoutField } from '../payment/fields/payment-fields.js';
import type { PaymentProduct, PaymentType } from '../payment/payment-products.js';
import { initiationFailure } from '../payment/product-offers.js';
import { byStandard, standardOf } from '../payment/standards/standards.js';
import {
  currencyFailure,
  formFailures,
  pastDateFailure,
  type PaymentDetails,
  paymentDetails,
  type PaymentRules,
  type RoutedPayment,
  sameAccountFailure,
  typeFailure,
} from '../payment/fields/validate-payment.js';
import { isIsoDate } from '../time/bank-calendar.js';

export interface ValidBulk {
  /** One order per entry, in the order of the body's `payments`. */
  readonly orders: readonly PaymentOrder[];
  readonly paymentType: PaymentType;
  readonly requestedExecutionDate?: string;
  /** False by default. */
  readonly batchBookingPreferred: boolean;
  /** The debtor account currency that the TPP named. */
  readonly debtorCurrency?: string;
}

/** The minimum and maximum number of payments in a bulk payment (contract 9). */
export const bulkLimits = { min: 2, max: 250 } as const;

/**
 * The field table of an entry. The debtor account and the date are not in it: they are given once, outside
 * `payments`.
 */
export const bulkEntryFields = byStandard(({ fields }) =>
  withoutField(
    withoutField(fields, 'debtorAccount', 'Send the debtor account once, at the same level as payments.'),
    'requestedExecutionDate',
    'Send the execution date once, at the same level as payments.',
  ),
);

/** The members of the body of a bulk payment, in the order in which errors are reported. */
export const bulkMembers = [
  'debtorAccount',
  'requestedExecutionDate',
  'batchBookingPreferred',
  'payments',
] as const;

const at = (index: number, path?: string): string =>
  path === undefined ? `payments[${index}]` : `payments[${index}].${path}`;
const inEntry =
  (index: number) =>
  (failure: Failure): Failure => ({ ...failure, path: at(index, failure.path) });

function entryFailures(
  entry: unknown,
  index: number,
  product: PaymentProduct,
  { profile, ownBankCode }: PaymentRules,
): Failure[] {
  if (!isJsonObject(entry))
    return [fail('fieldMalformed', at(index), 'Send an object with the payment’s fields.')];
  const standard = standardOf(profile);
  const submission = { product, body: entry, ownBankCode, eea: profile.eea };
  return [
    ...formFailures(bulkEntryFields(standard), submission, standard),
    ...unknownMembers(entry, paymentPaths, ''),
  ].map(inEntry(index));
}

/** Amounts that cannot be parsed count as zero because they are reported separately. */
function sumFailures(entries: readonly unknown[]): Failure[] {
  const sum = entries.reduce<bigint>((total, entry) => {
    const amount = isJsonObject(entry) ? getMember(entry, 'instructedAmount') : undefined;
    if (!isJsonObject(amount)) return total;
    const parsed = parseAmount(getMember(amount, 'amount'), getMember(amount, 'currency'));
    return 'reason' in parsed ? total : total + BigInt(parsed.minor);
  }, 0n);
  const text = 'The amounts add up to more than this bank can book. Send them in several bulk payments.';
  return sum > BigInt(Number.MAX_SAFE_INTEGER) ? [fail('fieldMalformed', 'payments', text)] : [];
}

function* paymentsFailures(
  payments: unknown,
  product: PaymentProduct,
  rules: PaymentRules,
): Generator<Failure> {
  if (payments === undefined) {
    yield fail('fieldMissing', 'payments');
    return;
  }
  const { min, max } = bulkLimits;
  const isArray = Array.isArray(payments);
  if (!isArray || payments.length < min || payments.length > max)
    yield fail('fieldMalformed', 'payments', `Send an array of ${min} to ${max} payments.`);
  const entries: readonly unknown[] = isArray ? payments.slice(0, max) : [];
  yield* sumFailures(entries);
  for (const [index, entry] of entries.entries()) yield* entryFailures(entry, index, product, rules);
}

/**
 * A generator, because a body with 250 invalid entries has thousands of violations but a refusal lists at most a
 * hundred.
 */
function* bulkFormFailures(
  body: JsonObject,
  product: PaymentProduct,
  rules: PaymentRules,
): Generator<Failure> {
  const [debtor, date, batch, payments] = bulkMembers.map((name) => getMember(body, name));
  if (debtor === undefined) yield fail('fieldMissing', 'debtorAccount');
  else yield* ibanReferenceFailures(debtor, 'debtorAccount');
  if (date !== undefined && !isIsoDate(date))
    yield fail('fieldMalformed', 'requestedExecutionDate', 'Send a valid date as YYYY-MM-DD.');
  if (batch !== undefined && typeof batch !== 'boolean')
    yield fail('fieldMalformed', 'batchBookingPreferred', 'Send true or false.');
  yield* paymentsFailures(payments, product, rules);
  yield* unknownMembers(body, bulkMembers, '');
}

/** The details of each entry of a well-formed bulk. */
function parseDetails(body: JsonObject, { profile }: PaymentRules): RoutedPayment[] {
  const payments = getMember(body, 'payments');
  if (!Array.isArray(payments)) return [];
  const debtorAccount = getMember(body, 'debtorAccount');
  return payments.flatMap((entry: unknown) => {
    const details = isJsonObject(entry) ? paymentDetails({ ...entry, debtorAccount }, profile) : undefined;
    return details === undefined ? [] : [details];
  });
}

/** After the format checks, the errors of all entries in the first stage that fails for any entry (contract 3). */
function stageFailures(
  product: PaymentProduct,
  entries: readonly RoutedPayment[],
  requestedExecutionDate: string | undefined,
  { profile, today }: PaymentRules,
): Failure[] {
  const inAll = (failureIn: (details: RoutedPayment) => Failure | undefined): Failure[] =>
    entries.flatMap((details, index) => {
      const failure = failureIn(details);
      return failure === undefined ? [] : [inEntry(index)(failure)];
    });
  const stages = [
    () => inAll((details) => currencyFailure(details, profile)),
    () => inAll((details) => typeFailure(details, product, profile)),
    () => [pastDateFailure(requestedExecutionDate, today)].filter((failure) => failure !== undefined),
    () => inAll(sameAccountFailure),
  ];
  for (const stage of stages) {
    const failures = stage();
    if (failures.length > 0) return failures;
  }
  return [];
}

/** The type of the entries. In euro, a bulk of SEPA transfers may mix domestic ones with others. */
const commonType = ([first, ...others]: readonly PaymentDetails[]): PaymentType =>
  first !== undefined && others.every(({ paymentType }) => paymentType === first.paymentType)
    ? first.paymentType
    : 'SEPA';

/**
 * Validates the body of a bulk payment (contract 9). Reports the format errors of all entries together, each with
 * its path (`payments[17].creditorAccount.iban`), up to the limit of a refusal. If the format is valid, reports
 * the errors of all entries in the first later stage that fails.
 */
export function validateBulk(
  product: PaymentProduct,
  body: unknown,
  rules: PaymentRules,
): { readonly valid: ValidBulk } | { readonly failures: readonly Failure[] } {
  const refused = initiationFailure('bulk-payments', product, rules.profile);
  if (refused !== undefined) return { failures: [refused] };
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const wrongForm = listFailures(bulkFormFailures(body, product, rules));
  if (wrongForm.length > 0) return { failures: wrongForm };
  const entries = parseDetails(body, rules);
  const date = getMember(body, 'requestedExecutionDate');
  const requestedExecutionDate = isIsoDate(date) ? date : undefined;
  const failures = stageFailures(product, entries, requestedExecutionDate, rules);
  if (failures.length > 0) return { failures: listFailures(failures) };
  const debtorCurrency = entries[0]?.debtorCurrency;
  return {
    valid: {
      orders: entries.map(({ order }) => order),
      paymentType: commonType(entries),
      requestedExecutionDate,
      batchBookingPreferred: getMember(body, 'batchBookingPreferred') === true,
      debtorCurrency,
    },
  };
}
