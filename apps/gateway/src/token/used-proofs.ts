import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { isWrittenMeanwhile, openBucket } from '@xs2a/messaging/buckets';
import { dependencyDown } from '@xs2a/messaging/call-failed';

const bucketName = 'DPOP_PROOFS';
const megabyte = 1024 * 1024;

/** DPoP proofs that were used, for all gateways together: of two uses of one proof, anywhere, one is the first. */
export class UsedProofs {
  private bucket: Promise<KV> | undefined;

  constructor(
    private readonly nats: NatsConnection,
    /** How long a proof can be valid, in milliseconds. */
    private readonly keepMs: number,
  ) {}

  /** Notes the use. Rejects with CallFailed dependencyDown when that is not possible now, also when the store is full. */
  async isFirst(key: string): Promise<boolean> {
    try {
      this.bucket ??= this.open();
      const bucket = await this.bucket;
      await bucket.put(key, '', { previousSeq: 0, timeout: 1500 });
      return true;
    } catch (error) {
      if (isWrittenMeanwhile(error)) return false;
      this.bucket = undefined;
      throw dependencyDown();
    }
  }

  /** In memory, bounded, and forgotten by real time: the sandbox clock is never slower. */
  private async open(): Promise<KV> {
    return openBucket(this.nats, bucketName, {
      storage: 'memory',
      ttl: this.keepMs,
      max_bytes: 64 * megabyte,
    });
  }
}
