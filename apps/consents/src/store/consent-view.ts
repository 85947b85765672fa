import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { awaitsAuthorisation, isGroupedConsent } from '@xs2a/domain/consent/consent-transitions';
import { listAwaited } from '@xs2a/domain/sca/authorisations';
import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import { findHolder } from './holders.js';
import type { InlineView } from '@xs2a/event-store/streams/inline-view';

/** The status view: values used for lookups (PSU, TPP, due time) are columns; the rest is in `state`. */
export const consentView = (timeZone: string): InlineView<ConsentState> => ({
  table: 'consent_view',
  columns: {
    tpp_id: 'text',
    holder: 'text',
    awaited: 'jsonb',
    status: 'text',
    recurring: 'boolean',
    due_at: 'timestamptz',
    notified: 'boolean',
  },
  personalColumns: ['holder', 'awaited', 'notified'],
  row: (state) => ({
    tpp_id: state.tppId,
    holder: findHolder(state),
    awaited: isOpen(state) ? listAwaited(state) : undefined,
    status: state.status,
    recurring: state.recurringIndicator,
    due_at: dueAt(state, timeZone),
    notified: state.notification === undefined ? undefined : true,
  }),
});

/** Returns true while the consent waits for its own authorisation. A consent in a signing basket is authorised with the basket. */
const isOpen = (state: ConsentState): boolean =>
  awaitsAuthorisation(state.status) && !isGroupedConsent(state);

/** Returns when the consent ends or lapses automatically (contract 5). Undefined if it has already ended. */
export const dueAt = (state: ConsentState, timeZone: string): string | undefined => {
  // A consent in a basket ends together with the basket, not separately.
  if (isGroupedConsent(state)) return undefined;
  if (state.status === 'received' || state.status === 'partiallyAuthorised') return state.expiresAt;
  if (state.status !== 'valid') return undefined;
  const dayAfter = startOfBankDay(addDays(state.validUntil, 1), timeZone);
  return state.oneOffEndsAt !== undefined && Date.parse(state.oneOffEndsAt) < Date.parse(dayAfter)
    ? state.oneOffEndsAt
    : dayAfter;
};
