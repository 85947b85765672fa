import {
  everyChange,
  notificationContentText,
  type NotificationRegistration,
  parseNotificationContent,
} from '@xs2a/domain/notification/notification-content';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { receiverProblem, type ReceiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointRule } from '../../endpoint-rules.js';
import { isRedirectUri, type RedirectRules } from './redirect-uris.js';

const uriHeader = 'tpp-notification-uri';
const contentHeader = 'tpp-notification-content-preferred';
const uriText =
  'The origin of this URI must be that of a redirect URI that you registered. Send an https URI without userinfo or fragment, at a public address and on a port that the bank allows (443). A sandbox at a loopback address also accepts http to a loopback host, and any port.';
const contentText = 'Send status= with SCA, PROCESS or LAST, separated by commas, such as status=SCA,LAST.';

export interface NotificationRules extends RedirectRules {
  readonly receivers: ReceiverRules;
}

/**
 * True if notifications may be pushed to this URI (contract 11), according to the rules for redirect URIs and for
 * receivers. The address to which its host name resolves is checked on every push.
 */
const isNotificationUri = (text: string, rules: NotificationRules): boolean =>
  isRedirectUri(text, rules) && receiverProblem(new URL(text), rules.receivers) === undefined;

/** Reads the notification registration from a request's headers, and adds violations to `failures`. */
export const notificationIn = (
  headers: IncomingHttpHeaders,
  rules: NotificationRules,
  failures: Failure[],
): NotificationRegistration | undefined => {
  const { [uriHeader]: uri, [contentHeader]: preferred } = headers;
  const content = typeof preferred === 'string' ? parseNotificationContent(preferred) : undefined;
  if (preferred !== undefined && content === undefined)
    failures.push(fail('headerMalformed', 'TPP-Notification-Content-Preferred', contentText));
  if (uri === undefined) return undefined;
  if (typeof uri === 'string' && isNotificationUri(uri, rules)) return { uri, content: content ?? [] };
  failures.push(fail('headerMalformed', 'TPP-Notification-URI', uriText));
  return undefined;
};

/**
 * The response headers that tell a TPP which notifications will be pushed, if any. They are sent with every
 * response to a request with `TPP-Notification-URI`, even after a failed call, and with no other response.
 */
export const notificationSupport = (
  headers: IncomingHttpHeaders,
  rule: EndpointRule | undefined,
): Readonly<Record<string, string>> => {
  if (headers[uriHeader] === undefined) return {};
  if (rule?.redirects !== true) return { 'aspsp-notification-support': 'false' };
  const preferred = headers[contentHeader];
  const content = typeof preferred === 'string' ? parseNotificationContent(preferred) : undefined;
  return {
    'aspsp-notification-support': 'true',
    'aspsp-notification-content': notificationContentText(content ?? everyChange),
  };
};
