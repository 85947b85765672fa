import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { archiveMonth } from '@xs2a/custody/archive/archive-month';
import { custodyTables } from '@xs2a/custody/custody.tables';
import { idIn, makePartition, monthNamed, archivedSample } from '@xs2a/custody/testing/sample-months';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
} from '@xs2a/event-store/testing/sample-stream';
import { sequenceAll } from '@xs2a/event-store/testing/sequence-all';
import { anchorLog } from '@xs2a/event-store/verification/log-anchor';
import { Clock } from '@xs2a/runtime/clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { dueMonths, neverArchived } from './due-months.js';
import { retainedFiles } from './retained-files.js';

const [march, april] = [monthNamed('2026-03'), monthNamed('2026-04')];
let database: SampleDatabase;
let pool: Pool;
let owner: Pool;
let store: SampleStore;
let folder: string;

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  pool = database.pool();
  owner = database.superuserPool('payments');
  store = database.store(pool, new Clock(false, () => Date.parse('2026-04-20T10:00:00Z')));
}, 60_000);
afterAll(async () => {
  await database.stop();
});

afterEach(() => rmSync(folder, { recursive: true }));
/** Three streams from March, one of which is open, and one stream from April; all events are dated 20 April 2026. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xs2a-due-'));
  await database.sql(`SET search_path = payments;
    DROP TABLE IF EXISTS events_2026_03, events_2026_04;
    TRUNCATE events, unsequenced, log, log_anchor, archived_month, log_archived, sample_view; RESET search_path`);
  for (const month of [march, april]) await makePartition(database, month);
  for (const note of ['done', 'done', 'open'])
    await store.append({ streamId: idIn(march), events: [counted(1), counted(2, note)], actor: 'tester' });
  await store.append({ streamId: idIn(april), events: [counted(1, 'done')], actor: 'tester' });
  await sequenceAll(pool);
  await anchorLog(pool);
}, 60_000);

const asOf = (now: string, archivedAfterMonths: number) => ({
  tables: archivedSample,
  nowMs: Date.parse(now),
  archivedAfterMonths,
  newest: 0,
});
const dueMonthNames = async (now: string, months: number): Promise<string[]> =>
  (await dueMonths(owner, asOf(now, months))).map(({ month }) => month);

describe('due months (docs/how-to/retention.md)', () => {
  it('are listed with their ended and open streams and the date since which they have been due', async () => {
    expect(await dueMonths(owner, asOf('2026-06-01T00:00:00Z', 2))).toEqual([
      { month: '2026-03', since: '2026-05-01', streams: 2, events: 4, open: 1, bytes: expect.any(Number) },
      { month: '2026-04', since: '2026-06-01', streams: 1, events: 1, open: 0, bytes: expect.any(Number) },
    ]);
  });

  it.each([
    ['2026-05-31T23:59:59Z', 2, []],
    ['2026-06-01T00:00:00Z', 2, ['2026-03', '2026-04']],
    ['2027-05-31T23:59:59Z', 14, []],
    ['2027-06-01T00:00:00Z', 14, ['2026-03', '2026-04']],
  ])(
    'as of %s, if months are due after %i months without an event, are %j',
    async (now, months, expected) => {
      expect(await dueMonthNames(now, months)).toEqual(expected);
    },
  );

  it('exclude a month whose ended streams have all been archived, until another stream ends', async () => {
    const now = '2026-06-01T00:00:00Z';
    const archive = { resource: archivedSample, month: march, folder, newest: 0 } as const;
    await archiveMonth(owner, { ...archive, nowMs: Date.parse(now) });
    expect(await dueMonthNames(now, 2)).toEqual(['2026-04']);
    await database.sql(`UPDATE payments.sample_view SET note = 'done'`);
    expect(await dueMonthNames(now, 2)).toEqual(['2026-03', '2026-04']);
    expect(await neverArchived(owner, asOf(now, 2))).toEqual([{ month: '2026-04', since: '2026-06-01' }]);
  }, 60_000);

  it('are the only months that `archive month` accepts, and only streams that ended long enough ago are archived from them', async () => {
    const archive = async (now: string, endedMonths: number) =>
      archiveMonth(owner, {
        resource: archivedSample,
        month: march,
        folder,
        newest: 0,
        nowMs: Date.parse(now),
        endedMonths,
      });
    await expect(archive('2027-04-30T23:59:59Z', 14)).rejects.toThrow(
      '2026-03 is too recent to archive: only months before 2026-03 can be archived now',
    );
    await expect(archive('2027-05-31T23:59:59Z', 14)).rejects.toThrow('no closed stream (3 are open)');
    expect(await archive('2027-06-01T00:00:00Z', 14)).toMatchObject({ streams: 2 });
  }, 60_000);

  it('exclude months without ended streams, for doctor as well', async () => {
    await database.sql(`UPDATE payments.sample_view SET note = 'open'`);
    expect(await dueMonthNames('2026-06-01T00:00:00Z', 2)).toEqual([]);
    expect(await neverArchived(owner, asOf('2026-06-01T00:00:00Z', 2))).toEqual([]);
  });

  it('exclude months whose streams all have events among the newest positions', async () => {
    const options = { ...asOf('2026-06-01T00:00:00Z', 2), newest: 1 };
    expect((await dueMonths(owner, options)).map(({ month }) => month)).toEqual(['2026-03']);
    expect((await neverArchived(owner, options)).map(({ month }) => month)).toEqual(['2026-03']);
  });

  it('are listed with the reason if they cannot be archived because their events do not match the status view', async () => {
    await database.sql(`DELETE FROM payments.sample_view WHERE note = 'open'`);
    const [damaged] = await dueMonths(owner, asOf('2026-06-01T00:00:00Z', 2));
    expect(damaged).toMatchObject({
      month: '2026-03',
      problem: expect.stringMatching(/do not match its status view/),
    });
  });
});

describe('archive files (docs/how-to/retention.md)', () => {
  const fileOf = async (written: string) => {
    await database.sql(
      `INSERT INTO payments.archived_month (month, part, file, sha256, streams, events, head, carried_streams, written_at, finished_at)
       VALUES ('2026-03', 1, 'payments-2026-03-1.zst', '', 1, 1, 1, 0, $1, $1)`,
      [written],
    );
    return async (now: string, retainedYears = 5) => {
      const nowMs = Date.parse(now);
      return (await retainedFiles(owner, { nowMs, retainedYears, timeZone: 'Europe/Sofia' }))[0];
    };
  };

  it('must be kept for five years from the end of the year in which the last of their payments may have ended', async () => {
    const readAt = await fileOf('2027-06-10T08:00:00Z');
    expect(await readAt('2032-12-31T21:59:59Z')).toEqual({
      file: 'payments-2026-03-1.zst',
      month: '2026-03',
      part: 1,
      retainedUntil: '2032-12-31',
      isOver: false,
    });
    expect(await readAt('2032-12-31T22:00:00Z')).toMatchObject({ isOver: true });
    expect(await readAt('2032-12-31T22:00:00Z', 10)).toMatchObject({ retainedUntil: '2037-12-31' });
  });

  it('written in January contain no payments that ended in December', async () => {
    const readAt = await fileOf('2028-01-10T08:00:00Z');
    expect(await readAt('2033-01-01T00:00:00Z')).toMatchObject({ retainedUntil: '2032-12-31', isOver: true });
  });

  it('are not listed while they are unfinished', async () => {
    const readAt = await fileOf('2027-06-10T08:00:00Z');
    await database.sql('UPDATE payments.archived_month SET finished_at = NULL');
    expect(await readAt('2040-01-01T00:00:00Z')).toBeUndefined();
  });
});
