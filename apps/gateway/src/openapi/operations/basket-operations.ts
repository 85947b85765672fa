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
    summary: 'Group payments and consents to be signed together',
    description:
      'Accepts 1 to 10 of your own items: single or bulk payments with the status RCVD, and consents with the status received. All must belong to one PSU or company. Consents also need the scope PSP_AI. Until the basket is signed or deleted, its items cannot be signed or deleted on their own, or put into another basket. An item can be in at most ten baskets during its lifetime.',
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
    description: 'Includes the outcome of each item.',
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
      'RCVD, ACTC once signed, ACSC when every item has reached its final status; PATC: some signers have signed, others have not yet. RJCT: every item is rejected. CANC: deleted, its items are free.',
    answer: 'BasketStatusAnswer',
    example: { transactionStatus: 'ACTC' },
    failures: ['resourceUnknown'],
  },
  deleteBasket: {
    tag: 'Signing baskets',
    summary: 'Delete a basket',
    description:
      'Possible before the first signature; its items are then free again. A repeat with the same Idempotency-Key returns 204 again; any other repeat returns 405.',
    failures: ['resourceUnknown', 'cancellationNotPossible'],
  },
  startBasketAuthorisation: {
    tag: 'Signing baskets',
    summary: 'Start the authorisation of a basket by another signer',
    description:
      'A basket needs as many signers as the item that needs the most. If there are several signers, call this once for each, with that signer’s PSU-ID. Each signature counts for every item, and one refusal rejects them all.',
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
    summary: 'Read the status of an authorisation of a basket',
    answer: 'ScaStatus',
    example: { scaStatus: 'finalised' },
    failures: ['resourceUnknown'],
  },
} as const satisfies Partial<Record<EndpointId, Operation>>;
