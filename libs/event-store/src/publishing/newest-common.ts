import { ForeignStream, type RelayStream } from './jetstream-copy.js';
import type { RelayLog } from './relay-log.js';
import type { StreamEvent } from './stream-position.js';

interface Common {
  readonly event: StreamEvent;
  /** The position up to which, behind `event`, the stream holds others than the log; absent: it ends there, as a rule. */
  readonly differsUpTo?: number | undefined;
}

/**
 * Finds the newest event that is in log and stream; throws {@link ForeignStream} when there is none. As a
 * rule it is the newest of the log up to the stream's end. It is an older one when messages of an earlier leader, whose
 * events the database lost, arrived after this database had given their positions to others.
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
  // Newest first. What is older than an event in both is in both as well, so the newest of these is found by halving.
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
