/**
 * The endpoints with which a TPP reads what it has done itself (contract 13), by name. These calls are not in its list of calls,
 * and their headers and bodies are not stored: who looks at the list often would otherwise find little else in it.
 */
export const ownReads: readonly string[] = [
  'listRequests',
  'readRequest',
  'readOwnTpp',
  'listOwnPsus',
  'listOwnPayments',
  'readOwnTimeline',
  'listOwnConsents',
  'listNotifications',
  'listClockMoves',
  'listFaults',
];
