import type { ConsentEventType } from './consent-events.js';

/** The events that a consent may lose without granting any access wrongly. */
const giving: ReadonlySet<string> = new Set<ConsentEventType>([
  'created',
  'authorisation-started',
  'grouped',
  'ungrouped',
  'partly-authorised',
  'authorised',
  'first-used',
]);

/** True if a lost event of this type ended the consent as far as anyone was informed; also true for an unknown type. */
export const mayForbidAccess = (type: string): boolean => !giving.has(type);
