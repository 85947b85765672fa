import type { HashKeys } from '@xs2a/postgres/hash-keys';
import type { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import {
  claimRecord,
  type EarlierRequest,
  type IdempotencyRecord,
  IdempotencyRecords,
  type KeyedRequest,
  toIdempotencyRecord,
} from './idempotency-records.js';

/** The idempotency keys of an event store, for requests that are decided outside an append. */
export class IdempotencyKeys {
  private readonly records: IdempotencyRecords;

  constructor(
    private readonly options: {
      readonly pool: Pool;
      readonly hashKeys: HashKeys;
      readonly clock: Pick<Clock, 'nowMs'>;
    },
  ) {
    this.records = new IdempotencyRecords(options.pool);
  }

  /**
   * Returns the answer already stored for a key. Called before validation, because a replay takes precedence
   * (contract 3).
   */
  async find(record: Omit<IdempotencyRecord, 'answer'>): Promise<EarlierRequest | undefined> {
    const { begunAt = this.now() } = record;
    return this.records.find(this.claim({ answer: undefined, ...record }), begunAt);
  }

  /** As {@link find}. Returns undefined for a request without a key. */
  async findEarlier(request: KeyedRequest): Promise<EarlierRequest | undefined> {
    const record = toIdempotencyRecord(request, undefined);
    return record && this.find(record);
  }

  /**
   * Frees a key whose answer proved invalid, so that the request can be sent again (contract 2). If a different
   * answer has been stored for the key since then, nothing is changed.
   */
  async forget(record: IdempotencyRecord): Promise<void> {
    await this.records.forget(this.claim(record));
  }

  /**
   * Records that a request was refused. After this, a delayed earlier request with the same key can no longer
   * append anything (`under-way`), but a later one can. `answer` is the value that the refused request stored for
   * the key, or null. Returns false if another request has claimed the key.
   */
  async refuse(record: IdempotencyRecord): Promise<boolean> {
    const { begunAt = '' } = record;
    const until = [begunAt, this.now()].sort().at(-1) ?? '';
    // Also ends requests that began within this millisecond.
    return this.records.refuse(this.claim(record), new Date(Date.parse(until) + 1).toISOString());
  }

  /** Removes expired keys, at most `limit` at a time, and returns the number removed. */
  async prune(limit: number): Promise<number> {
    return this.records.prune(this.now(), limit);
  }

  private claim(record: IdempotencyRecord) {
    return claimRecord(record, this.options.hashKeys);
  }

  private now(): string {
    return new Date(this.options.clock.nowMs()).toISOString();
  }
}
