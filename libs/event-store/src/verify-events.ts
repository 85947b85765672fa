import type { NatsConnection } from '@nats-io/transport-node';
import type { EventResource } from '@xs2a/contracts/published-event';
import type { Pool } from 'pg';
import type { Anchor } from './log-anchor.js';
import { copyFindings } from './published-copy.js';
import { resources } from './resources.js';
import { storedStreams } from './stored-streams.js';
import { anchorFindings, logFindings, truncatedStreams } from './verify-log.js';
import { type Finding, streamFindings } from './verify-stream.js';

export type { Finding, FindingKind } from './verify-stream.js';

export interface VerifyOptions {
  readonly resource: EventResource;
  /** The status view's table; default: that of the resource. */
  readonly view?: string;
  /** Compares with the published copy as well. Needs the rights of an operator. */
  readonly nats?: NatsConnection;
  /** Anchors kept outside the database ({@link Verification.anchor} of earlier runs, or the service's log). */
  readonly trusted?: readonly Anchor[];
  /** Called after each page of about 5,000 events. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface VerifyProgress {
  readonly events: number;
  /** How many there were about at the start. */
  readonly total: number;
  readonly findings: number;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  /** Of the published copy; undefined when it was not compared. */
  readonly copies?: number;
  /** At most 1,000 of them. */
  readonly findings: readonly Finding[];
  readonly findingsInAll: number;
  /** The whole log as one hash: keep it elsewhere, and give it as `trusted` the next time. */
  readonly anchor: Anchor;
}

const mostFindings = 1000;

/**
 * Goes through every stream of a resource and names each event that is not what was appended, where it was: changed,
 * deleted, swapped, inserted, or a cut-off end. Streaming, in bounded memory, while the service works.
 *
 * Found without anything kept elsewhere: what a role with rights on some of the tables (events, log, queue, view) does to
 * events. Who may write all of them and `log_anchor` too, and makes every later hash anew, is found by `trusted` anchors
 * or by `nats`. Not found: an event that was appended in due form by somebody who has the service's rights.
 */
export const verifyStreams = async (pool: Pool, options: VerifyOptions): Promise<Verification> => {
  const { resource, view = resources[resource].view, nats, trusted = [] } = options;
  const findings: Finding[] = [];
  let findingsInAll = 0;
  const report = (finding: Finding): void => {
    findingsInAll += 1;
    if (findings.length < mostFindings) findings.push(finding);
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
  await truncatedStreams(pool, view, report);
  await logFindings(pool, report);
  const anchor = await anchorFindings(pool, trusted, report);
  const copies = nats === undefined ? undefined : await copyFindings(pool, { nats, resource }, report);
  return { events, streams, ...(copies === undefined ? {} : { copies }), findings, findingsInAll, anchor };
};

const aboutHowMany = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ total: number }>({
    name: 'verify-total',
    text: 'SELECT (SELECT coalesce(max(pos), 0) FROM log) + (SELECT count(*) FROM unsequenced) AS total',
  });
  return rows[0]?.total ?? 0;
};
