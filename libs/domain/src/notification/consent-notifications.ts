import type { ConsentState } from '../consent/consent-state.js';
import { isFinalConsent } from '../consent/consent-transitions.js';
import type { Notifiable } from './status-notification.js';

/** The part of a consent's state that is reported to its TPP. */
export const notifiableConsent = ({ status, authorisations }: ConsentState): Notifiable => ({
  status,
  isFinal: isFinalConsent(status),
  authorisations,
});
