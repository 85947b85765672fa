import { type Failure, fail, listFailures } from '../failure/failures.js';
import { isJsonObject, unknownMembers } from '../form/form-checks.js';
import { paymentFields, paymentPaths, withoutField } from '../payment/fields/payment-fields.js';
import type { PaymentProduct } from '../payment/payment-products.js';
import {
  currencyFailure,
  formFailures,
  type PaymentDetails,
  paymentDetails,
  type PaymentRules,
  sameAccountFailure,
  typeFailure,
} from '../payment/fields/validate-payment.js';
import type { Profile } from '../profile/profile.js';
import type { PeriodicSchedule } from './periodic-schedule.js';
import { periodFailure, scheduleFields, validateSchedule } from './validate-schedule.js';

export interface ValidOrder extends PaymentDetails {
  readonly schedule: PeriodicSchedule;
}

/** The only product available for periodic orders (spec 1.9, contract 9). */
const product: PaymentProduct = 'domestic-credit-transfer-BGN';
/** The only currency of periodic payments, in every profile (spec 1.6). */
const currencies = ['BGN'];

/**
 * The field table for each payment of an order. The dates of the order are not in it but in its schedule (contract
 * 9).
 */
export const orderPaymentFields = withoutField(
  paymentFields,
  'requestedExecutionDate',
  'A periodic order is executed from startDate on. Remove this field.',
);
/** The members of the body of a periodic order. */
export const orderMembers: readonly string[] = [...paymentPaths, ...scheduleFields];

/**
 * Refuses numberOfPayments, which makes the order a recurring payment, if the profile does not offer recurring
 * payments (spec 1.7).
 */
const recurringFailure = (
  { numberOfPayments }: PeriodicSchedule,
  { offers }: Pick<Profile, 'offers'>,
): Failure | undefined =>
  numberOfPayments === undefined || offers.includes('recurring-payments')
    ? undefined
    : fail('serviceNotOffered', 'numberOfPayments', 'Recurring payments are not offered. Send endDate.');

/**
 * Validates the body of a periodic order (contract 9). Reports all format errors together: first those of the
 * payment in the order of the field table, then those of the schedule, then unknown members. Later stages run only
 * if the format is valid: currency, type against product, dates, accounts. The first stage that fails is reported.
 */
export function validateOrder(
  body: unknown,
  { profile, today, ownBankCode }: PaymentRules,
): { readonly valid: ValidOrder } | { readonly failures: readonly Failure[] } {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const schedule = validateSchedule(body);
  const failures = listFailures([
    ...formFailures(orderPaymentFields, { product, body, ownBankCode, eea: profile.eea }),
    ...('failures' in schedule ? schedule.failures : []),
    ...unknownMembers(body, orderMembers, ''),
  ]);
  const details = failures.length === 0 ? paymentDetails(body, profile) : undefined;
  if (details === undefined || 'failures' in schedule) return { failures };
  const failure =
    currencyFailure(details, currencies) ??
    typeFailure(details, product) ??
    recurringFailure(schedule.valid, profile) ??
    periodFailure(schedule.valid, { today, holidays: profile.holidays }) ??
    sameAccountFailure(details);
  return failure === undefined
    ? { valid: { ...details, schedule: schedule.valid } }
    : { failures: [failure] };
}
