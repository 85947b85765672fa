import type { EndpointId } from '../../endpoint-rules.js';
import { link } from '../../authorisations/link.js';
import { authorisationId, consentId, type ExampleAt, paymentId } from '../examples.js';
import { idempotencyFailures, bodyFailures, type Operation } from './operation.js';

const basketId = '01998f74-3c1d-7a54-8e2b-6d9f0a1b2c3d';
const path = `/v1/signing-baskets/${basketId}`;

const created: ExampleAt = (pagesUrl) => ({
  transactionStatus: 'RCVD',
  basketId,
  _links: {
    scaRedirect: link(`${pagesUrl}/sca/basket/${basketId}/${authorisationId}`),
    self: link(path),
    status: link(`${path}/status`),
    scaStatus: link(`${path}/authorisations/${authorisationId}`),
  },
});

const started: ExampleAt = (pagesUrl) => ({
  scaStatus: 'received',
  authorisationId,
  _links: {
    scaRedirect: link(`${pagesUrl}/sca/basket/${basketId}/${authorisationId}`),
    scaStatus: link(`${path}/authorisations/${authorisationId}`),
  },
});

/** The endpoints of signing baskets. */
export const basketOperations = {
  createBasket: {
    tag: 'Signing baskets',
    summary: 'Group payments and consents, to be signed at once',
    description:
      'Takes 1 to 10 of your own single or bulk payments in RCVD and consents in received, of one PSU or company; consents need the scope PSP_AI too. Until the basket is signed or deleted they cannot be signed, deleted or grouped alone. An item can be in ten baskets in its life.',
    request: { schema: 'BasketRequest', example: { paymentIds: [paymentId], consentIds: [consentId] } },
    answer: 'BasketCreated',
    example: created,
    failures: [
      ...bodyFailures,
      ...idempotencyFailures,
      'serviceNotOffered',
      'corporateIdUnknown',
      'itemUnknown',
      'itemNotGroupable',
      'itemsOfSeveralOwners',
      'itemStatusWrong',
      'itemGroupedTooOften',
      'resourceBlocked',
    ],
  },
  readBasket: {
    tag: 'Signing baskets',
    summary: 'Read a basket',
    description: 'With what has become of each item.',
    answer: 'Basket',
    example: {
      payments: [paymentId],
      consents: [consentId],
      transactionStatus: 'ACTC',
      items: [
        { paymentId, transactionStatus: 'ACCP' },
        { consentId, consentStatus: 'valid' },
      ],
      _links: { self: link(path), status: link(`${path}/status`) },
    },
    failures: ['resourceUnknown'],
  },
  readBasketStatus: {
    tag: 'Signing baskets',
    summary: 'Read the status of a basket',
    description:
      'RCVD, ACTC once signed, ACSC when every item has reached its final status; PATC: one of several persons has signed. RJCT: every item is rejected. CANC: deleted, its items are free.',
    answer: 'BasketStatusAnswer',
    example: { transactionStatus: 'ACTC' },
    failures: ['resourceUnknown'],
  },
  deleteBasket: {
    tag: 'Signing baskets',
    summary: 'Delete a basket',
    description:
      'Before the first signature: its items are free again. A repeat with the same Idempotency-Key is answered 204 again, any other repeat 405.',
    failures: ['resourceUnknown', 'cancellationNotPossible'],
  },
  startBasketAuthorisation: {
    tag: 'Signing baskets',
    summary: 'Start the authorisation of a basket by a further person',
    description:
      'As many persons sign as the item that needs the most. Where several do: once for each, with that person’s PSU-ID. Each signature counts for every item, and one refusal rejects them all.',
    answer: 'AuthorisationStarted',
    example: started,
    failures: [
      'resourceUnknown',
      'bodyNotJson',
      'fieldUnknown',
      ...idempotencyFailures,
      'statusForbidsAuthorisation',
      'corporateIdUnknown',
    ],
  },
  listBasketAuthorisations: {
    tag: 'Signing baskets',
    summary: 'List the authorisations of a basket',
    answer: 'Authorisations',
    example: { authorisationIds: [authorisationId] },
    failures: ['resourceUnknown'],
  },
  readBasketAuthorisation: {
    tag: 'Signing baskets',
    summary: 'Read how far an authorisation of a basket is',
    answer: 'ScaStatus',
    example: { scaStatus: 'finalised' },
    failures: ['resourceUnknown'],
  },
} as const satisfies Partial<Record<EndpointId, Operation>>;
