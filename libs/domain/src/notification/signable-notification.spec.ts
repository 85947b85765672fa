import { describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  date,
  oneof,
  option,
  pre,
  property,
  record,
  stringMatching,
  tuple,
  uuid,
} from 'fast-check';
import { basketStatuses } from '../basket/basket-transitions.js';
import { consentStatuses } from '../consent/consent-transitions.js';
import { paymentProducts } from '../payment/payment-products.js';
import { paymentServices } from '../payment/payment-services.js';
import { paymentStatuses } from '../payment/payment-state.js';
import { scaStatuses } from '../sca/authorisations.js';
import { notificationBody, type NotifiedResource } from './notification-body.js';
import type { NotificationKind } from './notification-content.js';
import { isNotificationText } from './signable-notification.js';
import { listNotifications, type Notifiable } from './status-notification.js';

/** A resource and its possible states, as the services pass them to {@link listNotifications}. */
const kinds = {
  payment: {
    resource: tuple(uuid(), constantFrom(...paymentServices), constantFrom(...paymentProducts)).map(
      ([id, service, product]): NotifiedResource => ({
        idName: 'paymentId',
        statusName: 'transactionStatus',
        id,
        path: `/v1/${service}/${product}/${id}`,
      }),
    ),
    statuses: paymentStatuses,
    funds: option(boolean(), { nil: undefined }),
    occurrence: option(
      record({ transactionId: stringMatching(/^[0-9a-f]{32}$/), fundsAvailable: boolean() }),
      { nil: undefined },
    ),
  },
  consent: {
    resource: uuid().map((id): NotifiedResource => ({
      idName: 'consentId',
      statusName: 'consentStatus',
      id,
      path: `/v1/consents/${id}`,
    })),
    statuses: consentStatuses,
    funds: constant(undefined),
    occurrence: constant(undefined),
  },
  basket: {
    resource: uuid().map((id): NotifiedResource => ({
      idName: 'basketId',
      statusName: 'transactionStatus',
      id,
      path: `/v1/signing-baskets/${id}`,
    })),
    statuses: basketStatuses,
    funds: constant(undefined),
    occurrence: constant(undefined),
  },
};
const wanted = constantFrom<readonly NotificationKind[]>(
  [],
  ['SCA'],
  ['PROCESS'],
  ['SCA', 'PROCESS', 'LAST'],
);

/**
 * Generates the notification texts for one change of a resource, as the service that owns the resource creates
 * them.
 */
const texts = oneof(
  ...Object.values(kinds).map(({ resource, statuses, funds, occurrence }) => {
    const state = (ids: readonly string[]) =>
      record({
        status: constantFrom<string>(...statuses),
        isFinal: boolean(),
        fundsAvailable: funds,
        scaStatuses: array(constantFrom(...scaStatuses), { minLength: ids.length, maxLength: ids.length }),
      }).map(({ status, isFinal, fundsAvailable, scaStatuses: own }): Notifiable => ({
        status,
        isFinal,
        fundsAvailable,
        authorisations: ids.map((authorisationId, index) => ({
          authorisationId,
          scaStatus: own[index] ?? 'received',
        })),
      }));
    const instant = date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    return array(uuid(), { minLength: 0, maxLength: 3 })
      .chain((ids) => tuple(resource, state(ids), state(ids), wanted, occurrence, instant))
      .map(([of, before, after, kindsWanted, change, at]) =>
        listNotifications(before, after, kindsWanted, change).map((one) =>
          JSON.stringify(notificationBody(of, one, at.toISOString())),
        ),
      );
  }),
);
type Body = Record<string, unknown>;
const parse = (text: string): Body => JSON.parse(text) as Body;
const changed = (text: string, change: (body: Body) => unknown): string => {
  const body = parse(text);
  return JSON.stringify(change(body) ?? body);
};
const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

const id = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';
const path = `/v1/payments/domestic-credit-transfer-BGN/${id}`;
const good = JSON.stringify(
  notificationBody(
    { idName: 'paymentId', statusName: 'transactionStatus', id, path },
    { status: 'ACSP', fundsAvailable: true, authorisationId: id, scaStatus: 'finalised' },
    '2026-11-23T10:00:00.000Z',
  ),
);

