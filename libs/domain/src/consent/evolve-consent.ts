import { bankDateOf } from '../time/bank-calendar.js';
import type { ConsentEvent } from './consent-events.js';
import type { ConsentState } from './consent-state.js';
import { nextConsentStatus } from './consent-transitions.js';

type Created = Extract<ConsentEvent, { type: 'created' }>;

function begin({ psuId, authorisationId, ...data }: Created['data'], lastActionDate: string): ConsentState {
  return {
    ...data,
    ...(psuId === undefined ? {} : { namedPsuId: psuId }),
    status: 'received',
    authorisation: { authorisationId, scaStatus: 'received' },
    accounts: [],
    lastActionDate,
  };
}

/** What an event changes besides status and date. */
function changes(
  { authorisation }: ConsentState,
  event: Exclude<ConsentEvent, Created>,
): Partial<ConsentState> {
  switch (event.type) {
    case 'authorised':
      return {
        authorisation: { ...authorisation, scaStatus: 'finalised', psuId: event.data.psuId },
        accounts: event.data.accounts,
      };
    case 'rejected': {
      const { psuId } = event.data;
      return {
        authorisation: { ...authorisation, scaStatus: 'failed', ...(psuId === undefined ? {} : { psuId }) },
      };
    }
    case 'first-used':
      return { oneOffEndsAt: event.data.expiresAt };
    default:
      return {};
  }
}

/**
 * The consent after an event that happened at the instant `at`. `timeZone` is the bank's: lastActionDate is a day there,
 * and moves with the status only.
 * @throws Error when the lifecycle has no such transition: the stream is damaged and must not be acted upon.
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
  if (event.type === 'created') return begin(event.data, bankDateOf(at, timeZone));
  if (state === undefined) throw new Error(`A consent that is not created cannot be ${event.type}.`);
  const lastActionDate = status === state.status ? state.lastActionDate : bankDateOf(at, timeZone);
  return { ...state, ...changes(state, event), status, lastActionDate };
}

/** The consent as a stream tells it; undefined for an empty one. */
export const consentFrom = (
  history: readonly { readonly event: ConsentEvent; readonly at: string }[],
  timeZone?: string,
): ConsentState | undefined =>
  history.reduce<ConsentState | undefined>(
    (state, { event, at }) => evolveConsent(state, event, at, timeZone),
    undefined,
  );
