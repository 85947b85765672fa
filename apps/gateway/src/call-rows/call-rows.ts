import type { CallClient } from '@xs2a/calls/client';
import {
  type CallRow,
  type CallRowBatch,
  type CallsLeftOut,
  type LeftOutReason,
  recordCallRows,
} from '@xs2a/contracts/console.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { PerMinute } from './per-minute.js';
import { SeenCertificates } from './seen-certificates.js';

const everyMs = 5000;
/** The rows of one message: some 400 KB, a fifth of the size that NATS allows. */
const maxRows = 1000;
/** The rows kept while the console does not answer, some 10 MB. */
const maxBuffered = 10_000;
/** The bytes of headers and bodies in one message, in addition to the rows; NATS allows 2 MB for all. */
const maxContentBytes = 1_000_000;
/** The bytes of headers and bodies that wait to be sent. Beyond it, rows are kept without them. */
const maxContentBuffered = 4_000_000;
/** The refused calls per TPP and minute that get a row. Further ones are only counted. */
const maxRefusedPerMinute = 1000;
/** How long a caller waits for {@link CallRows.flush}, in milliseconds. */
const flushWithinMs = 200;

export interface CallRowsOptions {
  readonly callClient: Pick<CallClient, 'call'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** One in this many successful calls gets a row; 1: all of them. */
  readonly successesOneIn: number;
  /** Returns a number from 0 to 1, such as Math.random. */
  readonly random: () => number;
}

interface AnsweredCall extends Pick<CallRow, 'status' | 'tppId'> {
  /** When the TPP's client certificate ends, in epoch milliseconds; undefined if it presented none. */
  readonly certificateEndsAtMs?: number | undefined;
}

type Mutable<Counted> = { -readonly [Name in keyof Counted]: Counted[Name] };

/** A row that has not been sent, with the size of its headers and bodies in bytes. */
interface WaitingRow {
  readonly row: CallRow;
  readonly contentBytes: number;
}

/** True if the console did not answer, or cannot store anything now: the same batch may be stored later. */
const isDown = (error: unknown): boolean =>
  error instanceof CallFailed && error.failures[0]?.failure === 'dependencyDown';

/**
 * Keeps a row for each answered call and sends the rows to the console every few seconds. Refused and failed calls get a
 * row, up to a limit per TPP and minute; successful ones are sampled. Calls without a row are counted, so that nothing is
 * missing silently. A gateway that is killed loses its rows since the last message.
 */
export class CallRows {
  private readonly successes: WaitingRow[] = [];
  /** Rows of calls that were refused, failed, or ended by the client. */
  private readonly others: WaitingRow[] = [];
  private contentBytes = 0;
  private readonly leftOut = new Map<string, Mutable<Omit<CallsLeftOut, 'until'>>>();
  private readonly certificates = new SeenCertificates();
  /** The batch to send, or to send again because its answer was lost. */
  private batch: CallRowBatch | undefined;
  /** True if rows were left when the batch was made. */
  private isFull = false;
  private readonly refused: PerMinute;
  private readonly sweep: Sweep;

  constructor(private readonly options: CallRowsOptions) {
    const { clock, logger } = options;
    this.refused = new PerMinute(clock, maxRefusedPerMinute);
    this.sweep = new Sweep({ name: 'call rows', everyMs, clock, logger, run: async () => this.send() });
  }

  start(): void {
    this.sweep.start();
  }

  /** Sends the remaining rows. They are lost if the console does not accept them. */
  async stop(): Promise<void> {
    await this.sweep.stop();
    try {
      while (this.batch !== undefined || this.waiting > 0 || this.leftOut.size > 0) await this.send();
    } catch (error) {
      const lost = this.waiting + (this.batch?.rows.length ?? 0);
      this.options.logger.warn({ error, lost }, 'recording the last rows of calls failed');
    }
  }

  /** Sends the rows so far, and returns once the console has stored them or has not answered for 200 ms. */
  async flush(): Promise<void> {
    await waitAtMost(
      flushWithinMs,
      this.sweep.drain().catch(() => 0),
    );
  }

