import type { NatsConnection } from '@nats-io/transport-node';
import type { EventResource } from '@xs2a/contracts/published-event';
import type { Pool } from 'pg';
import type { Anchor } from './log-anchor.js';
import { isDetached, oldestMonth } from '../streams/event-months.js';
import { copyFindings } from './published-copy.js';
import { resources } from '../resources.js';
import { storedStreams } from '../streams/stored-streams.js';
import { anchorFindings, logFindings, truncatedStreams } from './verify-log.js';
import { type Finding, streamFindings } from './verify-stream.js';

export type { Finding } from './verify-stream.js';

export interface VerifyOptions {
  readonly resource: EventResource;
  /** The status view's table; default: each of the resource. */
  readonly view?: string;
  /** Compares with the published copy as well. Needs the rights of an operator. */
  readonly nats?: NatsConnection;
  /** Anchors kept outside the database ({@link Verification.anchor} of earlier runs, or the service's log). */
  readonly trusted?: readonly Anchor[];
  /** Called after each page of about 5,000 events. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

interface VerifyProgress {
  readonly events: number;
  /** Number of events when the verification began, estimated. */
  readonly total: number;
  readonly findings: number;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  /** Number of messages compared with their events; undefined when the published copy was not compared. */
  readonly copies?: number;
  /** Events that the published copy lacks between its first and its last; undefined as above. */
  readonly missing?: number;
  /** The first 1,000 findings. */
  readonly findings: readonly Finding[];
  readonly findingsInAll: number;
  /** Positions whose month was detached: their events are not here to be verified. */
  readonly detached: number;
  /** The whole log as one hash: keep it elsewhere, and give it as `trusted` the next time. */
  readonly anchor: Anchor;
}

const maxFindings = 1000;

/**
 * Goes through every stream of a resource and names each event that is not what was appended, where it was: changed,
 * deleted, swapped, inserted, or a cut-off end. Streaming, in bounded memory, while the service works.
 *
 * Found without anything kept elsewhere: what a role with rights on some of the tables (events, log, queue, view) does to
 * events. A change by somebody who may write all of them and `log_anchor` too, and recomputes every later hash, is found by `trusted` anchors
 * or by `nats`. Not found: an event that was appended in due form by somebody who has the service's rights.
 */
export const verifyStreams = async (pool: Pool, options: VerifyOptions): Promise<Verification> => {
  const { resource, view, nats, trusted = [] } = options;
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
  const views = view === undefined ? resources[resource].views.map(({ table }) => table) : [view];
  for (const table of views) await truncatedStreams(pool, table, report);
  await logFindings(pool, report);
  const anchor = await anchorFindings(pool, { trusted, after: lastDetached }, report);
  const inLog = detached;
  const compared = nats === undefined ? {} : await copyFindings(pool, { nats, resource }, report);
  return { events, streams, ...compared, findings, findingsInAll, detached: inLog, anchor };
};

const aboutHowMany = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ total: number }>({
    name: 'verify-total',
    text: 'SELECT (SELECT coalesce(max(pos), 0) FROM log) + (SELECT count(*) FROM unsequenced) AS total',
  });
  return rows[0]?.total ?? 0;
};
