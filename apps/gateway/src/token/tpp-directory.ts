import { type TppRecord, tppBucket } from '@xs2a/contracts/auth.contract';
import { BucketFollower, type BucketFollowerOptions } from '@xs2a/messaging/bucket-follower';

/** Every TPP that the bank knows, kept up to date by the authorization server through a key-value bucket. */
export class TppDirectory {
  private tpps = new Map<string, TppRecord>();
  private readonly bucket: BucketFollower;

  constructor(options: Pick<BucketFollowerOptions, 'nats' | 'logger'>) {
    this.bucket = new BucketFollower({
      ...options,
      bucket: tppBucket,
      onAll: (entries) => {
        this.tpps = new Map([...entries].map(([clientId, value]) => [clientId, recordOf(value)]));
      },
      onChange: (clientId, value) => {
        if (value === undefined) this.tpps.delete(clientId);
        else this.tpps.set(clientId, recordOf(value));
      },
    });
  }

  start(): void {
    this.bucket.start();
  }

  stop(): void {
    this.bucket.stop();
  }

  get isLoaded(): boolean {
    return this.bucket.isLoaded;
  }

  find(clientId: string): TppRecord | undefined {
    return this.tpps.get(clientId);
  }

  /** Asks the bucket itself: for a TPP that has just registered. */
  async refresh(clientId: string): Promise<TppRecord | undefined> {
    const value = await this.bucket.readKey(clientId);
    if (value !== undefined) this.tpps.set(clientId, recordOf(value));
    return this.tpps.get(clientId);
  }
}

const recordOf = (value: string): TppRecord => JSON.parse(value) as TppRecord;
