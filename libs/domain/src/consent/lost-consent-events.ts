import type { ConsentEventType } from './consent-events.js';

/** The event types whose loss can never lead to access that should be refused. */
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
 * True if a lost event of this type may have ended the consent and been reported to someone, and for any unknown
 * type.
 */
export const mayForbidAccess = (type: string): boolean => !giving.has(type);
