import { type TppRecord, tppBucket } from '@xs2a/contracts/auth.contract';
import { KvWatch, type KvWatchOptions } from './kv-watch.js';

/** Every TPP that the bank knows, kept up to date by the authorization server through a key-value bucket. */
export class TppDirectory {
  private readonly tpps = new Map<string, TppRecord>();
  private readonly watch: KvWatch;

  constructor(options: Pick<KvWatchOptions, 'nats' | 'logger'>) {
    this.watch = new KvWatch({ ...options, bucket: tppBucket, onEntry: (_key, value) => this.learn(value) });
  }

  start(): void {
    this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }

  get isLoaded(): boolean {
    return this.watch.isLoaded;
  }

  find(clientId: string): TppRecord | undefined {
    return this.tpps.get(clientId);
  }

  /** Asks the bucket itself: for a TPP that has just registered or changed. */
  async refresh(clientId: string): Promise<TppRecord | undefined> {
    const value = await this.watch.read(clientId);
    if (value !== undefined) this.learn(value);
    return this.tpps.get(clientId);
  }

  private learn(value: string): void {
    const record = JSON.parse(value) as TppRecord;
    this.tpps.set(record.clientId, record);
  }
}
