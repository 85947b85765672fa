import { custodyTables } from '../custody.tables.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '@xs2a/runtime/clock';
import type pg from 'pg';
import { archiveMonth, type ArchiveOptions, type ArchiveStep } from '../archive/archive-month.js';
import type { ArchivedMonth } from '@xs2a/event-store/months/archived-months';
import { type RestoreOptions, restoreMonth, type RestoreStep } from '../archive/restore-month.js';
import { inlineViewDifferences, rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { anchorLog } from '@xs2a/event-store/verification/log-anchor';
import { verifyStreams } from '@xs2a/event-store/verification/verify-events';
import {
  archivedAtMs,
  idIn,
  makePartition,
  monthNamed,
  archivedSample,
  storedAtMs,
} from './sample-months.js';
import { sequenceAll } from '@xs2a/event-store/testing/sequence-all';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
  sampleResource,
} from '@xs2a/event-store/testing/sample-stream';

export const [march, april] = [monthNamed('2026-03'), monthNamed('2026-04')];

/** Returns a step option that interrupts a run after one of its steps. */
export const stopAt =
  (at: ArchiveStep | RestoreStep) =>
  (step: ArchiveStep | RestoreStep): void => {
    if (step === at) throw new Error(`stopped at ${step}`);
  };

/**
 * Sample streams of March and April 2026, stored in April and archived in July, and a folder for archive files.
 * For tests of archiving.
 */
export class SampleArchive {
  readonly pool: pg.Pool;
  readonly owner: pg.Pool;
  readonly store: SampleStore;
  folder = '';

  private constructor(readonly database: SampleDatabase) {
    this.pool = database.pool();
    this.owner = database.superuserPool('payments');
    this.store = database.store(this.pool, new Clock(false, () => storedAtMs));
  }

  static async start(): Promise<SampleArchive> {
    return new SampleArchive(await startSampleDatabase({ more: custodyTables('payments') }));
  }

  async stop(): Promise<void> {
    this.removeFolder();
    await this.database.stop();
  }

  /** Empties the tables and the folder. */
  async clear(): Promise<void> {
    await this.database.sql(`SET search_path = payments;
      DROP TABLE IF EXISTS events_2026_03, events_2026_04, events_2026_03_former, events_2026_03_next;
      TRUNCATE events, unsequenced, log, log_anchor, archived_month, log_archived, sample_view; RESET search_path`);
    for (const month of [march, april]) await makePartition(this.database, month);
    this.clearFolder();
  }

  clearFolder(): void {
    this.removeFolder();
    this.folder = mkdtempSync(join(tmpdir(), 'xs2a-archive-'));
  }

  /**
   * Creates four streams: two of March that have ended, one of March that has not, and one of April, with events
   * at positions 1 to 10.
   */
  async fill(): Promise<{ readonly ended: string; readonly running: string; readonly young: string }> {
    const ended = await this.begin(idIn(march));
    const young = await this.begin(idIn(april));
    const running = await this.begin(idIn(march), 'open');
    await this.begin(idIn(march));
    await this.settle();
    await this.count(running, 'open');
    await this.count(young);
    await this.settle();
    return { ended, running, young };
  }

  async begin(streamId: string, note?: string): Promise<string> {
    await this.store.append({ streamId, events: [counted(1), counted(2, note)], actor: 'tester' });
    return streamId;
  }

  async count(streamId: string, note?: string): Promise<void> {
    await this.store.change(streamId, () => ({ events: [counted(3, note)] }), { actor: 'tester' });
  }

  async settle(): Promise<void> {
    await sequenceAll(this.pool);
    await anchorLog(this.pool);
  }

  async archive(options: Partial<ArchiveOptions> = {}): Promise<ArchivedMonth> {
    return archiveMonth(this.owner, {
      resource: archivedSample,
      month: march,
      folder: this.folder,
      nowMs: archivedAtMs,
      newest: 1,
      ...options,
    });
  }

  async restore(file: string, options: Partial<RestoreOptions> = {}): Promise<ArchivedMonth> {
    return restoreMonth(this.owner, join(this.folder, file), {
      rebuildViews: async ({ from, to }) =>
        void (await rebuildInlineView(this.owner, this.store, { between: [from, to] })),
      ...options,
    });
  }

  async verify(): ReturnType<typeof verifyStreams> {
    return verifyStreams(this.pool, { resource: sampleResource });
  }

  /**
   * Returns the findings of verification, followed by the view rows that differ from their events. An empty list
   * means that everything is consistent.
   */
  async findings(): Promise<unknown[]> {
    return [...(await this.verify()).findings, ...(await inlineViewDifferences(this.pool, this.store))];
  }

  /** Returns the names of the event tables. */
  async tables(): Promise<unknown[]> {
    const rows = await this.database.sql(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'events%' ORDER BY relname`,
    );
    return rows.map(({ relname }) => relname);
  }

  private removeFolder(): void {
    if (this.folder !== '') rmSync(this.folder, { recursive: true, force: true });
  }
}
