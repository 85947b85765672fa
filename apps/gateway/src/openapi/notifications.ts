import { reasonCode } from './schemas/instant-schemas.js';
import { flag, oneOf, type Schema, text, uuid } from './schemas/schema-parts.js';

const link: Schema = {
  type: 'object',
  required: ['href'],
  properties: { href: text('Path in this API') },
};

/**
 * The body of a notification. It contains one resource id and the status of that resource; more members may be
 * added later.
 */
const notification = (withReason: boolean): Schema => ({
  type: 'object',
  description:
    'A status change. It may be delivered more than once, with the same X-Request-ID, and is always delivered after the previous change.',
  required: ['timestamp', '_links'],
  properties: {
    paymentId: uuid('Id of a payment, a periodic order or a bulk payment'),
    consentId: uuid('Id of a consent'),
    basketId: uuid('Id of a signing basket'),
    transactionStatus: oneOf(
      'With paymentId or basketId',
      'RCVD',
      'PATC',
      'ACCP',
      'ACSP',
      'ACTC',
      'ACSC',
      'PART',
      'RJCT',
      'CANC',
    ),
    consentStatus: oneOf(
      'With consentId',
      'received',
      'partiallyAuthorised',
      'valid',
      'rejected',
      'revokedByPsu',
      'terminatedByTpp',
      'expired',
    ),
    fundsAvailable: flag('Present once it is known; false with ACCP is final'),
    ...(withReason ? { reasonCode } : {}),
    authorisationId: uuid('The authorisation that changed'),
    scaStatus: oneOf(
      'Progress of the authorisation. psuIdentified: while the status remains RCVD, only with status=SCA; never of a consent. exempted: not needed, because enough other persons have signed or because a basket with this item was signed',
      'psuIdentified',
      'psuAuthenticated',
      'finalised',
      'failed',
      'exempted',
    ),
    transactionId: text('The occurrence of a periodic order that changed', 35),
    timestamp: { type: 'string', format: 'date-time', description: 'When the change happened' },
    _links: {
      type: 'object',
      required: ['self', 'status'],
      properties: { self: link, status: link, scaStatus: link },
    },
  },
});

const sentHeader = (name: string, description: string, schema: Schema): Schema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/**
 * Describes the requests that the bank sends to `TPP-Notification-URI` (contract 11, 13). `withReason`: the bank offers
 * instant payments, which may be rejected with a reason code.
 */
export const notificationCallbacks = (
  sandbox: boolean,
  withReason: boolean,
): Readonly<Record<string, Schema>> => ({
  statusChange: {
    '{$request.header.TPP-Notification-URI}': {
      post: {
        summary: 'Receive a status change',
        description:
          'Respond with 2xx within five seconds. Otherwise the bank retries for 24 hours, first after one second, then with delays that double up to one hour.',
        parameters: [
          sentHeader('X-Request-ID', 'The same for all attempts to deliver one notification', {
            type: 'string',
            format: 'uuid',
          }),
          sentHeader(
            'X-JWS-Signature',
            'Detached JWS of the body (ES256), signed with the JWKS key named by its kid; iat is the time of the attempt, on the same clock as timestamp',
            { type: 'string', pattern: '^[A-Za-z0-9_-]+[.][.][A-Za-z0-9_-]+$' },
          ),
          ...(sandbox
            ? [
                sentHeader(
                  'X-Sandbox-Clock',
                  'The time of the sandbox when it signed the body, to compare iat with; the signature does not cover it',
                  { type: 'string', format: 'date-time' },
                ),
              ]
            : []),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: notification(withReason) } },
        },
        responses: { 204: { description: 'Received' } },
      },
    },
  },
});
