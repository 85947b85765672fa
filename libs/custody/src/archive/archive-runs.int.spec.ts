// Lane: long (it takes half a minute).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { april, march, SampleArchive, stopAt } from '../testing/sample-archive.js';
import { idIn } from '../testing/sample-months.js';
import { sampleResource } from '@xs2a/event-store/testing/sample-stream';
import { afterStatement } from '@xs2a/event-store/testing/after-statement';
import { inlineViewDifferences } from '@xs2a/event-store/projections/inline-view-rebuild';
import { verifyStreams } from '@xs2a/event-store/verification/verify-events';
import { ArchiveUnderWay } from './archive-lock.js';
import { archivedMonths } from '@xs2a/event-store/months/archived-months';
import { NotExchanged } from './exchange-partition.js';
import { findHolder } from './table-holder.js';

let sample: SampleArchive;
let ended: string;
let running: string;
let young: string;

beforeAll(async () => {
  sample = await SampleArchive.start();
}, 60_000);
afterAll(async () => sample.stop());
beforeEach(async () => {
  await sample.clear();
  ({ ended, running, young } = await sample.fill());
}, 60_000);

describe('an events table locked by another session (docs/how-to/archive.md)', () => {
  const hold = async (name: string): Promise<() => Promise<void>> => {
    const session = await sample.database.superuserPool('payments', name).connect();
    await session.query('BEGIN');
    await session.query('SELECT FROM events LIMIT 1');
    return async () => {
      await session.query('ROLLBACK');
      session.release();
    };
  };

  it('is left unchanged while pg_dump reads it: the run fails immediately and can be completed later', async () => {
    const release = await hold('pg_dump');
    const begun = performance.now();
    await expect(sample.archive()).rejects.toThrow(
      /^pg_dump \(process \d+ of PostgreSQL\) holds the table events since/,
    );
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await sample.store.history(ended)).toHaveLength(2);
    await release();
    const { file } = await sample.archive();
    const releaseAgain = await hold('pg_dump');
    await expect(sample.restore(file)).rejects.toThrow(NotExchanged);
    await releaseAgain();
    await sample.restore(file);
    expect(await sample.findings()).toEqual([]);
  }, 60_000);

  it('counts as locked for too long if the locking transaction exceeds the maximum age of a service transaction', async () => {
    const release = await hold('report');
    expect(await findHolder(sample.owner)).toBeUndefined();
    expect(await findHolder(sample.owner, 0)).toMatchObject({ program: 'report' });
    await release();
    expect(await findHolder(sample.owner, 0)).toBeUndefined();
  }, 60_000);
});

describe('conflicting runs', () => {
  it('are refused while another run is archiving', async () => {
    const others: Promise<unknown>[] = [];
    await sample.archive({
      onStep: (step) => {
        if (step === 'named') others.push(sample.archive().catch((error: unknown) => error));
      },
    });
    expect(await Promise.all(others)).toEqual([expect.any(ArchiveUnderWay)]);
    expect(await sample.findings()).toEqual([]);
  });

  it('are refused while a restore of the month is unfinished, so that no data from its other files is removed', async () => {
    const { file: first } = await sample.archive();
    await sample.count(running, 'done');
    await sample.count(young);
    await sample.settle();
    const { file: second } = await sample.archive();
    await sample.restore(first);
    await expect(sample.restore(second, { onStep: stopAt('attached') })).rejects.toThrow('stopped');
    await expect(sample.archive()).rejects.toThrow('run archive restore FILE again');
    expect((await archivedMonths(sample.pool)).map(({ restoring }) => restoring)).toEqual([true]);
    await sample.restore(second);
    expect(await sample.findings()).toEqual([]);
    for (const streamId of [ended, running]) expect(await sample.store.load(streamId)).toBeDefined();
    expect(await archivedMonths(sample.pool, march.name)).toEqual([]);
  });
});

