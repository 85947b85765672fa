import type { PaymentInitiated, PaymentView } from '@xs2a/contracts/payments.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { authorisationLinks } from './start-authorisation.js';
import type { TppMessage } from './tpp-messages.js';

export const paymentPath = (product: PaymentProduct, paymentId: string): string =>
  `/v1/payments/${product}/${paymentId}`;

const amountJson = (amount: MinorAmount): { readonly currency: string; readonly amount: string } => ({
  currency: amount.currency,
  amount: formatAmount(amount),
});

export const paymentPage = (baseUrl: string, paymentId: string): string =>
  `${baseUrl}/sca/payment/${paymentId}`;

/** The answer to POST (spec 2.5); fees and total where the bank has a tariff. */
export const initiatedJson = (
  { paymentId, authorisationId, product, price }: PaymentInitiated,
  baseUrl: string,
): Readonly<Record<string, unknown>> => {
  const self = paymentPath(product, paymentId);
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
    _links: authorisationLinks(authorisationId, { self, page: paymentPage(baseUrl, paymentId) }),
  };
};

/** The body as submitted, and what has become of it (contract 8). */
export const paymentJson = ({
  body,
  transactionStatus,
  fundsAvailable,
  paymentType,
}: PaymentView): Readonly<Record<string, unknown>> => ({
  ...body,
  transactionStatus,
  ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
  paymentType,
});

/** Why a payment was rejected, as its TPP may know it. */
export const rejectionTexts: Readonly<Record<RejectionReason, string>> = {
  'psu-refused': 'The PSU refused the payment.',
  'psu-cancelled': 'The PSU cancelled the authorisation.',
  'sca-failed': 'The strong customer authentication failed.',
  'not-the-named-psu': 'Another PSU than the one named in PSU-ID signed in.',
  'not-the-account-owner': 'The PSU may not pay from this debtor account.',
  'debtor-account-unusable': 'No payment can be made from this debtor account.',
  'not-authorised-in-time': 'The payment was not authorised in time.',
};

export const paymentStatusJson = ({
  transactionStatus,
  fundsAvailable,
  rejectionReason,
}: Pick<PaymentView, 'transactionStatus' | 'fundsAvailable' | 'rejectionReason'>): Readonly<
  Record<string, unknown>
> => {
  const messages: TppMessage[] = [];
  if (fundsAvailable === false)
    messages.push({
      category: 'WARNING',
      code: 'FUNDS_NOT_AVAILABLE',
      text: 'The account did not cover the payment when it was due. It will not be tried again.',
    });
  if (rejectionReason !== undefined)
    messages.push({ category: 'ERROR', code: 'PAYMENT_FAILED', text: rejectionTexts[rejectionReason] });
  return {
    transactionStatus,
    ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
    ...(messages.length === 0 ? {} : { tppMessages: messages }),
  };
};
