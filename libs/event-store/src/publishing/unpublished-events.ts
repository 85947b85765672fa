import { pause } from '@xs2a/postgres/leader-lock';
import { maxBatch, type PositionedEvent, type RelayLog } from './relay-log.js';
import type { RelayWakeUp } from './relay-wake-up.js';

/** A pause after each batch makes the next batch larger, so that one statement and one publish cover more events. */
const batchPauseMs = 10;
/** The relay polls for new events after this many milliseconds if nothing wakes it up. */
const pollMs = 50;

interface Pacing {
  readonly wakeUp: RelayWakeUp;
  /** When aborted, ends a pause. */
  readonly ended: AbortSignal;
}

/**
 * Yields batches of events to publish: first those that already have a position, then new ones, to which the next
 * positions are assigned. A batch is empty if there is nothing to publish. Pauses before reading the next batch,
 * unless the previous one was full.
 */
export async function* unpublishedEvents(
  log: RelayLog,
  { publishedUpTo, head }: { readonly publishedUpTo: number; readonly head: number },
  pacing: Pacing,
): AsyncGenerator<readonly PositionedEvent[]> {
  let sent = publishedUpTo;
  for (let events = await log.read(sent); events.length > 0; events = await log.read(sent)) {
    yield events;
    await pauseAfter(events.length, pacing);
    sent = events.at(-1)?.pos ?? sent;
  }
  for (let given = head; ;) {
    const events = await log.sequence(given);
    given = events.at(-1)?.pos ?? given;
    yield events;
    await pauseAfter(events.length, pacing);
  }
}

const pauseAfter = async (batch: number, { wakeUp, ended }: Pacing): Promise<void> => {
  if (batch === 0) await wakeUp.wait(pollMs);
  else if (batch < maxBatch) await pause(batchPauseMs, ended);
};
