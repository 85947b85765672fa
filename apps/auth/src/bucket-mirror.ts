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
  /** For entries that change: of two values the one with the higher number is the newer, and stays. */
  readonly versionOf?: (value: unknown) => number;
}

/** JetStream: the key was written by somebody else since it was read. */
const wrongLastSequence = 10_071;

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
      await this.write(await this.open(), key, value);
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

  /** Another process of this service may be writing too, with what it read earlier or later. */
  private async write(bucket: KV, key: string, value: unknown): Promise<void> {
    const { versionOf } = this.options;
    const text = JSON.stringify(value);
    if (versionOf === undefined) {
      await bucket.put(key, text);
      return;
    }
    for (;;) {
      const known = await bucket.get(key);
      const isThere = known !== null && known.operation === 'PUT';
      if (isThere && (known.string() === text || versionOf(known.json()) > versionOf(value))) return;
      try {
        await bucket.put(key, text, { previousSeq: known?.revision ?? 0 });
        return;
      } catch (error) {
        if (Reflect.get(Object(error), 'code') !== wrongLastSequence) throw error;
      }
    }
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
            entries.slice(at, at + 100).map(async ([key, value]) => this.write(bucket, key, value)),
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
