import { exampleBulk } from '@xs2a/domain/bulk/example-bulks';
import { exampleOrderOf } from '@xs2a/domain/order/example-order';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { EndpointId } from '../../endpoint-rules.js';
import * as examples from '../examples.js';
import { idempotencyFailures, bodyFailures, type Operation } from './operation.js';

const paymentEndpoints = [
  'initiatePayment',
  'readPayment',
  'readPaymentStatus',
  'cancelPayment',
  'startPaymentAuthorisation',
  'listPaymentAuthorisations',
  'readPaymentAuthorisation',
  'listCancellationAuthorisations',
] as const satisfies readonly EndpointId[];
/** The endpoints that exist for every payment service. */
export type PaymentEndpoint = (typeof paymentEndpoints)[number];
export const isPaymentEndpoint = (id: EndpointId): id is PaymentEndpoint =>
  paymentEndpoints.some((one) => one === id);

/** The words that differ between the payment services. */
interface Words {
  readonly tag: Operation['tag'];
  /** The name of the resource with its article. */
  readonly one: string;
  readonly cancellable: string;
  readonly statuses: string;
  readonly statusAnswer: string;
  readonly initiation: Pick<Operation, 'request'> & { readonly description: string };
  readonly details: Pick<Operation, 'answer' | 'example'> & { readonly description: string };
  /** The failures of POST that are specific to this service. */
  readonly failures: Operation['failures'];
}

const ofPayment = ['resourceUnknown', 'productWrong', 'serviceWrong'] as const;
const browser =
  'Send the PSU’s browser to scaRedirect within 15 minutes; the bank takes it from there. If several signers are required, the response contains startAuthorisation instead. To repeat the request safely, send the same Idempotency-Key.';

