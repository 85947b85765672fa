import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlineViewDifferences } from '@xs2a/event-store/projections/inline-view-rebuild';
import { april, march, SampleArchive, stopAt } from '../testing/sample-archive.js';
import { idIn, monthNamed } from '../testing/sample-months.js';
import { sequenceAll } from '@xs2a/event-store/testing/sequence-all';
import { archivedMonths } from '@xs2a/event-store/months/archived-months';
import { findStream } from './find-stream.js';
import { verifyArchive } from './verify-archive.js';

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

describe('an archived month (docs/how-to/archive.md)', () => {
  it('is written to a file that can be verified on its own, and the rest of the log can be verified from the first position', async () => {
    const { anchor } = await sample.verify();
    const { file } = await sample.archive();
    expect(readdirSync(sample.folder)).toEqual([file]);
    expect(await verifyArchive(join(sample.folder, file), { trusted: [anchor] })).toMatchObject({
      head: { resource: 'payments', month: '2026-03', part: 1 },
      manifest: { streams: 2, events: 4, ranges: 2, firstPos: 1, lastPos: 8 },
      anchors: 1,
      trusted: 0,
    });
    expect(await sample.verify()).toMatchObject({ findings: [], streams: 2, events: 6, anchor });
    expect(await inlineViewDifferences(sample.pool, sample.store)).toEqual([]);
    expect(await sample.store.load(ended)).toBeUndefined();
    expect(await sample.store.history(ended)).toEqual([]);
    expect((await findStream(join(sample.folder, file), ended)).map(({ version }) => version)).toEqual([
      1, 2,
    ]);
    expect(await sample.database.sql('SELECT pos FROM payments.log')).toHaveLength(6);
    expect(await sample.tables()).toEqual(['events_2026_03', 'events_2026_04', 'events_default']);
  }, 60_000);

  it('keeps the events of a stream that has not ended; the stream continues and is archived once it ends', async () => {
    await sample.archive();
    expect(await sample.store.history(running)).toHaveLength(3);
    await sample.count(running, 'done');
    await sample.settle();
    await sample.count(young);
    await sample.settle();
    expect(await sample.findings()).toEqual([]);
    const { file, part } = await sample.archive();
    expect(part).toBe(2);
    expect(await verifyArchive(join(sample.folder, file))).toMatchObject({
      manifest: { streams: 1, events: 4 },
    });
    expect(await sample.findings()).toEqual([]);
    await expect(sample.archive()).rejects.toThrow('no closed stream (0 are open)');
  }, 60_000);

  it('is readable only by the owner of its file, even if an interrupted run left a file that others may read', async () => {
    await expect(sample.archive({ onStep: stopAt('verified') })).rejects.toThrow('stopped');
    for (const name of readdirSync(sample.folder)) chmodSync(join(sample.folder, name), 0o644);
    const { file } = await sample.archive();
    expect(readdirSync(sample.folder)).toEqual([file]);
    expect(statSync(join(sample.folder, file)).mode & 0o777).toBe(0o600);
  }, 60_000);

  it.each(['verified', 'recorded', 'named', 'ranges', 'detached', 'views', 'log', 'dropped'] as const)(
    'is completed by a second run if the first one is interrupted after %s',
    async (step) => {
      await expect(sample.archive({ onStep: stopAt(step) })).rejects.toThrow('stopped');
      expect(await sample.findings()).toEqual([]);
      await sample.count(running, 'open');
      await sample.settle();
      const { file } = await sample.archive();
      expect(readdirSync(sample.folder)).toEqual([file]);
      expect(await verifyArchive(join(sample.folder, file))).toMatchObject({
        manifest: { streams: 2, events: 4 },
      });
      expect((await archivedMonths(sample.pool)).map(({ finishedAt }) => finishedAt)).toEqual([
        expect.any(Date),
      ]);
      expect(await sample.store.history(running)).toHaveLength(4);
      expect(await sample.findings()).toEqual([]);
      expect(await sample.tables()).toEqual(['events_2026_03', 'events_2026_04', 'events_default']);
    },
    60_000,
  );

  it('does not block concurrent appends, and loses no event of a stream that continues', async () => {
    const stop = new AbortController();
    let appended = 3;
    const appending = (async () => {
      for (; !stop.signal.aborted; appended += 1) {
        await sample.count(running, 'open');
        await sequenceAll(sample.pool);
      }
    })();
    await sample.archive();
    stop.abort();
    await appending;
    await sample.settle();
    expect(await sample.store.history(running)).toHaveLength(appended);
    expect(await sample.findings()).toEqual([]);
  }, 60_000);

  it('is not dropped if the operator keeps its table, and is not archived again until the kept table has been removed', async () => {
    await sample.archive({ keep: true });
    expect(await sample.tables()).toContain('events_2026_03_former');
    await expect(sample.archive()).rejects.toThrow('"events_2026_03_former" still exists');
  }, 60_000);
});

