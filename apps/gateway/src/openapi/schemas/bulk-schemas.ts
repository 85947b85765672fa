import { bulkEntryFields, bulkLimits } from '@xs2a/domain/bulk/validate-bulk';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import {
  describeConverted,
  describeStatusAfter,
  paymentMembers,
  submittedMembers,
  submittedUnder,
} from './payment-schemas.js';
import { date, flag, listOf, object, oneOf, ref, type Schema } from './schema-parts.js';

const bulk = (entry: Schema): Readonly<Record<string, Schema>> => ({
  debtorAccount: ref('AccountReference'),
  'requestedExecutionDate?': date(
    'Execution date of all payments; when absent, they are executed as soon as they are signed',
  ),
  'batchBookingPreferred?': flag('Whether the history shows a single entry instead of one for each payment'),
  payments: {
    ...listOf(entry, 'From 2 to 250 payments, executed one by one in this order'),
    minItems: bulkLimits.min,
    maxItems: bulkLimits.max,
  },
});

const entryName = (product: PaymentProduct): string => `BulkEntry.${product}`;

/** The request bodies and the responses for bulk payments; empty if no product offers bulk payments. */
export const bulkSchemas = (
  products: readonly PaymentProduct[],
  standard: PaymentStandard,
): Readonly<Record<string, Schema>> =>
  products.length === 0
    ? {}
    : {
        ...Object.fromEntries(
          products.flatMap((product) => [
            [
              entryName(product),
              object(
                paymentMembers(product, standard, bulkEntryFields(standard)),
                `One payment of a bulk of ${product}`,
              ),
            ],
            [`BulkPayment.${product}`, object(bulk(ref(entryName(product))), `Bulk body of ${product}`)],
          ]),
        ),
        BulkPaymentDetails: object(
          { ...bulk(ref('BulkEntryDetails')), ...describeStatusAfter('BulkTransactionStatus', standard) },
          'The bulk payment as submitted, and its current state',
        ),
        BulkEntryDetails: object(
          {
            ...submittedMembers(...submittedUnder('bulk-payments', products, standard, bulkEntryFields)),
            transactionStatus: ref('TransactionStatus'),
            'fundsAvailable?': flag('Whether the payment was covered when it was due; absent until then.'),
            ...describeConverted(standard),
          },
          'One payment as submitted, and its current state',
        ),
        BulkTransactionStatus: oneOf(
          'ISO 20022 status of the bulk. PART: some payments are settled, others lacked funds',
          'RCVD',
          'PATC',
          'ACCP',
          'ACSP',
          'ACSC',
          'PART',
          'RJCT',
          'CANC',
        ),
        BulkPaymentStatus: object({
          transactionStatus: ref('BulkTransactionStatus'),
          'fundsAvailable?': flag('false: not every payment was covered'),
          'tppMessages?': listOf(ref('TppMessage'), 'Why it was rejected or not executed'),
        }),
      };
