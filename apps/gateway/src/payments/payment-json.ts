import { type EdgeRequest, parseId, requireCaller, requirePayment } from '../edge/edge-request.js';
import type {
  EntryView,
  OccurrenceView,
  PaymentInitiated,
  PaymentRef,
  PaymentView,
} from '@xs2a/contracts/payments.contract';
import {
  fundsNotAvailable,
  paymentRejections,
  rejected,
  textOfReason,
} from '@xs2a/domain/failure/status-messages';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import { authorisationLinks } from '../authorisations/start-authorisation.js';
import type { TppMessage } from '../edge/tpp-messages.js';

/** The canonical path of a payment, a periodic order or a bulk payment, as used in links (contract 1). */
export const paymentPath = ({
  service,
  product,
  paymentId,
}: Pick<PaymentRef, 'service' | 'product' | 'paymentId'>): string => `/v1/${service}/${product}/${paymentId}`;

/** An amount as the standard writes it. */
export const amountJson = (amount: MinorAmount): { readonly currency: string; readonly amount: string } => ({
  currency: amount.currency,
  amount: formatAmount(amount),
});

export const paymentPage = (pagesUrl: string, paymentId: string): string =>
  `${pagesUrl}/sca/payment/${paymentId}`;

/** The response to POST (spec 2.5), including fees and the total if the bank has a tariff. */
export const initiatedJson = (
  service: PaymentService,
  { paymentId, authorisationId, product, price }: PaymentInitiated,
  pagesUrl: string,
): Readonly<Record<string, unknown>> => {
  const self = paymentPath({ service, product, paymentId });
  return {
    transactionStatus: 'RCVD',
    paymentId,
    ...(price === undefined
      ? {}
      : {
          transactionFees: amountJson(price.fee),
          transactionFeeIndicator: price.fee.minor > 0,
          estimatedTotalAmount: amountJson(price.total),
        }),
    _links: authorisationLinks(authorisationId, { self, page: paymentPage(pagesUrl, paymentId) }),
  };
};

/** The status and, once it is known, whether funds were available and why an instant payment was rejected. */
const statusJson = ({
  transactionStatus,
  fundsAvailable,
  reasonCode,
}: Pick<EntryView, 'fundsAvailable' | 'reasonCode'> &
  Pick<EntryView | OccurrenceView, 'transactionStatus'>): Readonly<Record<string, unknown>> => ({
  transactionStatus,
  fundsAvailable,
  reasonCode,
});

/** The amount in euro of a payment that the switch-over converted from leva (contract E6.4). */
const convertedJson = ({
  convertedAmount,
}: Pick<PaymentView, 'convertedAmount'>): Readonly<Record<string, unknown>> =>
  convertedAmount === undefined ? {} : { convertedAmount: amountJson(convertedAmount) };

/** The payments of a bulk payment as submitted, each with its status. */
const entriesJson = (submitted: unknown, entries: readonly EntryView[]): readonly unknown[] =>
  entries.map((entry, index) => {
    const own: unknown = Array.isArray(submitted) ? submitted[index] : undefined;
    return {
      ...(isJsonObject(own) ? own : {}),
      ...statusJson(entry),
      ...convertedJson(entry),
      payeeVerification: entry.payeeVerification,
    };
  });

const occurrenceJson = (occurrence: OccurrenceView): Readonly<Record<string, unknown>> => ({
  transactionId: occurrence.transactionId,
  executionDate: occurrence.executionDate,
  ...statusJson(occurrence),
});

/**
 * The submitted body with its current status (contract 8). A periodic order also has its occurrences, and a bulk
 * payment has the status of each entry (contract 9).
 */
export const paymentJson = ({
  body,
  paymentType,
  entries,
  occurrences,
  payeeVerification,
  ...status
}: PaymentView): Readonly<Record<string, unknown>> => ({
  ...body,
  ...(entries === undefined ? {} : { payments: entriesJson(body['payments'], entries) }),
  ...statusJson(status),
  ...convertedJson(status),
  paymentType,
  payeeVerification,
  occurrences: occurrences?.map(occurrenceJson),
});

export const paymentStatusJson = ({
  transactionStatus,
  fundsAvailable,
  rejectionReason,
  reasonCode,
}: Pick<PaymentView, 'transactionStatus' | 'fundsAvailable' | 'rejectionReason' | 'reasonCode'>): Readonly<
  Record<string, unknown>
> => {
  const messages: TppMessage[] = [];
  if (fundsAvailable === false) messages.push(fundsNotAvailable);
  if (rejectionReason !== undefined) messages.push({ ...rejected, text: paymentRejections[rejectionReason] });
  if (reasonCode !== undefined) messages.push({ ...rejected, text: textOfReason(reasonCode) });
  return {
    ...statusJson({ transactionStatus, fundsAvailable, reasonCode }),
    tppMessages: messages.length === 0 ? undefined : messages,
  };
};

export const parsePaymentRef = (request: EdgeRequest): PaymentRef => ({
  tppId: requireCaller(request).tpp.clientId,
  ...requirePayment(request),
  paymentId: parseId(request.params['paymentId']),
});
