import type { ConsentEventType } from './consent-events.js';

/** What a consent may have been through, and lost, without an access being wrong that it gives since. */
const giving: ReadonlySet<string> = new Set<ConsentEventType>([
  'created',
  'authorisation-started',
  'grouped',
  'ungrouped',
  'partly-authorised',
  'authorised',
  'first-used',
]);

/** Whether a consent whose event of this type was lost has ended, as far as somebody was told. Also a type that is not known here. */
export const mayForbidAccess = (type: string): boolean => !giving.has(type);
