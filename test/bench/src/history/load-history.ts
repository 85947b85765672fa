import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { anchorLog } from '@xs2a/event-store/verification/log-anchor';
import type { Pool } from 'pg';
import { appendStreams, type Stream } from '../streams/append-streams.js';
import { authorisedConsent, eventsOfConsent } from '../streams/consent-streams.js';
import { inTurn } from '../world/customers.js';
import { type EventStores, openStores, StandingClock } from '../streams/event-stores.js';
import type { BenchWorld } from '../world/bench-world.js';
import { realTime } from '../world/real-time.js';
import { makePartitions } from './partitions.js';
import { type EndedPayment, endedPayment, eventsOfPayment } from './payment-streams.js';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * The number of payments and consents in a page of the history. All of them start at the same time and are
 * appended together.
 */
const paymentsOfPage = 500;
const consentsOfPage = 25;
const eventsOfPage = paymentsOfPage * eventsOfPayment + consentsOfPage * eventsOfConsent;
/** Every tenth payment belongs to the measured TPP; the others belong to 200 other TPPs. */
const ownEvery = 10;
const otherTpps = 200;
/**
 * The numbers of pages after which the tables are analysed. The first statements are planned for almost empty
 * tables, and such a cached plan would scan everything added since. Later, autovacuum analyses the tables.
 */
const analysedAfter = new Set([0, 3, 15, 60, 250]);
/** The number of pages after which the logs are anchored; a running service anchors them once a minute. */
const pagesBetweenAnchors = 40;

export interface HistoryPlan {
  /** The number of payment and consent events together, rounded to pages of about 2,900. */
  readonly events: number;
  /** The number of days over which the events are spread; the last day is yesterday. */
  readonly days: number;
}

export interface LoadedHistory {
  readonly events: number;
  readonly payments: number;
  /** The ids of the measured TPP's payments, oldest first. */
  readonly ownPayments: readonly string[];
  readonly seconds: number;
}

interface Page {
  readonly payments: readonly EndedPayment[];
  readonly consents: readonly Stream<ConsentEvent>[];
}

/**
 * Inserts finished payments and consents into the database of a sandbox whose payments and consents services are
 * stopped. The domain produces every event, the event store appends each stream as a whole, and the sandbox ledger
 * holds and posts the paid amounts, so the stored data passes every verification, whatever its storage format. The
 * log positions are assigned here instead of by the relay, which continues after them. Idempotency keys are not
 * created, because they would have expired.
 */
export const loadHistory = async (
  world: BenchWorld,
  plan: HistoryPlan,
  onProgress: (events: number) => void,
): Promise<LoadedHistory> => {
  const begun = performance.now();
  const clock = new StandingClock();
  const stores = openStores(world.sandbox, clock);
  const moments = momentsOf(plan);
  const loaded = { events: 0, payments: 0, ownPayments: [] as string[] };
  try {
    await makePartitions(world.sandbox, moments);
    for (const [index, at] of moments.entries()) {
      clock.at = at;
      const page = makePage(index, at, { profile: stores.profile, clientId: world.clientId });
      await Promise.all([
        appendStreams(stores.payments, page.payments),
        appendStreams(stores.consents, page.consents),
        bookPage(stores, page),
      ]);
      for (const log of stores.logs) await givePositions(log);
      if (analysedAfter.has(index)) await world.database.query('ANALYZE');
      if (index % pagesBetweenAnchors === 0 || index === moments.length - 1)
        for (const log of stores.logs) await anchorLog(log);
      const { payments, consents } = page;
      loaded.events += [...payments, ...consents].reduce((sum, { events }) => sum + events.length, 0);
      loaded.payments += payments.length;
      loaded.ownPayments.push(
        ...payments.filter(({ tppId }) => tppId === world.clientId).map(({ id }) => id),
      );
      if (index % pagesBetweenAnchors === 0) onProgress(loaded.events);
    }
  } finally {
    await stores.end();
  }
  return { ...loaded, seconds: (performance.now() - begun) / 1000 };
};

/** Returns the start times of the pages, in order and evenly spread over the days. */
const momentsOf = ({ events, days }: HistoryPlan): readonly number[] => {
  const pages = Math.max(1, Math.round(events / eventsOfPage));
  const end = realTime.nowMs() - dayMs;
  return Array.from({ length: pages }, (_none, page) => Math.round(end - days * dayMs * (1 - page / pages)));
};

const makePage = (
  page: number,
  at: number,
  { clientId, profile }: Pick<EventStores, 'profile'> & Pick<BenchWorld, 'clientId'>,
): Page => {
  const numbers = Array.from({ length: paymentsOfPage }, (_none, index) => page * paymentsOfPage + index);
  const about = (number: number) => ({
    at: at + (number % paymentsOfPage),
    tppId: number % ownEvery === 0 ? clientId : `tpp-${number % otherTpps}`,
    profile,
  });
  return {
    payments: numbers.map((number) => endedPayment(number, { ...about(number), payer: inTurn(number) })),
    consents: numbers
      .slice(0, consentsOfPage)
      .map((number) => authorisedConsent({ ...about(number), holder: inTurn(number) }, true)),
  };
};

const bookPage = async ({ ledger }: EventStores, { payments }: Page): Promise<void> => {
  const paid = payments.flatMap(({ id, paid: order }) =>
    order === undefined ? [] : [{ paymentId: id, order }],
  );
  const holds = await ledger.placeHolds(paid);
  const posts = await ledger.postHolds(paid.map(({ paymentId }) => paymentId));
  if (!holds.every(({ held }) => held) || !posts.every(({ posted }) => posted))
    throw new Error('a payment of the history was not booked');
};

/** Assigns the next log positions to all events that have none, in append order. */
const givePositions = async (log: Pool): Promise<void> => {
  await log.query(`WITH moved AS (DELETE FROM unsequenced RETURNING id, stream_id, version)
    INSERT INTO log (pos, stream_id, version)
    SELECT (SELECT coalesce(max(pos), 0) FROM log) + row_number() OVER (ORDER BY id), stream_id, version FROM moved`);
};