/** The payment type of an example, whose creditors have IBANs of Bulgaria or of other countries that SEPA reaches. */
const typeOfExample = (body: Readonly<Record<string, unknown>>): { readonly paymentType: string } => ({
  paymentType: /"creditorAccount":\{"iban":"BG/.test(JSON.stringify(body)) ? 'DOMESTIC' : 'SEPA',
});

const makeWords = (standard: PaymentStandard): Readonly<Record<PaymentService, Words>> => {
  const order = exampleOrderOf(standard);
  const bulk = exampleBulk(standard.periodicProduct, standard);
  return wordsWith(standard, order, bulk);
};

type Body = Readonly<Record<string, unknown>>;
const wordsWith = (
  standard: PaymentStandard,
  order: Body,
  bulk: Body,
): Readonly<Record<PaymentService, Words>> => ({
  payments: {
    tag: 'Payments',
    one: 'a payment',
    cancellable: 'RCVD, PATC and ACCP',
    statuses:
      'RCVD, ACCP, ACSP, ACSC in this order; RJCT and CANC end it. PATC: some signers have signed, others have not yet. ACCP with fundsAvailable=false is final too.',
    statusAnswer: 'PaymentStatus',
    initiation: {
      description: `Creates the payment with the status RCVD. ${browser}`,
      request: (product) => ({ schema: `Payment.${product}`, example: standard.exampleBodies[product] }),
    },
    details: {
      description: 'The body as submitted, with its status and the type that the bank chose.',
      answer: 'PaymentDetails',
      example: { ...examples.paymentBodyIn(standard), ...examples.settled },
    },
    failures: [],
  },
  'periodic-payments': {
    tag: 'Periodic payments',
    one: 'a periodic payment',
    cancellable:
      'RCVD, PATC, ACCP and ACSP; stops the order, but an occurrence whose funds are held is still booked',
    statuses:
      'RCVD, ACCP, ACSP with the first occurrence that is executed, ACSC once the last one has been tried or endDate has passed; RJCT and CANC end it.',
    statusAnswer: 'PaymentStatus',
    initiation: {
      description: `Creates a standing order with the status RCVD; one signature covers all its payments. ${browser}`,
      request: { schema: 'PeriodicPayment', example: order },
    },
    details: {
      description:
        'The body as submitted, with its status, the latest 100 occurrences that ran and the next one. An occurrence without funds is skipped; the order goes on.',
      answer: 'PeriodicPaymentDetails',
      example: { ...order, ...examples.orderUnderWay, ...typeOfExample(order) },
    },
    failures: ['serviceNotOffered', 'periodInvalid'],
  },
  'bulk-payments': {
    tag: 'Bulk payments',
    one: 'a bulk payment',
    cancellable: 'RCVD, PATC and ACCP, until the first entry is held or refused for lack of funds',
    statuses:
      'As for a payment. PART: some entries are settled, others lacked funds. ACCP with fundsAvailable=false: none was covered.',
    statusAnswer: 'BulkPaymentStatus',
    initiation: {
      description: `Creates 2 to 250 payments from one account, each with the status RCVD; one signature covers all of them. Every error is listed with its path, such as payments[17].creditorAccount.iban. ${browser}`,
      request: (product) => ({ schema: `BulkPayment.${product}`, example: exampleBulk(product, standard) }),
    },
    details: {
      description: 'The body as submitted; each entry with its own status.',
      answer: 'BulkPaymentDetails',
      example: { ...examples.settledBulk(bulk), ...typeOfExample(bulk) },
    },
    failures: ['serviceNotOffered'],
  },
});

type AuthorisationEndpoint = Extract<PaymentEndpoint, `${string}Authorisation${string}`>;

const authorisationOperations = (
  service: PaymentService,
  words: Words,
): Readonly<Record<AuthorisationEndpoint, Operation>> => {
  const { tag, one } = words;
  return {
    startPaymentAuthorisation: {
      tag,
      summary: `Start the authorisation of ${one} by another signer`,
      description:
        'If several signers are required, call this once for each, with that signer’s PSU-ID. Each signer signs once; the payment is PATC until the last has signed, and one refusal rejects it. If only one signer is required, the call starts a new authorisation for a PSU who lost the link.',
      answer: 'AuthorisationStarted',
      example: examples.authorisationStarted(service),
      failures: [
        ...ofPayment,
        'bodyNotJson',
        'fieldUnknown',
        ...idempotencyFailures,
        'statusForbidsAuthorisation',
        'resourceBlocked',
        'corporateIdUnknown',
      ],
    },
    listPaymentAuthorisations: {
      tag,
      summary: `List the authorisations of ${one}`,
      answer: 'Authorisations',
      example: { authorisationIds: [examples.authorisationId] },
      failures: ofPayment,
    },
    readPaymentAuthorisation: {
      tag,
      summary: `Read the status of an authorisation of ${one}`,
      answer: 'ScaStatus',
      example: { scaStatus: 'received' },
      failures: ofPayment,
    },
    listCancellationAuthorisations: {
      tag,
      summary: `List the authorisations of the cancellation of ${one}`,
      description: 'Always empty: a cancellation needs no strong customer authentication here.',
      answer: 'Authorisations',
      example: { authorisationIds: [] },
      failures: ofPayment,
    },
  };
};

/** The endpoint descriptions of one payment service. */
export function paymentOperations(
  service: PaymentService,
  standard: PaymentStandard,
): Readonly<Record<PaymentEndpoint, Operation>> {
  const words = makeWords(standard)[service];
  const { tag, one, cancellable, statuses, statusAnswer, initiation, details, failures } = words;
  return {
    initiatePayment: {
      tag,
      summary: `Initiate ${one}`,
      ...initiation,
      answer: 'PaymentInitiated',
      example: examples.paymentInitiated(service),
      failures: [
        ...bodyFailures,
        'fieldNotApplicable',
        ...idempotencyFailures,
        'currencyNotSupported',
        'productWrong',
        ...failures,
        'executionDateInvalid',
        'sameAccount',
        'debtorAccountUnusable',
        'corporateIdUnknown',
      ],
    },
    readPayment: { tag, summary: `Read ${one}`, ...details, failures: ofPayment },
    readPaymentStatus: {
      tag,
      summary: `Read the status of ${one}`,
      description: statuses,
      answer: statusAnswer,
      example: { transactionStatus: 'ACCP' },
      failures: ofPayment,
    },
    cancelPayment: {
      tag,
      summary: `Cancel ${one}`,
      description: `Possible in ${cancellable}. A repeat with the same Idempotency-Key returns 204 again; any other repeat returns 405.`,
      failures: [...ofPayment, 'resourceBlocked', 'cancellationNotPossible'],
    },
    ...authorisationOperations(service, words),
  };
}

/**
 * The name of an operation in generated clients, for example `readPayment`, `readPeriodicPayment` or
 * `readBulkPayment`.
 */
export const operationIdUnder = (service: PaymentService, id: PaymentEndpoint): string => {
  const noun = {
    payments: undefined,
    'periodic-payments': 'PeriodicPayment',
    'bulk-payments': 'BulkPayment',
  }[service];
  return noun === undefined ? id : id.replace(/^([a-z]+)(?:Payment)?/, `$1${noun}`);
};
