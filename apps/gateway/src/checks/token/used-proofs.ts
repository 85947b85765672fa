import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { dpopProofBucket, dpopProofStore } from '@xs2a/contracts/auth.contract';
import { isWrittenMeanwhile, openBucket } from '@xs2a/nats/buckets';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { ProofShares } from './proof-shares.js';

/** Bytes that NATS keeps for a proof: its subject, a header and the time. */
const bytesOfProof = 128;
/** The fill of the store is asked for after so many proofs, and before a TPP is refused, then once a second at most. */
const looksEvery = 256;
const looksAfterMs = 1000;

/** DPoP proofs that were used, for all gateways together: of two uses of one proof, anywhere, one is the first. */
export class UsedProofs {
  private bucket: Promise<KV> | undefined;
  private readonly shares: ProofShares;
  /** The fill of the store when it was last asked for, 0 to 1. */
  private fill = 0;
  private keptSinceLook = 0;
  private lookedAt = 0;

  constructor(
    private readonly nats: NatsConnection,
    /** Max time for which a proof is valid, in milliseconds. */
    keepMs: number = dpopProofStore.keepMs,
    maxBytes: number = dpopProofStore.maxBytes,
  ) {
    this.shares = new ProofShares(keepMs, Math.ceil(maxBytes / bytesOfProof / 500));
  }

  /**
   * Notes the use. Rejects with CallFailed dependencyDown when that is not possible now: the store is down, or so full that
   * this TPP, which has more in it than its share, has to wait.
   */
  async isFirst(key: string, tppId: string): Promise<boolean> {
    if (!(await this.mayKeep(tppId))) throw dependencyDown();
    try {
      this.bucket ??= openBucket(this.nats, dpopProofBucket);
      const bucket = await this.bucket;
      await bucket.put(key, '', { previousSeq: 0, timeout: 1500 });
      this.shares.kept(tppId);
      this.keptSinceLook += 1;
      if (this.keptSinceLook >= looksEvery) void this.look();
      return true;
    } catch (error) {
      if (isWrittenMeanwhile(error)) return false;
      this.bucket = undefined;
      throw dependencyDown();
    }
  }

  private async mayKeep(tppId: string): Promise<boolean> {
    const now = performance.now();
    if (this.shares.admits(tppId, this.fill, now)) return true;
    if (now - this.lookedAt < looksAfterMs) return false;
    await this.look();
    return this.shares.admits(tppId, this.fill, now);
  }

  /** Reads how full the store is; if that fails, the last value is kept. */
  private async look(): Promise<void> {
    this.keptSinceLook = 0;
    this.lookedAt = performance.now();
    try {
      const status = await (await this.bucket)?.status();
      if (status === undefined) return;
      const { state, config } = status.streamInfo;
      this.fill = state.bytes / config.max_bytes;
    } catch {
      // The next proof that is kept, or that cannot be, finds out.
    }
  }
}
