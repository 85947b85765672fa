import { type Failure, fail, listFailures } from '../failure/failures.js';
import { isJsonObject, unknownMembers } from '../form/form-checks.js';
import { paymentPaths, withoutField } from '../payment/fields/payment-fields.js';
import { byStandard, standardOf } from '../payment/standards/standards.js';
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

/**
 * The field table for each payment of an order. The dates of the order are not in it but in its schedule (contract
 * 9).
 */
export const orderPaymentFields = byStandard(({ fields }) =>
  withoutField(
    fields,
    'requestedExecutionDate',
    'A periodic order is executed from startDate on. Remove this field.',
  ),
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
 * if the format is valid: currency (only the home currency, spec 1.6), type against product, dates, accounts. The
 * first stage that fails is reported.
 */
export function validateOrder(
  body: unknown,
  { profile, today, ownBankCode }: PaymentRules,
): { readonly valid: ValidOrder } | { readonly failures: readonly Failure[] } {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const standard = standardOf(profile);
  const product = standard.periodicProduct;
  const schedule = validateSchedule(body);
  const failures = listFailures([
    ...formFailures(orderPaymentFields(standard), { product, body, ownBankCode, eea: profile.eea }, standard),
    ...('failures' in schedule ? schedule.failures : []),
    ...unknownMembers(body, orderMembers, ''),
  ]);
  const details = failures.length === 0 ? paymentDetails(body, profile) : undefined;
  if (details === undefined || 'failures' in schedule) return { failures };
  const { creditorAgent: _agent, ...stored } = details;
  const failure =
    currencyFailure(details, { ...profile, currencies: [standard.homeCurrency] }) ??
    typeFailure(details, product, profile) ??
    recurringFailure(schedule.valid, profile) ??
    periodFailure(schedule.valid, { today, holidays: profile.holidays }) ??
    sameAccountFailure(details);
  return failure === undefined ? { valid: { ...stored, schedule: schedule.valid } } : { failures: [failure] };
}
