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
  'Send an https URI of the origin of a redirect URI that you registered, without userinfo and fragment, at a public address and a port that the bank allows (443).';
const contentText = 'Send status= and SCA, PROCESS or LAST, several with commas, such as status=SCA,LAST.';

export interface NotificationRules extends RedirectRules {
  readonly receivers: ReceiverRules;
}

/**
 * May notifications be pushed there (contract 11)? The rules of redirect URIs and those of receivers. What a name is resolved to is
 * checked each time that something is sent.
 */
const isNotificationUri = (text: string, rules: NotificationRules): boolean =>
  isRedirectUri(text, rules) && receiverProblem(new URL(text), rules.receivers) === undefined;

/** The registration in a request's headers; adds what is wrong to `failures`. */
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
 * What a TPP that sent `TPP-Notification-URI` learns of it, on every answer, also when its call is refused: what is pushed,
 * or that nothing is. None for a request without that header.
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