describe('a month that cannot be archived (docs/how-to/archive.md)', () => {
  it('is the current month, the previous month, or a month without a partition', async () => {
    const now = (text: string) => sample.archive({ nowMs: Date.parse(text) });
    await expect(now('2026-03-31T23:59:59Z')).rejects.toThrow('is too recent to archive');
    await expect(now('2026-04-30T23:59:59Z')).rejects.toThrow('is too recent to archive');
    await expect(sample.archive({ month: monthNamed('2026-02') })).rejects.toThrow('has no partition');
  }, 60_000);

  it('has only streams with an event in the current or previous month, or with one of the newest positions', async () => {
    await expect(sample.archive({ nowMs: Date.parse('2026-05-10T12:00:00Z') })).rejects.toThrow(
      'no closed stream (3 are open)',
    );
    await expect(sample.archive({ newest: 10 })).rejects.toThrow('no closed stream (3 are open)');
  }, 60_000);

  it('has an event that has been changed', async () => {
    await sample.database.sql(
      `UPDATE payments.events SET data = '{"by": 7}' WHERE stream_id = $1 AND version = 1`,
      [ended],
    );
    await expect(sample.archive()).rejects.toThrow(
      `has different content from what was appended in the event at position 1`,
    );
    expect(await archivedMonths(sample.pool)).toEqual([]);
  }, 60_000);

  it('has lost a stream or the last events of one', async () => {
    await sample.database.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', [ended]);
    await expect(sample.archive()).rejects.toThrow('do not match its status view');
    await sample.database.sql('DELETE FROM payments.events WHERE stream_id = $1', [ended]);
    await expect(sample.archive()).rejects.toThrow('has events of 2 streams, but its status view shows 3');
  }, 60_000);

  it('is part of a log that differs from its anchors', async () => {
    await sample.database.sql(
      `UPDATE payments.events SET hash = sha256('another') WHERE stream_id = $1 AND version = 1`,
      [young],
    );
    await expect(sample.archive()).rejects.toThrow('the log up to position 8 has changed');
  }, 60_000);

  it('has an ended stream that received an event after the file was written; the next run leaves that stream in the table', async () => {
    await expect(sample.archive({ onStep: stopAt('recorded') })).rejects.toThrow('stopped');
    await sample.count(ended, 'open');
    await sample.settle();
    await expect(sample.archive()).rejects.toThrow(`the closed stream ${ended} received another event`);
    await sample.archive();
    expect(await sample.store.history(ended)).toHaveLength(3);
    expect(await sample.findings()).toEqual([]);
  }, 60_000);

  it('is not dropped if its file was changed after being written', async () => {
    const { file } = await sample.archive({ onStep: stopAt('detached') }).catch(async () => {
      const [unfinished] = await archivedMonths(sample.pool);
      return unfinished ?? { file: '' };
    });
    const path = join(sample.folder, file);
    const written = readFileSync(path);
    writeFileSync(path, written.subarray(0, -1));
    await expect(sample.archive()).rejects.toThrow('is not the file that was written');
    expect(await sample.tables()).toContain('events_2026_03_former');
    writeFileSync(path, written);
    await sample.archive();
  }, 60_000);
});

