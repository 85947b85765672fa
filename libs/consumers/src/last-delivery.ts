import type { JsMsg } from '@nats-io/jetstream';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { discardDeadLetter, putAside } from './dead-letters.js';
import { classify } from './errors.js';
import type { ReplayOptions } from './replays.js';
import type { WaitOut } from './wait-out-outages.js';

/**
 * Attempts to handle an event for the last time. If the attempt fails, the event stays in `dead_letter`. The row
 * exists during the attempt, so if the process ends, the next delivery finds the row and does not try again.
 *
 * `isFirstTry`: no earlier delivery was a last attempt, so an existing letter was not left by a process that
 * ended. `failure` runs the effect and returns the reason if it fails; it throws if the consumer is stopped.
 */
export const handleOrPutAside = async (
  message: JsMsg,
  { isFirstTry, failure }: { readonly isFirstTry: boolean; readonly failure: () => Promise<unknown> },
  { pool, durable: consumer, logger, waitOut }: ReplayOptions & { readonly waitOut: WaitOut },
): Promise<'done' | 'dead-letter'> => {
  const letter = { consumer, pos: readPosition(message), subject: message.subject, body: message.string() };
  const isAdded = await waitOut(async () => putAside(pool, letter, null));
  if (isAdded || isFirstTry) {
    const error = await failure().catch(async (stopped: unknown) => {
      await discardDeadLetter(pool, letter);
      throw stopped;
    });
    if (error === undefined) {
      await waitOut(async () => discardDeadLetter(pool, letter));
      return 'done';
    }
    await waitOut(async () => putAside(pool, letter, classify(error)));
  }
  logger.error({ consumer, pos: letter.pos }, 'moved an event to dead_letter: handling it failed');
  return 'dead-letter';
};

/** The event's position; for a message that is not an event, its negated stream sequence. */
const readPosition = (message: JsMsg): number => {
  try {
    const { pos } = message.json<Partial<PublishedEvent>>();
    if (pos !== undefined && Number.isSafeInteger(pos)) return pos;
  } catch {
    // It is not JSON.
  }
  return -message.seq;
};
