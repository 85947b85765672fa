import { type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@xs2a/observability/logger';
import { AutoResetEvent } from './auto-reset-event.js';

export interface BucketFollowerOptions {
  readonly nats: NatsConnection;
  readonly bucket: string;
  readonly logger: Logger;
  /** Receives the whole bucket after each full read. A key that is missing was removed. */
  readonly onAll: (entries: ReadonlyMap<string, string>) => void;
  /** Receives a written key and its value; undefined means that the key was removed. */
  readonly onChange: (key: string, value: string | undefined) => void;
  /**
   * Called with a value that is being written, before it is known to be stored. Intended for values that can be
   * trusted immediately and are never withdrawn. Once the value is stored, `onChange` is called with it too.
   */
  readonly onSaid?: (key: string, value: string) => void;
}

/** Milliseconds between two polls while nothing is written. */
const everyMs = 1000;
/**
 * A change is received when it is sent, shortly before it is stored. The next polls therefore follow quickly at
 * first, then less and less often.
 */
const firstPauseMs = 5;
const atOnce = 100;

/**
 * Follows a key-value bucket: reads changes from the stream's leader and is woken by the messages themselves. Uses
 * no JetStream consumer, because a consumer is lost with its server. The client library notices that only after a
 * minute, and creating another consumer requires the cluster's metadata leader.
 */
export class BucketFollower {
  private readonly stopping = new AbortController();
  private readonly changed = new AutoResetEvent();
  private readonly stream: string;
  private readonly prefix: string;
  private pauseMs = everyMs;
  /** The stream's creation time and the position read so far. A recreated stream counts as a different stream. */
  private read: { readonly created: string; readonly to: number } | undefined;
  private loaded = false;

  constructor(private readonly options: BucketFollowerOptions) {
    this.stream = `KV_${options.bucket}`;
    this.prefix = `$KV.${options.bucket}.`;
  }

  /** True once everything in the bucket has been read at least once. */
  get isLoaded(): boolean {
    return this.loaded;
  }

  start(): void {
    void this.run();
    void this.readAllAfterReconnects();
  }

  stop(): void {
    this.stopping.abort();
    this.changed.set();
  }

  /** Reads one key now. Undefined if the key does not exist or cannot be read. */
  async readKey(key: string): Promise<string | undefined> {
    try {
      const message = await this.last(await this.manager(), this.prefix + key);
      return message === null ? undefined : readValue(message);
    } catch {
      return undefined;
    }
  }

  private async run(): Promise<void> {
    const { nats, logger, bucket, onSaid } = this.options;
    const writes = nats.subscribe(`${this.prefix}>`, {
      callback: (error, message) => {
        if (error === null && message.headers?.has('KV-Operation') !== true)
          this.notify(() => onSaid?.(this.parseKey(message.subject), message.string()));
        this.pauseMs = firstPauseMs;
        this.changed.set();
      },
    });
    let reported = false;
    while (!this.stopping.signal.aborted) {
      try {
        await this.look();
        reported = false;
      } catch (error) {
        if (!reported) logger.warn({ error, bucket }, 'reading a bucket failed; will retry');
        reported = true;
        this.pauseMs = Math.min(this.pauseMs, 200);
      }
      if (this.stopping.signal.aborted) break;
      await this.changed.wait(this.pauseMs);
      this.pauseMs = Math.min(everyMs, this.pauseMs * 2);
    }
    writes.unsubscribe();
  }

  /** Reads new changes. */
  private async look(): Promise<void> {
    const manager = await this.manager();
    const { created, state } = await manager.streams.info(this.stream);
    if (this.read?.created !== created || state.last_seq < this.read.to) return this.readAll(manager);
    let { to } = this.read;
    while (to < state.last_seq) {
      const next = { seq: to + 1, next_by_subj: `${this.prefix}>` };
      const message = await manager.streams.getMessage(this.stream, next);
      if (message !== null)
        this.notify(() => this.options.onChange(this.parseKey(message.subject), readValue(message)));
      to = message?.seq ?? state.last_seq;
      // If the connection was re-established in the meantime, everything must be read again.
      if (this.read === undefined) return undefined;
      this.read = { created, to };
    }
    return undefined;
  }

  private async readAll(manager: JetStreamManager): Promise<void> {
    const { created, state } = await manager.streams.info(this.stream, {
      subjects_filter: `${this.prefix}>`,
    });
    this.read = { created, to: state.last_seq };
    const subjects = Object.keys(state.subjects ?? {});
    const entries = new Map<string, string>();
    try {
      for (let at = 0; at < subjects.length; at += atOnce) {
        const batch = subjects.slice(at, at + atOnce);
        const messages = await Promise.all(batch.map(async (subject) => this.last(manager, subject)));
        for (const message of messages) {
          const value = message === null ? undefined : readValue(message);
          if (message !== null && value !== undefined) entries.set(this.parseKey(message.subject), value);
        }
      }
      this.options.onAll(entries);
    } catch (error) {
      this.read = undefined;
      throw error;
    }
    this.loaded = true;
  }

  /** Calls the listener. If it throws for one value, it still receives the following ones. */
  private notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.options.logger.error(
        { error, bucket: this.options.bucket },
        'a value in a bucket was not understood',
      );
    }
  }

  private async last(manager: JetStreamManager, subject: string): Promise<StoredMsg | null> {
    return manager.streams.getMessage(this.stream, { last_by_subj: subject });
  }

  private async manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.options.nats, { checkAPI: false, timeout: 1000 });
  }

  private parseKey(subject: string): string {
    return subject.slice(this.prefix.length);
  }

  /** Rereads the bucket after each reconnect, because a server may come back with older data. */
  private async readAllAfterReconnects(): Promise<void> {
    for await (const { type } of this.options.nats.status()) {
      if (this.stopping.signal.aborted) return;
      if (type !== 'reconnect') continue;
      this.read = undefined;
      this.changed.set();
    }
  }
}

/** Returns the value; undefined if the message marks the removal of its key. */
const readValue = (message: StoredMsg): string | undefined =>
  message.header.has('KV-Operation') ? undefined : message.string();
