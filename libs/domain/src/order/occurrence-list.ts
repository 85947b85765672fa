import type { PaymentEvent } from '../payment/payment-events.js';
import type { PeriodicOrder } from '../payment/payment-state.js';

/** An occurrence as returned by GET for its order (contract 9). */
export interface ListedOccurrence {
  /** Counts from 1. */
  readonly number: number;
  /** The planned day, adjusted by the execution rule (ISO date). */
  readonly executionDate: string;
  /** ACTC until the order has ended, then ACSC if paid, otherwise CANC. */
  readonly transactionStatus: 'ACTC' | 'ACSC' | 'CANC';
  /** Absent until settlement has tried to hold the funds. */
  readonly fundsAvailable?: boolean;
  /** The bank's id of the occurrence's entry, once the entry exists. */
  readonly transactionId?: string;
}

/** Maximum number of past occurrences that GET returns for an order; it returns the latest ones (contract 9). */
const maxListed = 100;
/**
 * Maximum number of events for the listed occurrences: planned, started and settled for each, including the next
 * one.
 */
export const maxOccurrenceEvents = 3 * (maxListed + 1);

/** The event types from which {@link listOccurrences} builds its list. */
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
 * The latest past occurrences (executed or skipped) and the next one, in order. `events` are the order's latest
 * events of {@link occurrenceEventTypes}, oldest first. An occurrence whose planning event is missing is omitted.
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
    fundsAvailable: outcome === undefined ? undefined : outcome !== 'unfunded',
  }));
}
