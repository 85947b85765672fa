import { type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@xs2a/observability/logger';
import { AutoResetEvent } from './auto-reset-event.js';

export interface BucketFollowerOptions {
  readonly nats: NatsConnection;
  readonly bucket: string;
  readonly logger: Logger;
  /** All that the bucket holds, whenever it was read from its beginning: what is not there is gone. */
  readonly onAll: (entries: ReadonlyMap<string, string>) => void;
  /** A key that was written; undefined: it was removed. */
  readonly onChange: (key: string, value: string | undefined) => void;
  /**
   * Called with a value that is being written, before it is known to be stored: for values that may be believed at once and
   * are never taken back. `onChange` is called with it again once it is stored.
   */
  readonly onSaid?: (key: string, value: string) => void;
}

/** Milliseconds between two looks when nothing is written. */
const everyMs = 1000;
/** A change is heard of when it is sent, a little before it is stored: the next looks come soon, then ever later. */
const firstPauseMs = 5;
const atOnce = 100;

/**
 * Follows a key-value bucket: what was written is read from the stream's leader, woken by the message itself. No JetStream
 * consumer stands between, which a server takes with it when it dies (the client library notices that after a minute, and
 * making another one needs the cluster's metadata leader).
 */
export class BucketFollower {
  private readonly stopping = new AbortController();
  private readonly changed = new AutoResetEvent();
  private readonly stream: string;
  private readonly prefix: string;
  private pauseMs = everyMs;
  /** The stream that was read, and how far; a stream that was made anew is another one. */
  private read: { readonly created: string; readonly to: number } | undefined;
  private loaded = false;

  constructor(private readonly options: BucketFollowerOptions) {
    this.stream = `KV_${options.bucket}`;
    this.prefix = `$KV.${options.bucket}.`;
  }

  /** Everything that was in the bucket has been seen at least once. */
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

  /** Reads one key now; undefined when it is not there or cannot be read. */
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

  /** Reads what is new. */
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
      // A reconnect may have come meanwhile: then all of it is read again.
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

  /** A listener that fails at one value hears of the next ones all the same. */
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

  /** A server that came back may have come back with older files. */
  private async readAllAfterReconnects(): Promise<void> {
    for await (const { type } of this.options.nats.status()) {
      if (this.stopping.signal.aborted) return;
      if (type !== 'reconnect') continue;
      this.read = undefined;
      this.changed.set();
    }
  }
}

/** Undefined for the mark that a removed key leaves. */
const readValue = (message: StoredMsg): string | undefined =>
  message.header.has('KV-Operation') ? undefined : message.string();
