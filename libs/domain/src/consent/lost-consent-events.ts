import type { ConsentEventType } from './consent-events.js';

/** The event types whose loss can never cause access to be granted wrongly. */
const giving: ReadonlySet<string> = new Set<ConsentEventType>([
  'created',
  'authorisation-started',
  'grouped',
  'ungrouped',
  'partly-authorised',
  'authorised',
  'first-used',
]);

/**
 * True if a lost event of this type may have ended the consent, and someone may have been informed. Also true for
 * an unknown type.
 */
export const mayForbidAccess = (type: string): boolean => !giving.has(type);
