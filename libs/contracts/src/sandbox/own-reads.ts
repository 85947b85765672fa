/**
 * Names of the endpoints with which a TPP reads its own log and lists (contract 13). Calls to them are not listed in that log,
 * and their headers and bodies are not stored. Otherwise a TPP that reads the log often would see mostly its own reads.
 */
export const ownReads: readonly string[] = [
  'listRequests',
  'readRequest',
  'readOwnTpp',
  'listOwnPsus',
  'listOwnPayments',
  'readOwnTimeline',
  'listOwnConsents',
  'readOwnConsentTimeline',
  'listNotifications',
  'listClockMoves',
  'listFaults',
];
