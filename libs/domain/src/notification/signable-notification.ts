import { basketStatuses } from '../basket/basket-transitions.js';
import { consentStatuses } from '../consent/consent-transitions.js';
import { isReasonCode } from '../payment/instant/instant-answer.js';
import { paymentProducts } from '../payment/payment-products.js';
import { paymentServices } from '../payment/payment-services.js';
import { paymentStatuses } from '../payment/payment-state.js';
import { scaStatuses } from '../sca/authorisations.js';
import { notificationBody, type NotifiedResource } from './notification-body.js';
import type { StatusChange } from './status-notification.js';

type Json = Readonly<Record<string, unknown>>;

interface Kind extends Pick<NotifiedResource, 'idName' | 'statusName'> {
  readonly statuses: readonly string[];
  /** The path prefixes of this kind of resource. */
  readonly folders: readonly string[];
  /** True if the body may state whether funds are available, for which transaction, and why it was rejected. */
  readonly hasFunds: boolean;
}

const kinds: readonly Kind[] = [
  {
    idName: 'paymentId',
    statusName: 'transactionStatus',
    statuses: paymentStatuses,
    folders: paymentServices.flatMap((service) =>
      paymentProducts.map((product) => `/v1/${service}/${product}`),
    ),
    hasFunds: true,
  },
  {
    idName: 'consentId',
    statusName: 'consentStatus',
    statuses: consentStatuses,
    folders: ['/v1/consents'],
    hasFunds: false,
  },
  {
    idName: 'basketId',
    statusName: 'transactionStatus',
    statuses: basketStatuses,
    folders: ['/v1/signing-baskets'],
    hasFunds: false,
  },
];

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** The format of the bank's transaction ids: printable characters, up to the Berlin Group's length limit. */
const bankId = /^[^\p{C}\p{Zl}\p{Zp}]{1,35}$/u;

const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);
const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): value is Value =>
  values.some((known) => known === value);
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const isInstant = (value: unknown): value is string => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The resource that a body is about, read from its id and link. Undefined if it is not a resource of this API. */
const readResource = (body: Json, { idName, statusName, folders }: Kind): NotifiedResource | undefined => {
  const id = body[idName];
  if (!matches(id, uuid)) return undefined;
  const self = isObject(body['_links']) ? body['_links']['self'] : undefined;
  const href = isObject(self) ? self['href'] : undefined;
  const path = folders.map((folder) => `${folder}/${id}`).find((known) => known === href);
  return path === undefined ? undefined : { idName, statusName, id, path };
};

/** The change that a body reports. Undefined if the body contains a value that the bank never sends. */
const readChange = (body: Json, { statusName, statuses, hasFunds }: Kind): StatusChange | undefined => {
  const {
    [statusName]: status,
    fundsAvailable,
    reasonCode,
    authorisationId,
    scaStatus,
    transactionId,
  } = body;
  if (!oneOf(status, statuses)) return undefined;
  const hasFundsMember = [fundsAvailable, reasonCode, transactionId].some((value) => value !== undefined);
  if (hasFundsMember && !hasFunds) return undefined;
  if (fundsAvailable !== undefined && typeof fundsAvailable !== 'boolean') return undefined;
  if (transactionId !== undefined && !matches(transactionId, bankId)) return undefined;
  if (reasonCode !== undefined && (status !== 'RJCT' || !isReasonCode(reasonCode))) return undefined;
  const change = {
    status,
    fundsAvailable,
    reasonCode,
    transactionId,
  };
  if (authorisationId === undefined && scaStatus === undefined) return change;
  return matches(authorisationId, uuid) && oneOf(scaStatus, scaStatuses)
    ? { ...change, authorisationId, scaStatus }
    : undefined;
};

/**
 * True if this text is exactly a notification (contract 11). Parses the values one by one, then compares the text
 * with the one that {@link notificationBody} produces from them. This rules out extra members, a second resource,
 * other links, duplicate members and different spellings.
 */
export const isNotificationText = (text: string): boolean => {
  const body = parse(text);
  if (!isObject(body) || !isInstant(body['timestamp'])) return false;
  const { timestamp } = body;
  return kinds.some((kind) => {
    const [resource, change] = [readResource(body, kind), readChange(body, kind)];
    if (resource === undefined || change === undefined) return false;
    return JSON.stringify(notificationBody(resource, change, timestamp)) === text;
  });
};
