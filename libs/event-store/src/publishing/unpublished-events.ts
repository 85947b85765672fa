import { pause } from '@xs2a/postgres/leader-lock';
import { maxBatch, type PositionedEvent, type RelayLog } from './relay-log.js';
import type { RelayWakeUp } from './relay-wake-up.js';

/** Pause after a batch, so that the next one is larger: one statement and one publishing for all of its events. */
const batchPauseMs = 10;
/** Milliseconds after which new events are looked for, of which no wake-up came. */
const pollMs = 50;

interface Pacing {
  readonly wakeUp: RelayWakeUp;
  /** Ends a pause. */
  readonly ended: AbortSignal;
}

/**
 * Batches of events to publish: first those that have a position already, then new ones, which get the next positions. A
 * batch is empty when there is nothing to publish. There is a pause before the next one is read, unless a batch was full.
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
