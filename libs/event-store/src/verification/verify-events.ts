import type { NatsConnection } from '@nats-io/transport-node';
import type { Pool } from 'pg';
import type { Anchor } from './log-anchor.js';
import { isDetached, oldestMonth } from '../months/event-months.js';
import { copyFindings } from './published-copy.js';
import type { Resource } from '../resource.js';
import { storedStreams } from '../streams/stored-streams.js';
import { anchorFindings, logFindings, truncatedStreams } from './verify-log.js';
import { type Finding, streamFindings } from './verify-stream.js';

export type { Finding } from './verify-stream.js';

export interface VerifyOptions {
  readonly resource: Resource;
  /** If present, the events are also compared with the published copy. Requires operator privileges. */
  readonly nats?: NatsConnection;
  /** Anchors kept outside the database, from {@link Verification.anchor} of earlier runs or from the service's log. */
  readonly trusted?: readonly Anchor[];
  /** Called after each page of about 5,000 events. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

interface VerifyProgress {
  readonly events: number;
  /** The estimated number of events when verification began. */
  readonly total: number;
  readonly findings: number;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  /** The number of messages compared with their events. Undefined if the published copy was not compared. */
  readonly copies?: number;
  /** The events missing from the published copy between its first and its last. Undefined if not compared. */
  readonly missing?: number;
  /** The log position of the last event in the JetStream copy. Undefined if the copy was not compared. */
  readonly comparedUpTo?: number;
  /** The first 1,000 findings. */
  readonly findings: readonly Finding[];
  readonly findingsInAll: number;
  /** The number of positions whose month was detached, so that their events cannot be verified here. */
  readonly detached: number;
  /** The hash of the whole log. Keep it outside the database and pass it as `trusted` next time. */
  readonly anchor: Anchor;
}

const maxFindings = 1000;

/**
 * Verifies every stream of a resource and reports each event that differs from what was appended: where it is, and
 * whether it was changed, deleted, swapped, inserted or truncated. Processes the data as a stream in bounded
 * memory, and can run while the service is in use.
 *
 * Without external copies, it detects changes to events by a role that has privileges on only some of the tables
 * (events, log, queue, view). If somebody can write to all of these tables and to `log_anchor`, and recomputes
 * every later hash, only `trusted` anchors or `nats` reveal the change. It does not detect an event that somebody
 * with the service's privileges appended in valid form.
 */
export const verifyStreams = async (pool: Pool, options: VerifyOptions): Promise<Verification> => {
  const { resource, nats, trusted = [] } = options;
  const findings: Finding[] = [];
  let findingsInAll = 0;
  let detached = 0;
  let lastDetached = 0;
  const oldest = await oldestMonth(pool);
  const report = (finding: Finding): void => {
    if (['deleted', 'truncated'].includes(finding.kind) && isDetached(finding.streamId, oldest)) {
      if (finding.pos !== undefined) detached += 1;
      lastDetached = Math.max(lastDetached, finding.pos ?? 0);
      return;
    }
    findingsInAll += 1;
    if (findings.length < maxFindings) findings.push(finding);
  };
  const total = await aboutHowMany(pool);
  let events = 0;
  let streams = 0;
  for await (const page of storedStreams(pool)) {
    options.signal?.throwIfAborted();
    for (const stream of page) {
      for (const finding of streamFindings(stream)) report(finding);
      events += stream.length;
    }
    streams += page.length;
    options.onProgress?.({ events, total: Math.max(total, events), findings: findingsInAll });
  }
  for (const { table } of resource.views) await truncatedStreams(pool, table, report);
  await logFindings(pool, report);
  const anchor = await anchorFindings(pool, { trusted, after: lastDetached }, report);
  const inLog = detached;
  const compared =
    nats === undefined ? {} : await copyFindings(pool, { nats, resource: resource.name }, report);
  return { events, streams, ...compared, findings, findingsInAll, detached: inLog, anchor };
};

const aboutHowMany = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ total: number }>({
    name: 'verify-total',
    text: 'SELECT (SELECT coalesce(max(pos), 0) FROM log) + (SELECT count(*) FROM unsequenced) AS total',
  });
  return rows[0]?.total ?? 0;
};
