import { type FailureName, failures as table } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { type EndpointRule, namesConsent, tokenKinds } from '../../endpoint-rules.js';
import { toRefusal } from '../../edge/tpp-messages.js';
import type { Operation } from './operation.js';
import { ref, type Schema } from '../schemas/schema-parts.js';

const headerRef = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const standard = {
  'X-Request-ID': headerRef('X-Request-ID'),
  'Cache-Control': headerRef('Cache-Control'),
  'X-Content-Type-Options': headerRef('X-Content-Type-Options'),
};

const text = { type: 'string' } as const;
/** Response headers by name. */
const headers: Readonly<Record<string, Schema>> = {
  'X-Request-ID': {
    description: 'Id of the request: yours, or one that the bank generated',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Cache-Control': {
    description: 'The response must not be cached',
    required: true,
    schema: { type: 'string', enum: ['no-store'] },
  },
  'X-Content-Type-Options': {
    description: 'Disables MIME type sniffing',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
  },
  Location: { description: 'Path of the created resource', required: true, schema: text },
  'ASPSP-SCA-Approach': {
    description: 'The PSU authorises on the bank’s pages',
    required: true,
    schema: { type: 'string', enum: ['REDIRECT'] },
  },
  'ASPSP-Notification-Support': {
    description:
      'True if changes are pushed. Present only if TPP-Notification-URI was sent, including on errors',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'ASPSP-Notification-Content': {
    description: 'Which changes are pushed; sent with ASPSP-Notification-Support: true',
    schema: { type: 'string', pattern: '^status=(SCA|PROCESS|LAST)(,(SCA|PROCESS|LAST))*$' },
  },
  'X-API-Version': { description: 'Version that served the request', required: true, schema: text },
  'X-Unattended-Remaining': {
    description: 'Remaining calls without the PSU; only on a call that was counted',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    required: true,
    schema: { type: 'string', pattern: '^(Bearer|(Bearer, )?DPoP [ -~]+)$' },
  },
  Allow: { description: 'Methods that the path supports', schema: text },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
};

const payeeHeaders: Readonly<Record<string, Schema>> = {
  'X-Response-Timestamp': {
    description: 'Time of the answer',
    required: true,
    schema: { type: 'string', format: 'date-time' },
  },
};

/** The response headers that the profile's endpoints send, by name. */
export const headersFor = ({
  payeeVerification,
}: Pick<Profile, 'payeeVerification'>): Readonly<Record<string, Schema>> =>
  payeeVerification === 'off' ? headers : { ...headers, ...payeeHeaders };

/** All failures of an endpoint: those implied by its row in `endpoint-rules.ts`, and its specific ones. */
const listFailures = (rule: EndpointRule, operation: Operation): readonly FailureName[] => {
  const kind = tokenKinds[rule.token];
  const ofToken: readonly FailureName[] =
    kind === undefined
      ? []
      : [
          'tokenMissing',
          'tokenUnknown',
          'tokenExpired',
          'tokenRevoked',
          'tppBlocked',
          'certificateMissing',
          'certificateInvalid',
          'certificateExpired',
          'tokenOfWrongKind',
          'tokenOfOtherCertificate',
        ];
  const found: readonly FailureName[] = [
    ...(rule.path.includes('{payment-product}') ? (['productUnknown'] as const) : []),
    'methodNotAllowed',
    'shareExceeded',
    ...ofToken,
    ...(kind?.scope === undefined ? [] : (['roleMissing'] as const)),
    'acceptExcludesJson',
    ...(rule.bodyLimit === undefined ? [] : (['contentTypeNotJson', 'bodyTooLarge'] as const)),
    'headerMalformed',
    ...(namesConsent(kind) ? (['consentHeaderDiffers'] as const) : []),
    ...(rule.api === undefined ? [] : (['versionNotPublished'] as const)),
    ...operation.failures,
    'dependencyDown',
    'internal',
  ];
  return [...new Set(found)];
};

const json = (schema: Schema, rest: Readonly<Record<string, unknown>>): Schema => ({
  'application/json': { schema, ...rest },
});

const refusals = (names: readonly FailureName[]): Readonly<Record<string, Schema>> => {
  const statuses = [...new Set(names.map((name) => table[name][0]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = names.filter((name) => table[name][0] === status);
      const response = {
        description: [...new Set(ofStatus.map((name) => table[name][1]))].join(', '),
        headers: {
          ...standard,
          ...(status === 401 ? { 'WWW-Authenticate': headerRef('WWW-Authenticate') } : {}),
          ...(status === 405 ? { Allow: headerRef('Allow') } : {}),
          ...([409, 429, 503].includes(status) ? { 'Retry-After': headerRef('Retry-After') } : {}),
        },
        content: json(ref('Errors'), {
          examples: Object.fromEntries(
            ofStatus.map((name) => [
              name,
              { summary: table[name][2], value: toRefusal([{ failure: name }]).body },
            ]),
          ),
        }),
      };
      return [String(status), response];
    }),
  );
};

const successHeaders = (rule: EndpointRule): Schema => ({
  ...standard,
  ...(rule.redirects === true
    ? {
        Location: headerRef('Location'),
        'ASPSP-SCA-Approach': headerRef('ASPSP-SCA-Approach'),
        'ASPSP-Notification-Support': headerRef('ASPSP-Notification-Support'),
        'ASPSP-Notification-Content': headerRef('ASPSP-Notification-Content'),
      }
    : {}),
  ...(rule.forPayees === true ? { 'X-Response-Timestamp': headerRef('X-Response-Timestamp') } : {}),
  ...(rule.api === undefined ? {} : { 'X-API-Version': headerRef('X-API-Version') }),
  ...(tokenKinds[rule.token]?.ofConsent === true
    ? { 'X-Unattended-Remaining': headerRef('X-Unattended-Remaining') }
    : {}),
});

const makeExample = ({ example }: Operation, pagesUrl: string): unknown =>
  typeof example === 'function' ? example(pagesUrl) : example;

/** All responses of an endpoint, by status. */
export const listResponses = (
  rule: EndpointRule,
  operation: Operation,
  pagesUrl: string,
): Readonly<Record<string, Schema>> => ({
  [String(rule.success)]: {
    description: operation.summary,
    headers: successHeaders(rule),
    ...(operation.answer === undefined
      ? {}
      : { content: json(ref(operation.answer), { example: makeExample(operation, pagesUrl) }) }),
  },
  ...refusals(listFailures(rule, operation)),
});
