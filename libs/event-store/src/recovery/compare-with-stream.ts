import type { Logger } from '@xs2a/observability/logger';
import type { RelayStream } from '../publishing/jetstream-copy.js';
import type { Resource } from '../resource.js';
import type { RelayLog } from '../publishing/relay-log.js';
import { recordLosses } from './lost-ends.js';
import { findNewestCommon } from './newest-common.js';
import type { StreamEvent } from '../publishing/stream-position.js';

interface Compared {
  readonly log: RelayLog;
  readonly stream: RelayStream;
  readonly logger: Logger;
  /** The maximum number of events to republish. If undefined, all are republished. */
  readonly refillEvents: number | undefined;
  readonly ended: AbortSignal;
}

/**
 * Compares the log with the stream before anything is published. Returns the position after which to publish, and
 * the last assigned position. Events that the stream has after the newest common event were lost by the database,
 * and are recorded. Throws ForeignStream if log and stream have no event in common.
 */
export const compareWithStream = async (
  resource: Resource,
  compared: Compared,
): Promise<{ readonly publishedUpTo: number; readonly head: number }> => {
  const { log, stream, logger, refillEvents = Infinity } = compared;
  const [newest] = await log.newestEvents();
  const last = await stream.lastEvent();
  const shared = last === undefined ? undefined : await newestCommon(resource, compared, last);
  const head = await recordWhatIsLost(resource, compared, { last, shared });
  const common = shared?.pos ?? 0;
  const publishedUpTo = Math.max(common, (newest?.pos ?? 0) - refillEvents);
  if (publishedUpTo > common) {
    logger.warn(
      { resource: resource.name, after: common, upTo: publishedUpTo },
      'relay: the stream was lost or ends too far back; events at these positions are not published again',
    );
  }
  logger.info({ resource: resource.name, head, published: publishedUpTo }, 'relay: leading');
  return { publishedUpTo, head };
};

const newestCommon = async (
  resource: Resource,
  { log, stream, logger }: Compared,
  last: StreamEvent,
): Promise<StreamEvent> => {
  const { event, differsUpTo } = await findNewestCommon(log, stream, last);
  if (differsUpTo !== undefined) {
    logger.error(
      { resource: resource.name, after: event.pos, upTo: differsUpTo },
      'relay: the stream holds lost events at these positions; the events that the database has there are published after them',
    );
  }
  return event;
};

/**
 * Records any events that the database lost (normally none) and marks the check as done. After the server starts
 * or is promoted, settlement waits for that mark (ADR 35). Returns the last assigned position.
 */
const recordWhatIsLost = async (
  resource: Resource,
  { log, stream, logger, ended }: Compared,
  { last, shared }: { readonly last?: StreamEvent; readonly shared?: StreamEvent },
): Promise<number> => {
  const head = await log.head();
  const end = Math.max(head, last?.pos ?? 0);
  const gap = end > head ? { after: head, upTo: end } : undefined;
  const lost = await recordLosses(resource, { log, stream, behind: shared?.sequence, stop: ended });
  await log.recordExamined(gap);
  if (gap !== undefined || lost.events > 0) {
    logger.error(
      { resource: resource.name, ...gap, lost: lost.events, waiting: lost.held.size },
      'relay: the database went back to an earlier state; events at these positions are lost, and new events follow them',
    );
  }
  return end;
};