describe('the check of a notification text before it is signed (contract 11)', () => {
  it('accepts every notification text produced by a change of a payment, a consent or a basket', () => {
    assert(property(texts, (made) => made.every(isNotificationText)));
  });

  it('refuses an extra or missing member, and a value of the wrong type', () => {
    const others = constantFrom<unknown>(null, 0, 1.5, '', 'x\n', [], {}, { href: '/v1/x' }, [true]);
    assert(
      property(texts, constantFrom(0, 1, 2, 3, 4, 5, 6, 7), others, (made, index, other) => {
        const [text] = made;
        pre(text !== undefined);
        const names = Object.keys(parse(text));
        const name = names[index % names.length] ?? '';
        // Two members are optional.
        const isOptional = name === 'fundsAvailable' || name === 'transactionId';
        return (
          !isNotificationText(changed(text, (body) => ({ ...body, [name]: other }))) &&
          !isNotificationText(changed(text, (body) => ({ ...body, further: other }))) &&
          isNotificationText(changed(text, (body) => without(body, name))) === isOptional
        );
      }),
    );
  });

  it.each<[string, (body: Body) => unknown]>([
    ['a second resource', (body) => ({ ...body, consentId: id, consentStatus: 'valid' })],
    ['the id of another resource', (body) => ({ ...body, paymentId: id.replace('a0b', 'a0c') })],
    ['an id that is no UUID', (body) => ({ ...body, paymentId: '../x' })],
    ['a status of ISO 20022 that no payment has', (body) => ({ ...body, transactionStatus: 'ACTC' })],
    ['a consent’s status', (body) => ({ ...body, transactionStatus: 'valid' })],
    ['an unknown scaStatus', (body) => ({ ...body, scaStatus: 'started' })],
    ['a scaStatus without its authorisation', (body) => without(body, 'authorisationId')],
    ['a transactionId with a line break', (body) => ({ ...body, transactionId: 'a\nb' })],
    ['a transactionId of 36 characters', (body) => ({ ...body, transactionId: 'a'.repeat(36) })],
    ['a time that is no instant', (body) => ({ ...body, timestamp: '2026-11-23' })],
    ['a time in another zone', (body) => ({ ...body, timestamp: '2026-11-23T10:00:00.000+02:00' })],
    ['a claim of a token', (body) => ({ iss: 'https://bank.example', ...body })],
    ['links to elsewhere', (body) => ({ ...body, _links: links(`https://evil.example${path}`) })],
    ['links to another host', (body) => ({ ...body, _links: links(`//evil.example${path}`) })],
    ['links to a relative path', (body) => ({ ...body, _links: links(path.slice(1)) })],
    ['links to a path with dots', (body) => ({ ...body, _links: links(`/v1/../v1${path.slice(3)}`) })],
    ['links to another kind of resource', (body) => ({ ...body, _links: links(`/v1/consents/${id}`) })],
    [
      'links to an unknown product',
      (body) => ({ ...body, _links: links(`/v1/payments/gold-transfer/${id}`) }),
    ],
    ['a further link', (body) => ({ ...body, _links: { ...links(path), more: { href: path } } })],
    ['no links', (body) => ({ ...body, _links: {} })],
    ['its members in another order', (body) => Object.fromEntries(Object.entries(body).reverse())],
  ])('refuses a text with %s', (_what, change) => {
    expect(isNotificationText(good)).toBe(true);
    expect(isNotificationText(changed(good, change))).toBe(false);
  });

  it('accepts the reason code of a rejected payment, and no other (contract E3.4)', () => {
    const text = (status: string, reasonCode: string): string =>
      JSON.stringify(
        notificationBody(
          { idName: 'paymentId', statusName: 'transactionStatus', id, path },
          { status, reasonCode },
          '2026-11-23T10:00:00.000Z',
        ),
      );
    expect(isNotificationText(text('RJCT', 'AB05'))).toBe(true);
    expect(isNotificationText(text('RJCT', 'CNOR'))).toBe(true);
    expect(isNotificationText(text('ACSC', 'AB05'))).toBe(false);
    expect(isNotificationText(text('RJCT', 'AB05 '))).toBe(false);
    expect(isNotificationText(text('RJCT', 'because'))).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'no JSON'],
    ['an empty object', '{}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['white space around it', `${good}\n`],
    ['a duplicate member', good.replace('{', '{"paymentId":"other",')],
    ['a hidden prototype', good.replace('{', '{"__proto__":{"iss":"https://bank.example"},')],
    ['an escaped letter', good.replace('ACSP', '\\u0041CSP')],
  ])('refuses a malformed text: %s', (_what, text) => {
    expect(isNotificationText(text)).toBe(false);
  });
});

const links = (self: string) => ({
  self: { href: self },
  status: { href: `${self}/status` },
  scaStatus: { href: `${self}/authorisations/${id}` },
});
