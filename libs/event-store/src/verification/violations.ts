import { streamName } from '@xs2a/events/published-event';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Folding, inlineViewDifferences } from '../projections/inline-view-rebuild.js';
import { logEnd, logHead } from '../recovery/log-gaps.js';
import { missingMessages, readStreamState } from './published-copy.js';
import type { Resource } from '../resource.js';
import { lastPublished } from '../publishing/jetstream-copy.js';
import { onceAnswered } from '../publishing/once-answered.js';
import { storedStreams } from '../streams/stored-streams.js';
import { verifyStreams } from './verify-events.js';

/** A broken invariant of docs/quality.md, with its number there. The text contains ids, never event data. */
export interface Violation {
  readonly invariant: 4 | 5 | 6;
  readonly text: string;
}
type Report = (invariant: Violation['invariant'], text: string) => void;

export interface ViolationOptions {
  /** If present, the events are also compared with the published copy. Requires operator privileges. */
  readonly nats?: NatsConnection;
  /** If present, the columns of these stores' status views are compared too, not only versions and states. */
  readonly stores?: readonly Folding[];
  /** The bank's time zone. Default: Europe/Sofia. */
  readonly timeZone?: string;
}

const maxReported = 100;

/**
 * Checks the conditions that must always hold for a resource's events (quality, Reliability): each event exists
 * once and is unmodified, positions have no gaps, and the published copy is in the same order (4); the status view
 * equals one folded from scratch (5); every transition is in the lifecycle's table (6). Returns an empty list if
 * all hold. Can run while the service is in use.
 */
export const eventStoreViolations = async (
  pool: Pool,
  resource: Resource,
  { nats, stores, timeZone = 'Europe/Sofia' }: ViolationOptions = {},
): Promise<Violation[]> => {
  const violations: Violation[] = [];
  const report: Report = (invariant, text) => {
    if (violations.length < maxReported) violations.push({ invariant, text });
  };
  if (nats !== undefined) await checkStream(pool, nats, resource.name, report);
  const { findings, missing = 0 } = await verifyStreams(pool, { resource, nats });
  for (const { streamId, version, pos, text } of findings) {
    const stream = streamId === undefined ? '' : `stream ${streamId}, version ${version}: `;
    report(4, `${stream}${pos === undefined ? '' : `position ${pos}: `}${text}`);
  }
  if (missing > 0)
    report(4, `${streamName(resource.name)} lacks ${missing} events between its first and its last`);
  await checkHistories(pool, resource, report);
  for (const view of stores ?? resource.views.map(({ folding }) => ({ folding: folding(timeZone) })))
    for (const { streamId, columns } of await inlineViewDifferences(pool, view))
      report(
        5,
        `stream ${streamId}: ${view.folding.view.table} differs from its events in ${columns.join(', ')}`,
      );
  return violations;
};

/** Checks that no event of a stream exists twice, and that each one is a valid lifecycle transition. */
const checkHistories = async (pool: Pool, { statusesAfter }: Resource, report: Report): Promise<void> => {
  for await (const page of storedStreams(pool)) {
    for (const stream of page) {
      if (new Set(stream.map(({ eventId }) => eventId)).size < stream.length)
        report(4, `stream ${stream[0].streamId}: an event occurs more than once`);
      const statuses = statusesAfter(stream.map(({ type }) => type));
      const wrong = stream[statuses.indexOf(undefined)];
      if (wrong !== undefined) {
        const before = statuses[statuses.indexOf(undefined) - 1] ?? 'nothing was before';
        report(6, `stream ${wrong.streamId}: ${wrong.type} cannot happen when ${before}`);
      }
    }
  }
};

/** Checks that the stream ends with the newest event, not beyond the log, and has no gaps. */
const checkStream = async (
  pool: Pool,
  nats: NatsConnection,
  resource: string,
  report: Report,
): Promise<void> => {
  const name = streamName(resource);
  // The newest event may be followed by lost positions, which a recreated stream does not have.
  const before = await logHead(pool);
  const readLast = async (): Promise<number> =>
    onceAnswered(`the end of ${name}`, async () => lastPublished(nats, resource));
  let last = await readLast();
  // An event whose position has just been assigned may not have been published yet.
  for (let tries = 0; tries < 50 && last < before; tries += 1) {
    await pause(100);
    last = await readLast();
  }
  if (last < before) report(4, `${name} ends at ${last}, the log at ${before}`);
  if (last > (await logEnd(pool))) report(4, `${name} ends at ${last}, beyond the log`);
  const state = await readStreamState(nats, name);
  if (missingMessages(state) !== 0)
    report(4, `${name} covers sequences ${state.first_seq} to ${state.last_seq} but holds ${state.messages}`);
};
