import { ForeignStream, type RelayStream } from './jetstream-copy.js';
import type { RelayLog } from './relay-log.js';
import type { StreamEvent } from './stream-position.js';

interface Common {
  readonly event: StreamEvent;
  /**
   * The position up to which the events after `event` differ between stream and log; absent: the stream ends
   * there, as it normally does.
   */
  readonly differsUpTo?: number | undefined;
}

/**
 * Finds the newest event that is in both log and stream; throws {@link ForeignStream} if there is none. Normally
 * it is the newest event of the log up to the stream's end. It is an older one if messages from an earlier leader,
 * whose events the database lost, arrived after this database had reassigned their positions.
 */
export const findNewestCommon = async (
  log: RelayLog,
  stream: RelayStream,
  last: StreamEvent,
): Promise<Common> => {
  const first = await stream.eventFrom(1);
  const events = await log.newestEvents(first?.pos, last.pos);
  const readCopy = async (index: number): Promise<StreamEvent | undefined> => {
    const event = events[index];
    const copy = event === undefined ? undefined : await stream.eventFrom(event.pos);
    return copy?.id === event?.event_id ? copy : undefined;
  };
  // Newest first. Everything older than a common event is common too, so a binary search finds the newest
  // one.
  let [differing, common] = [-1, 0];
  let found = await readCopy(0);
  if (found === undefined) {
    [differing, common] = [0, events.length - 1];
    found = await readCopy(common);
  }
  if (found === undefined) {
    throw new ForeignStream(
      `${stream.name} ends at position ${last.pos} and holds none of the newest events that the database has up to there`,
    );
  }
  while (common - differing > 1) {
    const between = Math.floor((common + differing) / 2);
    const copy = await readCopy(between);
    if (copy === undefined) differing = between;
    else [found, common] = [copy, between];
  }
  return { event: found, differsUpTo: common > 0 ? events[0]?.pos : undefined };
};
