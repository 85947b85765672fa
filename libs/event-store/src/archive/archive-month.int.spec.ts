import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { inlineViewDifferences, rebuildInlineView } from '../projections/inline-view-rebuild.js';
import { RelayLog } from '../publishing/relay-log.js';
import { idIn, makePartition, monthNamed, sampleTables } from '../testing/sample-months.js';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
} from '../testing/sample-stream.js';
import { anchorLog } from '../verification/log-anchor.js';
import { verifyStreams } from '../verification/verify-events.js';
import { archiveMonth, type ArchiveOptions, type ArchiveStep } from './archive-month.js';
import { ArchiveUnderWay } from './archive-lock.js';
import { archivedMonths } from './archived-months.js';
import { NotExchanged } from './exchange-partition.js';
import { findStream } from './find-stream.js';
import { restoreMonth, type RestoreStep } from './restore-month.js';
import { findHolder } from './table-holder.js';
import { verifyArchive } from './verify-archive.js';

const [march, april] = [monthNamed('2026-03'), monthNamed('2026-04')];

let database: SampleDatabase;
let pool: pg.Pool;
let owner: pg.Pool;
let store: SampleStore;
let folder: string;
let ended: string;
let running: string;
let young: string;

const sequenceAll = async (): Promise<void> => {
  const session = await database.pool('relay').connect();
  const log = await RelayLog.open(session);
  while ((await log.sequence(await log.head())).length > 0);
  session.release(true);
};
const begin = async (streamId: string, note?: string): Promise<string> => {
  await store.append({ streamId, events: [counted(1), counted(2, note)], actor: 'tester' });
  return streamId;
};
const count = async (streamId: string, note?: string): Promise<void> => {
  await store.change(streamId, () => ({ events: [counted(3, note)] }), { actor: 'tester' });
};
const settle = async (): Promise<void> => {
  await sequenceAll();
  await anchorLog(pool);
};

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  owner = database.superuserPool('payments');
  store = database.store(pool);
}, 60_000);
afterAll(async () => database.stop());
beforeEach(async () => {
  await database.sql(`SET search_path = payments;
    DROP TABLE IF EXISTS events_2026_03, events_2026_04, events_2026_03_former, events_2026_03_next;
    TRUNCATE events, unsequenced, log, log_anchor, archived_month, log_archived, sample_view; RESET search_path`);
  for (const month of [march, april]) await makePartition(database, month);
  folder = mkdtempSync(join(tmpdir(), 'xs2a-archive-'));
  ended = await begin(idIn(march));
  young = await begin(idIn(april));
  running = await begin(idIn(march), 'open');
  await begin(idIn(march));
  await settle();
  await count(running, 'open');
  await count(young);
  await settle();
}, 60_000);
afterEach(() => rmSync(folder, { recursive: true }));

const inThreeMonths = (): number => Date.now() + 93 * 86_400_000;
const archive = async (options: Partial<ArchiveOptions> = {}) =>
  archiveMonth(owner, {
    resource: 'payments',
    month: march,
    folder,
    nowMs: inThreeMonths(),
    newest: 1,
    tables: sampleTables,
    ...options,
  });
const restore = async (file: string, onStep?: (step: RestoreStep) => void) =>
  restoreMonth(owner, join(folder, file), {
    rebuildViews: async ({ from, to }) =>
      void (await rebuildInlineView(owner, store, { between: [from, to] })),
    onStep,
  });
const verified = async () => verifyStreams(pool, { resource: 'payments', view: 'sample_view' });
const mustHold = async (): Promise<void> => {
  expect((await verified()).findings).toEqual([]);
  expect(await inlineViewDifferences(pool, store)).toEqual([]);
};
const stopAt =
  (at: ArchiveStep | RestoreStep) =>
  (step: ArchiveStep | RestoreStep): void => {
    if (step === at) throw new Error(`stopped at ${step}`);
  };
