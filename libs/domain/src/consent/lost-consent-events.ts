import type { ConsentEventType } from './consent-events.js';

/** The event types that a consent may lose without granting access wrongly. */
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
 * True if a lost event of this type may have ended the consent and been reported to someone; also true for an
 * unknown type.
 */
export const mayForbidAccess = (type: string): boolean => !giving.has(type);
