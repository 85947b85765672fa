import type { KV } from '@nats-io/kv';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { isWrittenMeanwhile, openBucket } from '@xs2a/nats/buckets';
import type { Logger } from '@xs2a/observability/logger';
import { setTimeout as pause } from 'node:timers/promises';

export interface MirrorOptions {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly bucket: string;
  /** Reads the current values of these keys, or of all keys, from the database. */
  readonly entries: (keys?: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
}

const atOnce = 100;
/** The maximum time in milliseconds that a caller waits for its change to reach the bucket. */
const maxMs = 1000;

/**
 * Keeps a key-value bucket equal to the database: at startup, on each change, and after NATS was down. For each
 * key it reads the bucket first and the database second, and writes the key unless another process has written it
 * in the meantime. Every value in the bucket was in the database before, so the database is never older and always
 * decides. This holds even if the bucket was restored from a backup, or if other processes of this service do the
 * same work.
 */
export class BucketMirror {
  private readonly stopping = new AbortController();
  private filling: Promise<void> | undefined;
  private stale = false;

  constructor(private readonly options: MirrorOptions) {}

  start(): void {
    void this.refill();
    void this.watchConnection();
  }

  stop(): void {
    this.stopping.abort();
  }

  /**
   * Publishes the current values of these keys now or, if NATS is down, as soon as it is back. To be called after
   * the change is in the database. Never fails, and never blocks for longer than a second.
   */
  async publish(...keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await waitAtMost(maxMs, this.publishNow(keys));
  }

  /** Never fails. */
  private async publishNow(keys: readonly string[]): Promise<void> {
    try {
      await this.settleAll(await this.open(), keys);
    } catch (error) {
      this.options.logger.warn(
        { error, bucket: this.options.bucket },
        'a change could not be published; trying again',
      );
      void this.refill();
    }
  }

  private async settleAll(bucket: KV, keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += atOnce) await this.settle(bucket, keys.slice(at, at + atOnce));
  }

  private async settle(bucket: KV, keys: readonly string[]): Promise<void> {
    let open = keys;
    while (open.length > 0) {
      const known = await Promise.all(open.map(async (key) => bucket.get(key)));
      const wanted = await this.options.entries(open);
      const outcomes = await Promise.all(
        open.map(async (key, at) => this.write(bucket, key, known[at] ?? undefined, wanted.get(key))),
      );
      open = open.filter((_key, at) => outcomes[at] === 'written meanwhile');
    }
  }

  private async write(
    bucket: KV,
    key: string,
    known: { readonly operation: string; readonly revision: number; string(): string } | undefined,
    wanted: unknown,
  ): Promise<'done' | 'written meanwhile'> {
    const previousSeq = known?.revision ?? 0;
    const isThere = known?.operation === 'PUT';
    try {
      if (wanted !== undefined) {
        const text = JSON.stringify(wanted);
        if (!isThere || known.string() !== text) await bucket.put(key, text, { previousSeq });
      } else if (isThere) await bucket.purge(key, { previousSeq });
      return 'done';
    } catch (error) {
      if (isWrittenMeanwhile(error)) return 'written meanwhile';
      throw error;
    }
  }

  private async open(): Promise<KV> {
    return openBucket(this.options.nats, this.options.bucket);
  }

  private async refill(): Promise<void> {
    this.stale = true;
    this.filling ??= this.fill().finally(() => {
      this.filling = undefined;
    });
    return this.filling;
  }

  private async fill(): Promise<void> {
    const { signal } = this.stopping;
    let reported = false;
    while (this.stale && !signal.aborted) {
      this.stale = false;
      try {
        const bucket = await this.open();
        const keys = [...new Set([...(await this.keysThere()), ...(await this.options.entries()).keys()])];
        await this.settleAll(bucket, keys);
      } catch (error) {
        this.stale = true;
        if (!reported)
          this.options.logger.warn(
            { error, bucket: this.options.bucket },
            'a bucket cannot be filled; trying again',
          );
        reported = true;
        // If the mirror was stopped during this pause, the loop ends.
        await pause(500, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Returns all keys that exist in the bucket. */
  private async keysThere(): Promise<string[]> {
    const { nats, bucket } = this.options;
    const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 2000 });
    const prefix = `$KV.${bucket}.`;
    const { state } = await manager.streams.info(`KV_${bucket}`, { subjects_filter: `${prefix}>` });
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.options.nats.status()) {
      if (this.stopping.signal.aborted) return;
      if (status.type === 'reconnect') void this.refill();
    }
  }
}
