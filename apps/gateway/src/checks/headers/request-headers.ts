import { type Failure, fail } from '@xs2a/domain/failure/failures';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { EndpointRule } from '../../endpoint-rules.js';
import { servedVersion } from './api-versions.js';
import { notificationIn, type NotificationRules } from './notification-headers.js';
import { isRepeated } from './repeated-headers.js';
import { isIpLiteral, mayBePsuAddress } from './psu-address.js';
import { payeeHeaderFailures } from './payee-headers.js';
import { isRedirectUri } from './redirect-uris.js';

/** The validated values of a request's headers (contract 2). */
export interface RequestHeaders {
  readonly idempotencyKey?: string;
  /** The PSU's address; if it is absent, the call is unattended. */
  readonly psuIpAddress?: string;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: { readonly ok?: string; readonly nok?: string };
  /** The address for the TPP's notifications and the events that it wants to be notified of. */
  readonly notification?: NotificationRegistration;
  /** The API version that serves the request, if the API has published versions. */
  readonly apiVersion?: string;
}

export interface HeaderRules extends NotificationRules {
  readonly rule: EndpointRule;
  /** Milliseconds since 1970 by the bank's clock. */
  readonly nowMs: number;
  /** The consent named in the access token. */
  readonly consentId?: string;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const isUuid = (text: string): boolean => uuid.test(text);

const isKey = (text: string): boolean => /^[\x20-\x7e]{1,128}$/.test(text);
const isPsuId = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(text);

/** Each header with the field that it fills, its spelling, and its required format. */
const forms = [
  ['X-Request-ID', isUuid, 'Send a UUID.'],
  ['PSU-IP-Address', isIpLiteral, 'Send one IPv4 or IPv6 address, only while the PSU is present.'],
  ['Idempotency-Key', isKey, 'Send 1 to 128 printable ASCII characters.'],
  ['PSU-ID', isPsuId, 'Send the id once, 1 to 128 printable ASCII characters.'],
  ['PSU-Corporate-ID', isPsuId, 'Send the id once, 1 to 128 printable ASCII characters.'],
] as const satisfies readonly (readonly [string, (text: string) => boolean, string])[];
const checks = forms.map(([name, isWellFormed, text]) => ({
  name,
  key: name.toLowerCase(),
  isWellFormed,
  text,
}));

const redirects = [
  ['ok', 'TPP-Redirect-URI'],
  ['nok', 'TPP-Nok-Redirect-URI'],
] as const;
const redirectText =
  'The origin of this URI must be that of a redirect URI that you registered. Send an https URI without userinfo or fragment, at a public address. A sandbox also accepts http to a loopback host.';

/**
 * True if the request has exactly one Host header, as HTTP/1.1 requires (RFC 9112 §3.2), or uses HTTP/1.0, which
 * does not require it.
 */
export const hasOneHost = ({
  headers,
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): boolean =>
  headers.host === undefined ? httpVersion === '1.0' : !isRepeated(rawHeaders, 'host');

/** The client's X-Request-ID, if it is a UUID; it becomes the id of the request. */
export const sentRequestId = (headers: IncomingHttpHeaders): string | undefined => {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && isUuid(sent) ? sent : undefined;
};

/** Reads the headers of a request and reports all violations together. */
export const readHeaders = (
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  rules: HeaderRules,
): { readonly headers: RequestHeaders } | { readonly failures: readonly Failure[] } => {
  const failures: Failure[] = [];
  for (const { name, key, isWellFormed, text } of checks) {
    const value = headers[key];
    if (value === undefined) continue;
    const wellFormed = typeof value === 'string' && isWellFormed(value);
    // Only a joined value contains a comma, so the raw list need not be searched for other values.
    if (!wellFormed || (value.includes(',') && isRepeated(rawHeaders, key)))
      failures.push(fail('headerMalformed', name, text));
  }
  if (rules.rule.forPayees === true) failures.push(...payeeHeaderFailures(headers, rawHeaders, rules.nowMs));
  const redirectUris = rules.rule.redirects === true ? parseRedirectUris(headers, rules, failures) : {};
  const notification = rules.rule.redirects === true ? notificationIn(headers, rules, failures) : undefined;
  const consent = headers['consent-id'];
  if (rules.consentId !== undefined && consent !== undefined && consent !== rules.consentId)
    failures.push(
      isRepeated(rawHeaders, 'consent-id')
        ? fail('headerMalformed', 'Consent-ID', 'Send the header once.')
        : fail('consentHeaderDiffers', 'Consent-ID'),
    );
  const apiVersion = parseApiVersion(headers, rules.rule, failures);
  if (failures.length > 0) return { failures };
  return {
    headers: {
      idempotencyKey: trimText(headers['idempotency-key']),
      psuIpAddress: psuAddressIn(headers),
      psuId: trimText(headers['psu-id']),
      psuCorporateId: trimText(headers['psu-corporate-id']),
      redirectUris,
      notification,
      apiVersion,
    },
  };
};

const trimText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const psuAddressIn = (headers: IncomingHttpHeaders): string | undefined => {
  const address = trimText(headers['psu-ip-address']);
  return address !== undefined && mayBePsuAddress(address) ? address : undefined;
};

const parseRedirectUris = (
  headers: IncomingHttpHeaders,
  rules: HeaderRules,
  failures: Failure[],
): RequestHeaders['redirectUris'] => {
  const uris: { ok?: string; nok?: string } = {};
  for (const [which, name] of redirects) {
    const value = headers[name.toLowerCase()];
    if (value === undefined) continue;
    if (typeof value === 'string' && isRedirectUri(value, rules)) uris[which] = value;
    else failures.push(fail('headerMalformed', name, redirectText));
  }
  return uris;
};

const parseApiVersion = (
  headers: IncomingHttpHeaders,
  { api }: EndpointRule,
  failures: Failure[],
): string | undefined => {
  if (api === undefined) return undefined;
  const served = servedVersion(api, trimText(headers['x-api-version']));
  if (served === undefined) failures.push(fail('versionNotPublished', 'X-API-Version'));
  return served;
};