describe('a run that has lost the connection that holds its lock (docs/how-to/archive.md)', () => {
  const loseLock = async (): Promise<undefined> => {
    await sample.database.sql(
      `SELECT pg_terminate_backend(pid, 5000) FROM payments.session_lock WHERE name = 'archive'`,
    );
  };

  it('performs no further step, and is completed by another run', async () => {
    await expect(sample.archive({ firstUnread: loseLock })).rejects.toThrow(ArchiveUnderWay);
    expect(await sample.store.history(ended)).toHaveLength(2);
    const { file } = await sample.archive();
    expect(await sample.findings()).toEqual([]);
    await expect(sample.restore(file, { rebuildViews: loseLock })).rejects.toThrow(ArchiveUnderWay);
    expect((await archivedMonths(sample.pool)).map(({ restoring }) => restoring)).toEqual([true]);
    await sample.restore(file);
    expect(await sample.findings()).toEqual([]);
  }, 60_000);
});

describe('a running check of all events', () => {
  const check = async (statement: string, work: () => Promise<unknown>): Promise<unknown[]> => {
    const pool = afterStatement(sample.pool, statement, work);
    const { findings } = await verifyStreams(pool, { resource: sampleResource });
    return [...findings, ...(await inlineViewDifferences(pool, sample.store))];
  };

  it.each(['verify-total', 'stored-streams'])(
    'finds no damage in a month whose archiving started after the statement %s',
    async (statement) => {
      const interrupted = async (): Promise<unknown> =>
        expect(sample.archive({ onStep: stopAt('detached') })).rejects.toThrow('stopped');
      expect(await check(statement, interrupted)).toEqual([]);
      expect(await sample.findings()).toEqual([]);
    },
  );

  it('finds no damage in a month whose restore started during the check', async () => {
    const { file } = await sample.archive();
    const interrupted = async (): Promise<unknown> =>
      expect(sample.restore(file, { onStep: stopAt('attached') })).rejects.toThrow('stopped');
    expect(await check('verify-total', interrupted)).toEqual([]);
    expect(await sample.findings()).toEqual([]);
  });
});

describe('a month with more ranges and open streams than fit into one statement (docs/how-to/archive.md)', () => {
  it('is archived and restored in pages', async () => {
    const streams = 520;
    // Archived streams and remaining streams alternate, so that each remaining stream ends a range of
    // positions in the file.
    for (let made = 0; made < streams; made += 1) {
      await sample.begin(idIn(march));
      await sample.begin(idIn(march), 'open');
    }
    await sample.settle();
    await sample.begin(idIn(april));
    await sample.settle();
    const before = await sample.database.sql('SELECT e.* FROM payments.events e ORDER BY stream_id, version');
    const { file, carried } = await sample.archive();
    expect(carried).toBe(streams + 1);
    expect(await sample.database.sql('SELECT count(*)::int FROM payments.log_archived')).toEqual([
      { count: streams + 2 },
    ]);
    expect(await sample.findings()).toEqual([]);
    await sample.restore(file);
    expect(await sample.findings()).toEqual([]);
    expect(
      await sample.database.sql('SELECT e.* FROM payments.events e ORDER BY stream_id, version'),
    ).toEqual(before);
    expect(await sample.database.sql('SELECT FROM payments.log_archived')).toEqual([]);
  }, 120_000);
});

describe('unread notifications (docs/how-to/archive.md)', () => {
  it('block archiving until they have been read', async () => {
    const asked: number[] = [];
    const firstUnread = async (upTo: number): Promise<number | undefined> => {
      asked.push(upTo);
      return asked.length === 1 ? 7 : undefined;
    };
    await expect(sample.archive({ firstUnread })).rejects.toThrow('has not read position 7 of the log yet');
    expect(await sample.store.history(ended)).toHaveLength(2);
    await sample.archive({ firstUnread });
    expect(asked).toEqual([8, 8]);
  }, 60_000);
});
