import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { replicasOf } from '@xs2a/messaging/replicas';
import type { Logger } from '@xs2a/observability/logger';
import { setTimeout as pause } from 'node:timers/promises';

export interface KvWatchOptions {
  readonly nats: NatsConnection;
  readonly bucket: string;
  readonly logger: Logger;
  /** Called with each entry there is, and with each that comes. */
  readonly onEntry: (key: string, value: string) => void;
}

/** How long the first reading of a bucket may take. */
const loadWithinMs = 5000;

/**
 * Follows a key-value bucket until it is stopped. It is read from its beginning at the start, after each reconnect and
 * whenever the watch ends, so that nothing that happened meanwhile is missed.
 */
export class KvWatch {
  private readonly stopping = new AbortController();
  private current: { stop(): void } | undefined;
  private bucket: KV | undefined;
  private loaded = false;

  constructor(private readonly options: KvWatchOptions) {}

  /** Everything that was in the bucket has been seen at least once. */
  get isLoaded(): boolean {
    return this.loaded;
  }

  start(): void {
    void this.run();
    void this.restartOnReconnect();
  }

  stop(): void {
    this.stopping.abort();
    this.current?.stop();
  }

  /** Reads one key now; undefined when it is not there or cannot be read. */
  async read(key: string): Promise<string | undefined> {
    try {
      const entry = await this.bucket?.get(key);
      return entry?.operation === 'PUT' ? entry.string() : undefined;
    } catch {
      return undefined;
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let reported = false;
    while (!signal.aborted) {
      try {
        this.bucket = await new Kvm(this.options.nats).create(this.options.bucket, {
          replicas: replicasOf(this.options.nats),
        });
        await Promise.race([this.follow(this.bucket), this.unlessLoaded()]);
        reported = false;
      } catch (error) {
        if (!reported && !signal.aborted)
          this.options.logger.warn(
            { error, bucket: this.options.bucket },
            'a bucket cannot be followed; trying again',
          );
        reported = true;
      }
      if (!signal.aborted) await pause(200, undefined, { signal }).catch(() => undefined);
    }
  }

  private async follow(bucket: KV): Promise<void> {
    const { values } = await bucket.status();
    const watch = await bucket.watch();
    this.current = watch;
    this.loaded ||= values === 0;
    for await (const entry of watch) {
      if (entry.operation === 'PUT') this.options.onEntry(entry.key, entry.string());
      this.loaded ||= entry.delta === 0;
    }
  }

  /** A watch that was lost while it was set up says nothing, ever: it is given up, and the next one begins. */
  private async unlessLoaded(): Promise<never> {
    if (!this.loaded) await pause(loadWithinMs, undefined, { signal: this.stopping.signal });
    if (this.loaded) return new Promise<never>(() => undefined);
    this.current?.stop();
    throw new Error('the bucket was not read in time');
  }

  private async restartOnReconnect(): Promise<void> {
    for await (const status of this.options.nats.status()) {
      if (status.type === 'reconnect') this.current?.stop();
      if (this.stopping.signal.aborted) return;
    }
  }
}