  /** Keeps the row of an answered call, or counts the call. `toRow` is called only for a call that is kept. */
  note(call: AnsweredCall, toRow: () => CallRow): void {
    if (call.tppId !== undefined && call.certificateEndsAtMs !== undefined)
      this.certificates.note(call.tppId, call.certificateEndsAtMs, this.options.clock.realMs);
    const isSuccess = call.status < 400;
    const { successesOneIn, random } = this.options;
    if (isSuccess && random() * successesOneIn >= 1) return this.leaveOut(call, 'sampled');
    if (!isSuccess && !this.refused.take(call.tppId ?? '')) return this.leaveOut(call, 'limit');
    if (this.waiting + (this.batch?.rows.length ?? 0) >= maxBuffered) {
      // Successful calls go first.
      const dropped = isSuccess ? undefined : this.successes.pop();
      this.leaveOut(dropped?.row ?? call, 'buffer');
      if (dropped === undefined) return;
      this.contentBytes -= dropped.contentBytes;
    }
    const before = this.contentBytes;
    (isSuccess ? this.successes : this.others).push(this.toWaiting(toRow()));
    // Once for each full message: while the console does not answer, further calls cause no attempts.
    const fillsMessage = before < maxContentBytes && this.contentBytes >= maxContentBytes;
    if (this.waiting === maxRows || fillsMessage) this.sweep.wakeUp();
  }

  private get waiting(): number {
    return this.successes.length + this.others.length;
  }

  private toWaiting(row: CallRow): WaitingRow {
    if (row.content === undefined) return { row, contentBytes: 0 };
    const contentBytes = Buffer.byteLength(JSON.stringify(row.content));
    if (this.contentBytes + contentBytes > maxContentBuffered)
      return { row: { ...row, content: undefined }, contentBytes: 0 };
    this.contentBytes += contentBytes;
    return { row, contentBytes };
  }

  private leaveOut({ tppId = '' }: Pick<CallRow, 'tppId'>, reason: LeftOutReason): void {
    const counted = this.leftOut.get(`${reason} ${tppId}`);
    // Without an object for each call: most calls of a bank are left out.
    if (counted !== undefined) counted.calls += 1;
    else this.count({ tppId, reason, calls: 1, since: this.now() });
  }

  /** Adds calls to those of the same TPP that were left out for the same reason. */
  private count({ tppId, reason, calls, since }: Omit<CallsLeftOut, 'until'>): void {
    const key = `${reason} ${tppId}`;
    const counted = this.leftOut.get(key);
    this.leftOut.set(key, { tppId, reason, since, calls: calls + (counted?.calls ?? 0) });
  }

  /** Sends one batch. Returns 1 if more rows are waiting than fit into it. */
  private async send(): Promise<number> {
    this.batch ??= this.nextBatch();
    if (this.batch === undefined) return 0;
    try {
      await this.options.callClient.call(recordCallRows, this.batch);
    } catch (error) {
      if (isDown(error)) throw error;
      this.drop(this.batch, error);
    }
    this.batch = undefined;
    return this.isFull ? 1 : 0;
  }

  /**
   * Counts the rows of a batch that the console will never store, so that they do not keep later rows waiting. If the
   * batch has no rows, even its counts cannot be stored, and only the log has them.
   */
  private drop({ rows, leftOut }: CallRowBatch, error: unknown): void {
    const { logger } = this.options;
    logger.error(
      { error, rows: rows.length, leftOut },
      'the console cannot store a batch of calls; it is dropped',
    );
    if (rows.length === 0) return;
    for (const counted of leftOut) this.count(counted);
    for (const row of rows) this.leaveOut(row, 'unstored');
  }

  private nextBatch(): CallRowBatch | undefined {
    if (this.waiting === 0 && this.leftOut.size === 0) return undefined;
    const rows = this.takeRows();
    this.isFull = this.waiting > 0;
    const until = this.now();
    const leftOut = [...this.leftOut.values()].map((counted) => ({ ...counted, until }));
    this.leftOut.clear();
    return { batchId: newId(), rows, leftOut, certificates: this.certificates.take() };
  }

  /** Takes as many rows as fit into one message. */
  private takeRows(): CallRow[] {
    const rows: CallRow[] = [];
    let bytes = 0;
    for (const queue of [this.others, this.successes]) {
      let taken = 0;
      for (const { row, contentBytes } of queue) {
        if (rows.length === maxRows || (rows.length > 0 && bytes + contentBytes > maxContentBytes)) break;
        rows.push(row);
        bytes += contentBytes;
        taken += 1;
      }
      queue.splice(0, taken);
    }
    this.contentBytes -= bytes;
    return rows;
  }

  private now(): string {
    return new Date(this.options.clock.realMs).toISOString();
  }
}
