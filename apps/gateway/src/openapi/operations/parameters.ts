import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { publishedVersions } from '../../checks/headers/api-versions.js';
import {
  type EndpointId,
  type EndpointRule,
  isSandboxEndpoint,
  takesIdempotencyKey,
  tokenKinds,
} from '../../endpoint-rules.js';
import { ipPattern, printable, printableName, uriPattern } from '../schemas/patterns.js';
import { ref, type Schema } from '../schemas/schema-parts.js';
import { listStandardHeaders } from './standard-headers.js';

type Parameter = Schema;

/** An endpoint at one path of the document, and the products that the path accepts. */
interface Described {
  readonly id: EndpointId;
  readonly rule: EndpointRule;
  readonly path: string;
  readonly products: readonly PaymentProduct[];
  readonly sandbox: boolean;
}

const uuid = { type: 'string', format: 'uuid' } as const;
const parameter = (
  where: 'path' | 'query' | 'header',
  name: string,
  schema: Schema,
  description: string,
): Parameter => ({ name, in: where, required: where === 'path', schema, description });

const pathParameters = ({ path, products }: Described): Readonly<Record<string, Parameter>> => ({
  'payment-product': parameter(
    'path',
    'payment-product',
    {
      type: 'string',
      enum: path.startsWith('/v1/periodic-payments/') ? ['domestic', ...products] : products,
    },
    'Payment product; case-insensitive, with or without a plural s',
  ),
  paymentId: parameter('path', 'paymentId', uuid, 'Id of the payment'),
  basketId: parameter('path', 'basketId', uuid, 'Id of the signing basket'),
  consentId: parameter('path', 'consentId', uuid, 'Id of the consent'),
  authorisationId: parameter('path', 'authorisationId', uuid, 'Id of the authorisation'),
  'account-id': parameter('path', 'account-id', uuid, 'resourceId of the account'),
  transactionId: parameter(
    'path',
    'transactionId',
    { type: 'string', minLength: 1, maxLength: 35 },
    'Id of the entry',
  ),
  requestId: parameter('path', 'requestId', uuid, 'X-Request-ID of the call'),
  notificationId: parameter('path', 'notificationId', uuid, 'X-Request-ID of the notification'),
  clientId: parameter(
    'path',
    'clientId',
    { type: 'string', pattern: '^[A-Za-z0-9_-]{1,100}$' },
    'Client id of the TPP',
  ),
  iban: parameter('path', 'iban', ref('Iban'), 'IBAN of an account of this bank'),
});