const tables = async (): Promise<unknown[]> =>
  (
    await database.sql(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'events%' ORDER BY relname`,
    )
  ).map(({ relname }) => relname);

describe('a month that is archived (docs/how-to/archive.md)', () => {
  it('lies in a file that proves itself, and what remains is verified from the first position on', async () => {
    const { anchor } = await verified();
    const { file } = await archive();
    expect(readdirSync(folder)).toEqual([file]);
    expect(await verifyArchive(join(folder, file), { trusted: [anchor] })).toMatchObject({
      head: { resource: 'payments', month: '2026-03', part: 1 },
      manifest: { streams: 2, events: 4, ranges: 2, firstPos: 1, lastPos: 8 },
      anchors: 1,
      trusted: 0,
    });
    expect(await verified()).toMatchObject({ findings: [], streams: 2, events: 6, anchor });
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    expect(await store.load(ended)).toBeUndefined();
    expect(await store.history(ended)).toEqual([]);
    expect((await findStream(join(folder, file), ended)).map(({ version }) => version)).toEqual([1, 2]);
    expect(await database.sql('SELECT pos FROM payments.log')).toHaveLength(6);
    expect(await tables()).toEqual(['events_2026_03', 'events_2026_04', 'events_default']);
  }, 60_000);

  it('keeps the events of a stream that has not ended, which goes on and is archived when it has', async () => {
    await archive();
    expect(await store.history(running)).toHaveLength(3);
    await count(running, 'done');
    await settle();
    await count(young);
    await settle();
    await mustHold();
    const { file, part } = await archive();
    expect(part).toBe(2);
    expect(await verifyArchive(join(folder, file))).toMatchObject({ manifest: { streams: 1, events: 4 } });
    await mustHold();
    await expect(archive()).rejects.toThrow('no stream that has ended (0 are open)');
  }, 60_000);

  it.each(['verified', 'recorded', 'named', 'detached', 'views', 'log', 'dropped'] as const)(
    'is complete after a run that ended behind %s was repeated',
    async (step) => {
      await expect(archive({ onStep: stopAt(step) })).rejects.toThrow('stopped');
      await mustHold();
      await count(running, 'open');
      await settle();
      const { file } = await archive();
      expect(readdirSync(folder)).toEqual([file]);
      expect(await verifyArchive(join(folder, file))).toMatchObject({ manifest: { streams: 2, events: 4 } });
      expect((await archivedMonths(pool)).map(({ finishedAt }) => finishedAt)).toEqual([expect.any(Date)]);
      expect(await store.history(running)).toHaveLength(4);
      await mustHold();
      expect(await tables()).toEqual(['events_2026_03', 'events_2026_04', 'events_default']);
    },
    60_000,
  );

  it('waits for nobody while others append, and loses no event of a stream that goes on', async () => {
    const stop = new AbortController();
    let appended = 3;
    const appending = (async () => {
      for (; !stop.signal.aborted; appended += 1) {
        await count(running, 'open');
        await sequenceAll();
      }
    })();
    await archive();
    stop.abort();
    await appending;
    await settle();
    expect(await store.history(running)).toHaveLength(appended);
    await mustHold();
  }, 60_000);

  it('is not dropped when the operator keeps it, and then not archived again before that is gone', async () => {
    await archive({ keep: true });
    expect(await tables()).toContain('events_2026_03_former');
    await expect(archive()).rejects.toThrow('"events_2026_03_former" is there still');
  }, 60_000);
});

describe('a month that cannot be archived', () => {
  it('is the present one, the one before, or one without a partition', async () => {
    const now = (text: string) => archive({ nowMs: Date.parse(text) });
    await expect(now('2026-03-31T23:59:59Z')).rejects.toThrow('not been over for long enough');
    await expect(now('2026-04-30T23:59:59Z')).rejects.toThrow('not been over for long enough');
    await expect(archive({ month: monthNamed('2026-02') })).rejects.toThrow('has no partition');
  }, 60_000);

  it('has only streams with an event in these two months, or among the newest positions', async () => {
    await expect(archive({ nowMs: Date.now() })).rejects.toThrow('no stream that has ended (3 are open)');
    await expect(archive({ newest: 10 })).rejects.toThrow('no stream that has ended (3 are open)');
  }, 60_000);

  it('has an event that was changed', async () => {
    await database.sql(`UPDATE payments.events SET data = '{"by": 7}' WHERE stream_id = $1 AND version = 1`, [
      ended,
    ]);
    await expect(archive()).rejects.toThrow(`another content than was appended in the event at position 1`);
    expect(await archivedMonths(pool)).toEqual([]);
  }, 60_000);

  it('has lost a stream, or the end of one', async () => {
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', [ended]);
    await expect(archive()).rejects.toThrow('are not those that its status view shows');
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1', [ended]);
    await expect(archive()).rejects.toThrow('has events of 2 streams, and its status view shows 3');
  }, 60_000);

  it('stands in a log that is not what its anchors say', async () => {
    await database.sql(
      `UPDATE payments.events SET hash = sha256('another') WHERE stream_id = $1 AND version = 1`,
      [young],
    );
    await expect(archive()).rejects.toThrow('the log up to position 8 is not what it was');
  }, 60_000);

  it('has an ended stream that has got an event since the file was written; the next run carries it over', async () => {
    await expect(archive({ onStep: stopAt('recorded') })).rejects.toThrow('stopped');
    await count(ended, 'open');
    await settle();
    await expect(archive()).rejects.toThrow(`stream ${ended} had ended and has got another event`);
    await archive();
    expect(await store.history(ended)).toHaveLength(3);
    await mustHold();
  }, 60_000);

  it('is not dropped when its file was changed meanwhile', async () => {
    const { file } = await archive({ onStep: stopAt('detached') }).catch(async () => {
      const [unfinished] = await archivedMonths(pool);
      return unfinished ?? { file: '' };
    });
    const path = join(folder, file);
    const written = readFileSync(path);
    writeFileSync(path, written.subarray(0, -1));
    await expect(archive()).rejects.toThrow('is not the file that was written');
    expect(await tables()).toContain('events_2026_03_former');
    writeFileSync(path, written);
    await archive();
  }, 60_000);
});

describe('a table that somebody holds', () => {
  const hold = async (name: string): Promise<() => Promise<void>> => {
    const session = await database.superuserPool('payments', name).connect();
    await session.query('BEGIN');
    await session.query('SELECT FROM events LIMIT 1');
    return async () => {
      await session.query('ROLLBACK');
      session.release();
    };
  };

  it('is not asked for while pg_dump reads it: the run ends at once and is completed later', async () => {
    const release = await hold('pg_dump');
    const begun = performance.now();
    await expect(archive()).rejects.toThrow(
      /^pg_dump \(process \d+ of PostgreSQL\) holds the table events since/,
    );
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await store.history(ended)).toHaveLength(2);
    await release();
    const { file } = await archive();
    const releaseAgain = await hold('pg_dump');
    await expect(restore(file)).rejects.toThrow(NotExchanged);
    await releaseAgain();
    await restore(file);
    await mustHold();
  }, 60_000);

  it('is held for long by any transaction that is older than those of a service', async () => {
    const release = await hold('report');
    expect(await findHolder(owner)).toBeUndefined();
    expect(await findHolder(owner, 0)).toMatchObject({ program: 'report' });
    await release();
    expect(await findHolder(owner, 0)).toBeUndefined();
  }, 60_000);
});

describe('a file that is restored', () => {
  it('puts everything back as it was, and may be archived again', async () => {
    const before = await database.sql(
      'SELECT e.*, l.pos FROM payments.events e JOIN payments.log l USING (stream_id, version) ORDER BY pos',
    );
    const views = await database.sql('SELECT * FROM payments.sample_view ORDER BY stream_id');
    const { file } = await archive();
    await restore(file);
    expect(
      await database.sql(
        'SELECT e.*, l.pos FROM payments.events e JOIN payments.log l USING (stream_id, version) ORDER BY pos',
      ),
    ).toEqual(before);
    expect(await database.sql('SELECT * FROM payments.sample_view ORDER BY stream_id')).toEqual(views);
    await mustHold();
    expect(await archivedMonths(pool)).toEqual([]);
    expect(await database.sql('SELECT FROM payments.log_archived')).toEqual([]);
    rmSync(join(folder, file));
    await archive();
    await mustHold();
  }, 60_000);

  it.each(['verified', 'loaded', 'attached', 'rebuilt'] as const)(
    'is restored after a run that ended behind %s was repeated',
    async (step) => {
      const { file } = await archive();
      await expect(restore(file, stopAt(step))).rejects.toThrow('stopped');
      await mustHold();
      await count(running, 'open');
      await settle();
      await restore(file);
      await mustHold();
      expect(await store.history(ended)).toHaveLength(2);
      expect(await store.history(running)).toHaveLength(4);
      expect(await tables()).toEqual(['events_2026_03', 'events_2026_04', 'events_default']);
    },
    60_000,
  );

  it('is refused when the database was not archived to it', async () => {
    const { file } = await archive();
    await database.sql(`UPDATE payments.archived_month SET sha256 = 'another'`);
    await expect(restore(file)).rejects.toThrow('is not a file to which this database was archived');
  }, 60_000);
});

describe('what remains of an archived log', () => {
  it('shows that something before or behind the range was changed together with all later hashes', async () => {
    await archive();
    await database.sql(`UPDATE payments.log_archived SET hash = repeat('a', 64) WHERE first_pos = 1`);
    const { findings } = await verified();
    expect(findings.map(({ kind, pos }) => [kind, pos])).toEqual([
      ['changed', 8],
      ['changed', 10],
    ]);
  }, 60_000);

  it('shows that a position which was not archived is gone', async () => {
    await archive();
    await database.sql('DELETE FROM payments.log WHERE pos = 3');
    const { findings } = await verified();
    expect(findings.map(({ kind }) => kind)).toContain('deleted');
  }, 60_000);
});

describe('two months in a row', () => {
  it('are archived one after the other, though an anchor lies between two events that the first file has', async () => {
    await database.sql(
      'TRUNCATE payments.events, payments.unsequenced, payments.log, payments.log_anchor, payments.sample_view',
    );
    await begin(idIn(march));
    await settle();
    await begin(idIn(march));
    await begin(idIn(april));
    await settle();
    await begin(idIn(april), 'open');
    await settle();
    expect((await archive()).events).toBe(4);
    await mustHold();
    expect((await archive({ month: april, nowMs: Date.now() + 124 * 86_400_000 })).events).toBe(2);
    await mustHold();
  });
});

describe('runs that would get in each other’s way', () => {
  it('are refused while one archives', async () => {
    const others: Promise<unknown>[] = [];
    await archive({
      onStep: (step) => {
        if (step === 'named') others.push(archive().catch((error: unknown) => error));
      },
    });
    expect(await Promise.all(others)).toEqual([expect.any(ArchiveUnderWay)]);
    await mustHold();
  });

  it('are refused while a restore of the month is unfinished: what another part had is not removed', async () => {
    const { file: first } = await archive();
    await count(running, 'done');
    await count(young);
    await settle();
    const { file: second } = await archive();
    await restore(first);
    await expect(restore(second, stopAt('attached'))).rejects.toThrow('stopped');
    await expect(archive()).rejects.toThrow('run archive restore FILE again');
    await restore(second);
    await mustHold();
    for (const streamId of [ended, running]) expect(await store.load(streamId)).toBeDefined();
    expect(await archivedMonths(pool, march.name)).toEqual([]);
  });
});
