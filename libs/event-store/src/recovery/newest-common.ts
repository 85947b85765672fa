import { ForeignStream, type RelayStream } from '../publishing/jetstream-copy.js';
import type { RelayLog } from '../publishing/relay-log.js';
import type { StreamEvent } from '../publishing/stream-position.js';

interface Common {
  readonly event: StreamEvent;
  /**
   * The last position after `event` at which stream and log differ. Absent if the stream has no events after it,
   * as is normally the case.
   */
  readonly differsUpTo?: number | undefined;
}

/**
 * Finds the newest event that is in both the log and the stream. Throws {@link ForeignStream} if there is none.
 * Normally it is the log's newest event up to the stream's last one. It is older if an earlier leader's messages,
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
  // The list is newest first. Everything older than a common event is common too, so a binary search finds
  // the newest common one.
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
