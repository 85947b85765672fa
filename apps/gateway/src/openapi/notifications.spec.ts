import { describe, expect, it } from '@jest/globals';
import { notificationBody } from '@xs2a/domain/notification/notification-body';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { openApiDocument } from './document.js';

interface Described {
  readonly operationId: string;
  readonly callbacks?: {
    readonly statusChange: Readonly<
      Record<
        string,
        {
          readonly post: {
            readonly requestBody: { readonly content: { readonly 'application/json': { schema: object } } };
          };
        }
      >
    >;
  };
}
const document = openApiDocument({
  baseUrl: 'https://xs2a.bank.example',
  pagesUrl: 'https://xs2a.bank.example',
  sandbox: true,
  profile: makeProfile('sandbox'),
});
const operations = Object.values(document.paths).flatMap(
  (item) => Object.values(item) as unknown as Described[],
);
const withCallbacks = operations.filter(({ callbacks }) => callbacks !== undefined);

describe('push notifications in the API description (contract 11)', () => {
  it('state when psuIdentified is pushed', () => {
    expect(JSON.stringify(withCallbacks)).toContain(
      'psuIdentified: while the status remains RCVD, only with status=SCA; never of a consent.',
    );
  });

  it('are documented for every POST that creates a payment or a consent, or starts an authorisation', () => {
    const names = withCallbacks.map(({ operationId }) => operationId);
    expect(names).toEqual(
      expect.arrayContaining([
        'initiatePayment',
        'startPaymentAuthorisation',
        'createConsent',
        'startConsentAuthorisation',
      ]),
    );
    const takesHeader = operations.filter((operation) =>
      JSON.stringify(operation).includes('"name":"TPP-Notification-URI"'),
    );
    expect(takesHeader.map(({ operationId }) => operationId)).toEqual(names);
  });

  it.each([
    [
      'a payment',
      { idName: 'paymentId', statusName: 'transactionStatus' },
      { status: 'ACCP', fundsAvailable: false },
    ],
    [
      'an occurrence',
      { idName: 'paymentId', statusName: 'transactionStatus' },
      { status: 'ACSP', transactionId: 'f'.repeat(32), fundsAvailable: true },
    ],
    [
      'a consent and its authorisation',
      { idName: 'consentId', statusName: 'consentStatus' },
      { status: 'valid', authorisationId: '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b', scaStatus: 'finalised' },
    ],
  ] as const)('have a schema that accepts the notification of %s', (_what, names, change) => {
    const [path] = Object.values(withCallbacks[0]?.callbacks?.statusChange ?? {});
    const schema = path?.post.requestBody.content['application/json'].schema ?? {};
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const id = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0c';
    const body = notificationBody({ ...names, id, path: `/v1/x/${id}` }, change, '2026-11-23T10:00:00.000Z');
    expect([ajv.validate(schema, body), ajv.errors]).toEqual([true, null]);
    expect(ajv.validate(schema, { ...body, timestamp: 'now' })).toBe(false);
  });
});
