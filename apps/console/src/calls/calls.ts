import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CallRow, CallRowBatch } from '@xs2a/contracts/console.contract';
import { Clock } from '@xs2a/runtime/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { CallBatchEntity } from './call-batch.entity.js';
import { CallContents } from './call-contents.js';
import { CallDays } from './call-days.js';
import { CallsLeftOutEntity } from './calls-left-out.entity.js';
import { storeCertificates } from './store-certificates.js';

/** The columns of `call` in the order in which a batch is inserted. */
const columns = [
  ['at', 'at', 'timestamptz'],
  ['requestId', 'request_id', 'uuid'],
  ['traceId', 'trace_id', 'text'],
  ['tppId', 'tpp_id', 'text'],
  ['operation', 'operation', 'text'],
  ['status', 'status', 'smallint'],
  ['code', 'code', 'text'],
  ['failure', 'failure', 'text'],
  ['path', 'path', 'text'],
  ['dependency', 'dependency', 'text'],
  ['ms', 'ms', 'real'],
  ['bytes', 'bytes', 'int'],
  ['resourceId', 'resource_id', 'uuid'],
] as const satisfies readonly (readonly [keyof CallRow, string, string])[];
const names = columns.map(([, name]) => name).join(', ');

/**
 * One statement for a whole batch: an insert by entities would have a parameter for each value. The order gives the calls
 * ascending ids.
 */
const insertRows = `INSERT INTO call (${names}) SELECT ${names}
  FROM unnest(${columns.map(([, , type], index) => `$${index + 1}::${type}[]`).join(', ')})
    WITH ORDINALITY AS given (${names}, place)
  ORDER BY place RETURNING call_id AS "callId"`;

/** A call with its time in epoch milliseconds, which is not later than now. */
interface TimedRow extends CallRow {
  readonly atMs: number;
}

/** The answered calls of the API, as reported by the gateways. */
@Injectable()
export class Calls {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly days: CallDays,
    private readonly contents: CallContents,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a batch. A batch that is resent because its answer was lost changes nothing. A call older than the oldest day
   * that is kept is left out; one later than now, from a host whose clock is ahead, is stored as of now.
   */
  async record({ batchId, rows, leftOut, certificates = [] }: CallRowBatch): Promise<void> {
    const { realMs } = this.clock;
    const { oldestMs } = this.days;
    const timed = rows.map((row) => ({ ...row, atMs: Math.min(Date.parse(row.at), realMs) }));
    const kept = timed.filter(({ atMs }) => atMs >= oldestMs);
    await this.days.make(kept.map(({ atMs }) => atMs));
    await this.source.transaction(async (manager) => {
      if (!(await isNew(manager, batchId, new Date(realMs)))) return;
      if (kept.length > 0) await this.insert(manager, kept);
      await manager.insert(
        CallsLeftOutEntity,
        leftOut.map(({ since, until, ...counted }) => ({
          ...counted,
          batchId,
          since: new Date(since),
          until: new Date(until),
        })),
      );
      await storeCertificates(manager, certificates, new Date(realMs));
    });
  }

  private async insert(manager: EntityManager, calls: readonly TimedRow[]): Promise<void> {
    const rows = calls.map(({ atMs, ...row }) => ({ ...row, at: new Date(atMs).toISOString() }));
    const stored = await manager.query<{ callId: number }[]>(
      insertRows,
      columns.map(([member]) => rows.map((row) => row[member] ?? null)),
    );
    const callIds = stored.map(({ callId }) => callId).toSorted((one, other) => one - other);
    const contents = callIds.flatMap((callId, index) => {
      const call = calls[index];
      return call?.content === undefined ? [] : [{ callId, at: new Date(call.atMs), content: call.content }];
    });
    if (contents.length > 0) await this.contents.insert(manager, contents);
  }
}

/** True if the batch has not been stored before. Of two transactions with one batch, the second waits for the first. */
const isNew = async (manager: EntityManager, batchId: string, recordedAt: Date): Promise<boolean> => {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(CallBatchEntity)
    .values({ batchId, recordedAt })
    .orIgnore()
    .returning('batch_id')
    .execute();
  return Array.isArray(raw) && raw.length === 1;
};
