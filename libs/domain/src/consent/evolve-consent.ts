import { registeredBy } from '../notification/notification-content.js';
import { authorisationsAfter as after, firstAuthorisations } from '../sca/authorisations.js';
import { toBankDate } from '../time/bank-calendar.js';
import type { ConsentEvent } from './consent-events.js';
import type { ConsentState } from './consent-state.js';
import { nextConsentStatus } from './consent-transitions.js';

type Created = Extract<ConsentEvent, { type: 'created' }>;

function begin({ psuId, authorisationId, ...data }: Created['data'], lastActionDate: string): ConsentState {
  return {
    ...data,
    namedPsuId: psuId,
    status: 'received',
    authorisations: firstAuthorisations(authorisationId, psuId),
    accounts: [],
    lastActionDate,
  };
}

/** The state members, except status and date, that an event changes. */
function changes(state: ConsentState, event: Exclude<ConsentEvent, Created>): Partial<ConsentState> {
  const { authorisations } = state;
  switch (event.type) {
    case 'authorisation-started':
      return { authorisations: after.started(authorisations, event.data), ...registeredBy(event.data) };
    case 'grouped':
      return { basketId: event.data.basketId };
    case 'partly-authorised':
      return {
        authorisations: after.partlySigned(authorisations, event.data),
        accounts: event.data.accounts,
      };
    case 'authorised':
      return { authorisations: after.signed(authorisations, event.data), accounts: event.data.accounts };
    case 'rejected':
      return { authorisations: after.rejected(authorisations, event.data) };
    case 'first-used':
      return { oneOffEndsAt: event.data.expiresAt };
    default:
      return {};
  }
}

/**
 * Increase this version when the fold produces a different result from the same events. A state stored with
 * another version is rebuilt from its events.
 */
export const consentStateVersion = 1;

/**
 * The consent after an event that happened at the instant `at`. `timeZone` is the bank's; lastActionDate is a day
 * in that zone and changes only with the status.
 * @throws Error if the lifecycle has no such transition, which means that the stream is damaged and must not be
 * used.
 */
export function evolveConsent(
  state: ConsentState | undefined,
  event: ConsentEvent,
  at: string,
  timeZone = 'Europe/Sofia',
): ConsentState {
  const status = nextConsentStatus(state?.status, event.type);
  if (status === undefined) {
    throw new Error(`A consent that is ${state?.status ?? 'not created'} cannot be ${event.type}.`);
  }
  if (event.type === 'created') return begin(event.data, toBankDate(at, timeZone));
  if (state === undefined) throw new Error(`A consent that has not been created cannot be ${event.type}.`);
  const lastActionDate = status === state.status ? state.lastActionDate : toBankDate(at, timeZone);
  if (event.type === 'ungrouped') {
    const { basketId: _free, ...free } = state;
    return { ...free, formerBasketIds: [...(state.formerBasketIds ?? []), event.data.basketId] };
  }
  return { ...state, ...changes(state, event), status, lastActionDate };
}

/** The consent folded from a stream; undefined for an empty stream. */
export const consentFrom = (
  history: readonly { readonly event: ConsentEvent; readonly at: string }[],
  timeZone?: string,
): ConsentState | undefined =>
  history.reduce<ConsentState | undefined>(
    (state, { event, at }) => evolveConsent(state, event, at, timeZone),
    undefined,
  );
