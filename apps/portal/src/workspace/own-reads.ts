import type { EndpointId } from '@xs2a/gateway/endpoint-rules';

/** The calls with which the workspace itself reads; they are not shown as those of the application. */
export const ownReads: ReadonlySet<string> = new Set<EndpointId>([
  'listRequests',
  'readRequest',
  'readOwnTpp',
  'listOwnPsus',
  'listOwnPayments',
  'readOwnTimeline',
  'listOwnConsents',
  'listNotifications',
  'listClockMoves',
]);
