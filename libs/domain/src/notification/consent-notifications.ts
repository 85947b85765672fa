import type { ConsentState } from '../consent/consent-state.js';
import { isFinalConsent } from '../consent/consent-transitions.js';
import type { Notifiable } from './status-notification.js';

/** A consent as far as its TPP is notified of it. */
export const notifiableConsent = ({ status, authorisations }: ConsentState): Notifiable => ({
  status,
  isFinal: isFinalConsent(status),
  authorisations,
});
