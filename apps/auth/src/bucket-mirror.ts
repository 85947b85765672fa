import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { replicasOf } from '@xs2a/messaging/replicas';
import type { Logger } from '@xs2a/observability/logger';
import { setTimeout as pause } from 'node:timers/promises';

export interface MirrorOptions {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly bucket: string;
  /** Everything that the bucket has to hold; the database is the truth. */
  readonly entries: () => Promise<ReadonlyMap<string, unknown>>;
}

/** Keeps a key-value bucket equal to what the database says: at start, on each change, and after NATS was away. */
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

  /** Tells the change now; when NATS is away, as soon as it is back. Never fails: the database has it already. */
  async put(key: string, value: unknown): Promise<void> {
    try {
      await (await this.open()).put(key, JSON.stringify(value));
    } catch (error) {
      this.options.logger.warn(
        { error, bucket: this.options.bucket },
        'a change could not be told; trying again',
      );
      void this.refill();
    }
  }

  /** Forgets what nobody needs any more. */
  async remove(key: string): Promise<void> {
    await (await this.open()).purge(key);
  }

  private async open(): Promise<KV> {
    return new Kvm(this.options.nats).create(this.options.bucket, {
      replicas: replicasOf(this.options.nats),
    });
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
        const entries = [...(await this.options.entries())];
        for (let at = 0; at < entries.length; at += 100) {
          await Promise.all(
            entries.slice(at, at + 100).map(([key, value]) => bucket.put(key, JSON.stringify(value))),
          );
        }
      } catch (error) {
        this.stale = true;
        if (!reported)
          this.options.logger.warn(
            { error, bucket: this.options.bucket },
            'a bucket cannot be filled; trying again',
          );
        reported = true;
        await pause(500, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.options.nats.status()) {
      if (this.stopping.signal.aborted) return;
      if (status.type === 'reconnect') void this.refill();
    }
  }
}
