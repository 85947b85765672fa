import type { PaymentEvent } from '../payment/payment-events.js';
import type { PeriodicOrder } from '../payment/payment-state.js';

/** An occurrence as its order's GET tells it (contract 9). */
export interface ListedOccurrence {
  /** Counts from 1. */
  readonly number: number;
  /** The planned day, as the execution rule moves it: ISO date. */
  readonly executionDate: string;
  /** ACTC until the order has ended; then ACSC for one that was paid, else CANC. */
  readonly transactionStatus: 'ACTC' | 'ACSC' | 'CANC';
  /** Absent until its funds were asked for. */
  readonly fundsAvailable?: boolean;
  /** The bank's id of its entry, once there is one. */
  readonly transactionId?: string;
}

/** Max number of past occurrences, the latest ones, that GET of an order shows (contract 9). */
const maxListed = 100;
/** The most events that the listed occurrences can have: planned, started and settled, of each and of the next one. */
export const maxOccurrenceEvents = 3 * (maxListed + 1);

/** Types of the events of which {@link listOccurrences} makes its list. */
export const occurrenceEventTypes = [
  'transaction-planned',
  'transaction-started',
  'transaction-settled',
  'transaction-refused',
] as const satisfies readonly PaymentEvent['type'][];

interface Found {
  readonly number: number;
  readonly executionDate: string;
  readonly transactionId?: string;
  readonly outcome?: 'held' | 'paid' | 'unfunded';
}

const found = (events: readonly PaymentEvent[]): Map<number, Found> => {
  const occurrences = new Map<number, Found>();
  const note = (number: number, change: Partial<Found>): void => {
    const known = occurrences.get(number);
    if (known !== undefined) occurrences.set(number, { ...known, ...change });
  };
  for (const event of events) {
    if (event.type === 'transaction-planned') {
      const { number, executionDate } = event.data;
      occurrences.set(number, { number, executionDate });
    }
    if (event.type === 'transaction-started')
      note(event.data.number, { transactionId: event.data.transactionId, outcome: 'held' });
    if (event.type === 'transaction-settled') note(event.data.number, { outcome: 'paid' });
    if (event.type === 'transaction-refused') note(event.data.number, { outcome: 'unfunded' });
  }
  return occurrences;
};

/**
 * The latest occurrences that ran or were skipped, and the next one, in order. `events` are the order's latest of
 * {@link occurrenceEventTypes}, oldest first; an occurrence whose plan is not among them is left out.
 */
export function listOccurrences(
  { status }: Pick<PeriodicOrder, 'status'>,
  events: readonly PaymentEvent[],
): readonly ListedOccurrence[] {
  const hasEnded = status === 'ACSC' || status === 'CANC';
  const all = [...found(events).values()];
  const ran = all.filter(({ outcome }) => outcome !== undefined).slice(-maxListed);
  const next = all.filter(({ outcome }) => outcome === undefined);
  return [...ran, ...next].map(({ outcome, ...occurrence }) => ({
    ...occurrence,
    transactionStatus: !hasEnded
      ? 'ACTC'
      : outcome === 'paid'
        ? 'ACSC'
        : outcome === 'held'
          ? 'ACTC'
          : 'CANC',
    ...(outcome === undefined ? {} : { fundsAvailable: outcome !== 'unfunded' }),
  }));
}
