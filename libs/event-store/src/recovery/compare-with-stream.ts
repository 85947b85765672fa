import type { Logger } from '@xs2a/observability/logger';
import type { Session } from '@xs2a/postgres/session-lock';
import { ForeignStream, type RelayStream } from '../publishing/jetstream-copy.js';
import type { RelayLog } from '../publishing/relay-log.js';
import type { StreamEvent } from '../publishing/stream-position.js';
import type { Resource } from '../resource.js';
import { recordLosses } from './lost-ends.js';
import { recordExamined } from './lost-events.js';

interface Compared {
  /** The session of the leading relay. */
  readonly session: Session;
  readonly log: RelayLog;
  readonly stream: RelayStream;
  readonly logger: Logger;
  /** The maximum number of events to republish. If undefined, all are republished. */
  readonly refillEvents: number | undefined;
  readonly ended: AbortSignal;
}

/**
 * Compares the log with the stream before anything is published. Returns the position after which to publish, and
 * the last assigned position. Events that the stream has after the newest common event were lost by the database
 * (normally none) and are recorded. After the server starts or is promoted, settlement waits for the mark that this
 * was done (ADR 35). Throws {@link ForeignStream} if log and stream have no event in common.
 */
export const compareWithStream = async (
  resource: Resource,
  { session, log, stream, logger, refillEvents = Infinity, ended }: Compared,
): Promise<{ readonly publishedUpTo: number; readonly head: number }> => {
  const { name } = resource;
  const [newest] = await log.newestEvents();
  const last = await stream.lastEvent();
  const shared = last && (await findNewestCommon(log, stream, last));
  const common = shared?.event.pos ?? 0;
  if (shared?.differsUpTo !== undefined)
    logger.error(
      { resource: name, after: common, upTo: shared.differsUpTo },
      'relay: the stream holds lost events at these positions; the events that the database has there are published after them',
    );
  const given = await log.head();
  const head = Math.max(given, last?.pos ?? 0);
  const gap = head > given ? { after: given, upTo: head } : undefined;
  const behind = shared?.event.sequence;
  const lost = await recordLosses(resource, { session, stream, behind, stop: ended });
  await recordExamined(session, gap);
  if (gap !== undefined || lost.events > 0)
    logger.error(
      { resource: name, ...gap, lost: lost.events, waiting: lost.held.size },
      'relay: the database went back to an earlier state; events at these positions are lost, and new events follow them',
    );
  const publishedUpTo = Math.max(common, (newest?.pos ?? 0) - refillEvents);
  if (publishedUpTo > common)
    logger.warn(
      { resource: name, after: common, upTo: publishedUpTo },
      'relay: the stream was lost or ends too far back; events at these positions are not published again',
    );
  logger.info({ resource: name, head, published: publishedUpTo }, 'relay: leading');
  return { publishedUpTo, head };
};

interface Common {
  readonly event: StreamEvent;
  /** The last position after `event` at which stream and log differ. Normally absent. */
  readonly differsUpTo?: number | undefined;
}

/**
 * Finds the newest event that is in both the log and the stream. Normally it is the log's newest event up to the
 * stream's last one. It is older if an earlier leader's messages, whose events the database lost, arrived after this
 * database had reassigned their positions.
 */
const findNewestCommon = async (log: RelayLog, stream: RelayStream, last: StreamEvent): Promise<Common> => {
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
  if (found === undefined)
    throw new ForeignStream(
      `${stream.name} ends at position ${last.pos} and holds none of the newest events that the database has up to there`,
    );
  while (common - differing > 1) {
    const between = Math.floor((common + differing) / 2);
    const copy = await readCopy(between);
    if (copy === undefined) differing = between;
    else [found, common] = [copy, between];
  }
  return { event: found, differsUpTo: common > 0 ? events[0]?.pos : undefined };
};
