import type { ConsentEventType } from './consent-events.js';

/** The events that a consent may have lost while every access that it gives since is right all the same. */
const giving: ReadonlySet<string> = new Set<ConsentEventType>([
  'created',
  'authorisation-started',
  'grouped',
  'ungrouped',
  'partly-authorised',
  'authorised',
  'first-used',
]);

/** True if a consent whose event of this type was lost has ended, as far as somebody was told. Also a type that is not known here. */
export const mayForbidAccess = (type: string): boolean => !giving.has(type);
