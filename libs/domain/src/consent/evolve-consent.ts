import { registeredBy } from '../notification/notification-content.js';
import { withAuthorisation, withOthersEnded, withStarted } from '../sca/authorisations.js';
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
    authorisations: authorisationId === undefined ? [] : withStarted([], { authorisationId, psuId }),
    accounts: [],
    lastActionDate,
  };
}

type Signature = Extract<ConsentEvent, { type: 'partly-authorised' }>['data'];

const signedBy = (
  { authorisations }: ConsentState,
  { authorisationId, psuId }: Signature,
): ConsentState['authorisations'] =>
  withAuthorisation(authorisations, authorisationId, { scaStatus: 'finalised', psuId });

/** The state members, except status and date, that an event changes. */
function changes(state: ConsentState, event: Exclude<ConsentEvent, Created>): Partial<ConsentState> {
  const { authorisations } = state;
  switch (event.type) {
    case 'authorisation-started':
      return { authorisations: withStarted(authorisations, event.data), ...registeredBy(event.data) };
    case 'grouped':
      return { basketId: event.data.basketId };
    case 'partly-authorised':
      return { authorisations: signedBy(state, event.data), accounts: event.data.accounts };
    case 'authorised':
      return {
        authorisations: withOthersEnded(signedBy(state, event.data), 'exempted'),
        accounts: event.data.accounts,
      };
    case 'rejected': {
      const { authorisationId, psuId } = event.data;
      const by = psuId === undefined ? {} : { psuId };
      return {
        authorisations: withOthersEnded(withAuthorisation(authorisations, authorisationId, by), 'failed'),
      };
    }
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
