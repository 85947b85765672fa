import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import { firstOccurrence, occurrenceAfter } from '@xs2a/domain/order/plan-occurrence';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { html } from '@xs2a/html/html';
import type { Row } from '../requests/authorisation-request.js';
import { catalogues } from '../catalogue/catalogues.js';
import { amountFigure } from '../pages/figures.js';
import { dateText } from '../pages/language.js';
import { payeeCheckRows } from './payee-rows.js';
import {
  chargesRow,
  dayText,
  folded,
  fromRows,
  inWords,
  optionalRow,
  payeeRows,
  type Reading,
  signatureRows,
  textIn,
} from './row-parts.js';
import { frequencyText, scheduleText, wholeEndText } from './schedule-text.js';

export type ShownOrder = Pick<
  PaymentAuthorisation,
  'product' | 'body' | 'signedBy' | 'signaturesMissing' | 'payeesVerified'
> & {
  readonly order: PaymentOrder;
  readonly schedule: PeriodicSchedule;
};

/**
 * The rows that the PSU reads before signing a periodic order (contract 9 and 12): the content of each payment,
 * the schedule, the first dates, and then everything else that was submitted.
 */
export const orderRows = (shown: ShownOrder, reading: Reading): readonly Row[] => {
  const { language, profile } = reading;
  const texts = catalogues[language];
  const { row, value, codes } = texts;
  const { order, schedule, body, product } = shown;
  const start = dateText(schedule.startDate, language, profile.timeZone);
  return [
    {
      label: row.each,
      value: amountFigure(order.amount, reading),
      isAmount: true,
      isSigned: true,
      isOnReceipt: true,
    },
    ...payeeRows(order, texts),
    ...payeeCheckRows(shown.payeesVerified, order, language),
    ...fromRows(order.debtorIban, reading),
    { label: row.when, value: scheduleText(schedule, language), isOnReceipt: true },
    { label: row.firstDate, value: firstDate(shown, reading) },
    ...folded([
      { label: row.howOften, value: frequencyText(schedule, language), isSigned: true },
      { label: row.starts, value: start, isSigned: true },
      { label: row.ends, value: wholeEndText(schedule, language, profile.holidays), isSigned: true },
      {
        label: row.nonBankingDay,
        value: texts.schedule.rule[schedule.executionRule ?? 'none'],
        isSigned: true,
      },
    ]),
    ...signatureRows(shown, texts),
    { label: row.type, value: `${value.product[product]} (${value.kind.order})` },
    orderCharges(order, reading),
    { label: row.remittance, value: order.remittance, isOnReceipt: true },
    ...folded([
      ...furtherDates(shown, reading),
      ...optionalRow(row.payeeBank, textIn(body, 'creditorAgent')),
      ...optionalRow(row.serviceLevel, inWords(codes.serviceLevel, textIn(body, 'serviceLevel'))),
    ]),
  ];
};

/** The first three payments if the order were signed now; fewer if the order has fewer. */
const firstOccurrences = ({ schedule }: ShownOrder, { profile, now }: Reading) => {
  const first = firstOccurrence(schedule, now, profile);
  const second = occurrenceAfter(first, schedule, profile);
  return { first, further: [second, second && occurrenceAfter(second, schedule, profile)] };
};

const firstDate = (shown: ShownOrder, reading: Reading): string => {
  const { dueAt } = firstOccurrences(shown, reading).first;
  return dayText(toBankDate(dueAt, reading.profile.timeZone), shown, reading);
};

/** The days of the payments after the first one; no row if it is the only one. */
const furtherDates = (shown: ShownOrder, reading: Reading): readonly Row[] => {
  const { row } = catalogues[reading.language];
  const days = firstOccurrences(shown, reading).further.flatMap((occurrence) =>
    occurrence === undefined ? [] : toBankDate(occurrence.dueAt, reading.profile.timeZone),
  );
  if (days.length === 0) return [];
  const value = html`<ul>
    ${days.map((day) => html`<li>${dayText(day, shown, reading)}</li>`)}
  </ul>`;
  return [{ label: row.furtherDates, value }];
};

/** Each payment is charged according to the tariff of its execution day (contract 9). */
const orderCharges = (order: PaymentOrder, reading: Reading): Row => {
  const { row, value } = catalogues[reading.language];
  const hasTariff = reading.profile.exchangeRates !== undefined;
  return hasTariff ? { label: row.charges, value: value.tariffOfTheDay } : chargesRow(order, reading);
};