const date = { type: 'string', format: 'date' } as const;
const queryParameters: Readonly<Record<string, Parameter>> = {
  withBalance: parameter(
    'query',
    'withBalance',
    { type: 'boolean', default: false },
    'Adds balances if the consent allows them',
  ),
  withContent: parameter(
    'query',
    'withContent',
    { type: 'boolean', default: false },
    'Adds headers and bodies; a page then ends after 1 MB',
  ),
  dateFrom: parameter(
    'query',
    'dateFrom',
    date,
    '90 days ago when absent; an earlier day needs a fresh authorization',
  ),
  dateTo: parameter('query', 'dateTo', date, 'Today when absent'),
  bookingStatus: parameter(
    'query',
    'bookingStatus',
    { type: 'string', enum: ['booked', 'pending', 'both'], default: 'both' },
    'Entries to return; both when absent',
  ),
  pageSize: parameter(
    'query',
    'pageSize',
    { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    'Entries per page',
  ),
  itemsPerPage: parameter(
    'query',
    'itemsPerPage',
    { type: 'integer', minimum: 1, maximum: 500 },
    'Alias of pageSize',
  ),
  cursor: parameter(
    'query',
    'cursor',
    { type: 'string', pattern: printable(512) },
    'From a link that the bank returned; do not construct it yourself',
  ),
  entryReferenceFrom: parameter(
    'query',
    'entryReferenceFrom',
    { type: 'string', pattern: printable(35) },
    'Only entries booked after the entry with this entryReference, and pending entries, within the dates',
  ),
  deltaList: parameter(
    'query',
    'deltaList',
    { type: 'boolean', default: false },
    'Only entries booked since your last report of this account under this consent, and pending entries; not with dates or entryReferenceFrom',
  ),
};

const instant = { type: 'string', format: 'date-time' } as const;
const header = (name: string, schema: Schema, description: string): Parameter =>
  parameter('header', name, schema, description);
const uri = (sandbox: boolean): Schema => ({
  type: 'string',
  format: 'uri',
  pattern: uriPattern(sandbox),
  maxLength: 2000,
});
const notificationContent = {
  type: 'string',
  pattern: '^status=(SCA|PROCESS|LAST)( *, *(SCA|PROCESS|LAST))*$',
} as const;
const key = { type: 'string', pattern: '^[ -~]{1,128}$' } as const;
const ipAddress = { type: 'string', pattern: ipPattern } as const;
/** The length is limited because a consent stores PSU ids of at most 100 characters. */
const psuId = (path: string): Schema => ({
  type: 'string',
  pattern: printableName(path === '/consents' ? 100 : 128),
});

const ipMeaning = (rule: EndpointRule): string =>
  tokenKinds[rule.token]?.ofConsent === true
    ? 'IPv4 or IPv6 address of the PSU: send it if and only if the PSU requested this call'
    : 'IPv4 or IPv6 address of the PSU';

const keyMeaning = ({ method }: EndpointRule): string =>
  method === 'DELETE'
    ? 'A repeat with the same key returns 204 again. A key belongs to one TPP, method and path: with another path, the same key identifies a new request, which is executed'
    : 'Identifies the request for 24 hours, so that a repeat is safe. A key belongs to one TPP, method and path';

const listHeaders = ({ id, rule, sandbox }: Described): Parameter[] => [
  {
    ...header('X-Request-ID', uuid, 'Identifies the request; generated when absent; always returned'),
    required: rule.forPayees === true,
  },
  ...(rule.forPayees === true
    ? [
        {
          ...header('X-Request-Timestamp', instant, 'The current time, within a minute'),
          required: true,
        },
      ]
    : []),
  ...(takesIdempotencyKey(rule) ? [header('Idempotency-Key', key, keyMeaning(rule))] : []),
  ...(rule.redirects === true
    ? [
        header('PSU-ID', psuId(rule.path), 'The PSU who will sign in; no other PSU can'),
        header('PSU-Corporate-ID', psuId(rule.path), 'The company that owns the accounts'),
        header(
          'TPP-Redirect-URI',
          uri(sandbox),
          `Where the PSU’s browser goes afterwards; the origin must be registered${sandbox ? '; http only at a loopback host' : ''}`,
        ),
        header('TPP-Nok-Redirect-URI', uri(sandbox), 'Where the browser goes if the PSU did not authorise'),
        header(
          'TPP-Notification-URI',
          uri(sandbox),
          sandbox
            ? 'Where changes are pushed; the origin must be registered. A sandbox on your machine also pushes to http at a loopback host and to any port; others as a bank does: to https at a public address, and a port that the bank allows (443)'
            : 'Where changes are pushed; the origin must be registered, the address not private, and the port one that the bank allows (443)',
        ),
        header(
          'TPP-Notification-Content-Preferred',
          notificationContent,
          'Pushed changes, such as status=SCA,LAST: SCA each scaStatus, PROCESS each status, LAST the final one; when absent, all except during RCVD',
        ),
      ]
    : []),
  ...(tokenKinds[rule.token]?.ofConsent === true
    ? [header('Consent-ID', uuid, 'If sent, must be the consent of the access token')]
    : []),
  ...(rule.api === undefined
    ? []
    : [
        header(
          'X-API-Version',
          { type: 'string', enum: publishedVersions[rule.api] },
          'Version of the API; the newest when absent',
        ),
      ]),
  ...(isSandboxEndpoint(rule) ? [] : [header('PSU-IP-Address', ipAddress, ipMeaning(rule))]),
  ...listStandardHeaders(id, rule).map(([name, type, description]) => header(name, { type }, description)),
];

/** All path, query and header parameters of an endpoint. */
export const listParameters = (described: Described, query: readonly string[]): readonly Parameter[] => {
  const ofPath = pathParameters(described);
  const named = [...described.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  return [
    ...named.map((name) => known(ofPath, name)),
    ...query.map((name) => known(queryParameters, name)),
    ...listHeaders(described),
  ];
};

const known = (table: Readonly<Record<string, Parameter>>, name: string): Parameter => {
  const found = table[name];
  if (found === undefined) throw new Error(`no parameter ${name} is described`);
  return found;
};