describe('restoring a file (docs/how-to/archive.md)', () => {
  it('brings back all rows unchanged, and the month can be archived again', async () => {
    const before = await sample.database.sql(
      'SELECT e.*, l.pos FROM payments.events e JOIN payments.log l USING (stream_id, version) ORDER BY pos',
    );
    const views = await sample.database.sql('SELECT * FROM payments.sample_view ORDER BY stream_id');
    const { file } = await sample.archive();
    await sample.restore(file);
    expect(
      await sample.database.sql(
        'SELECT e.*, l.pos FROM payments.events e JOIN payments.log l USING (stream_id, version) ORDER BY pos',
      ),
    ).toEqual(before);
    expect(await sample.database.sql('SELECT * FROM payments.sample_view ORDER BY stream_id')).toEqual(views);
    expect(await sample.findings()).toEqual([]);
    expect(await archivedMonths(sample.pool)).toEqual([]);
    expect(await sample.database.sql('SELECT FROM payments.log_archived')).toEqual([]);
    rmSync(join(sample.folder, file));
    await sample.archive();
    expect(await sample.findings()).toEqual([]);
  }, 60_000);

  it.each(['verified', 'loaded', 'attached', 'rebuilt'] as const)(
    'is completed by a second run if the first one is interrupted after %s',
    async (step) => {
      const { file } = await sample.archive();
      await expect(sample.restore(file, { onStep: stopAt(step) })).rejects.toThrow('stopped');
      expect(await sample.findings()).toEqual([]);
      await sample.count(running, 'open');
      await sample.settle();
      await sample.restore(file);
      expect(await sample.findings()).toEqual([]);
      expect(await sample.store.history(ended)).toHaveLength(2);
      expect(await sample.store.history(running)).toHaveLength(4);
      expect(await sample.tables()).toEqual(['events_2026_03', 'events_2026_04', 'events_default']);
    },
    60_000,
  );

  it('is refused if the file is not an archive of this database', async () => {
    const { file } = await sample.archive();
    await sample.database.sql(`UPDATE payments.archived_month SET sha256 = 'another'`);
    await expect(sample.restore(file)).rejects.toThrow('is not an archive file of this database');
  }, 60_000);
});

describe('the rest of an archived log (docs/how-to/archive.md)', () => {
  it('reveals a change before or after the archived range, even if all later hashes were changed too', async () => {
    await sample.archive();
    await sample.database.sql(`UPDATE payments.log_archived SET hash = repeat('a', 64) WHERE first_pos = 1`);
    const { findings } = await sample.verify();
    expect(findings.map(({ kind, pos }) => [kind, pos])).toEqual([
      ['changed', 8],
      ['changed', 10],
    ]);
  }, 60_000);

  it('reveals a missing position that was not archived', async () => {
    await sample.archive();
    await sample.database.sql('DELETE FROM payments.log WHERE pos = 3');
    const { findings } = await sample.verify();
    expect(findings.map(({ kind }) => kind)).toContain('deleted');
  }, 60_000);
});

describe('two consecutive months', () => {
  it('can be archived one at a time, even if an anchor is between two events in the first file', async () => {
    await sample.database.sql(
      'TRUNCATE payments.events, payments.unsequenced, payments.log, payments.log_anchor, payments.sample_view',
    );
    await sample.begin(idIn(march));
    await sample.settle();
    await sample.begin(idIn(march));
    await sample.begin(idIn(april));
    await sample.settle();
    await sample.begin(idIn(april), 'open');
    await sample.settle();
    expect((await sample.archive()).events).toBe(4);
    expect(await sample.findings()).toEqual([]);
    expect((await sample.archive({ month: april, nowMs: Date.parse('2026-08-20T12:00:00Z') })).events).toBe(
      2,
    );
    expect(await sample.findings()).toEqual([]);
  });
});
