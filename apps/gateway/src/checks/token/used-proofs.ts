import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { dpopProofBucket, dpopProofStore } from '@xs2a/contracts/auth.contract';
import { isWrittenMeanwhile, openBucket } from '@xs2a/nats/buckets';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { ProofShares } from './proof-shares.js';

/** The number of bytes that NATS stores per proof: its subject, a header and the time. */
const bytesOfProof = 128;
/**
 * The fill level is read after this many proofs. It is also read before a TPP is rejected, but at most once a
 * second.
 */
const looksEvery = 256;
const looksAfterMs = 1000;

/**
 * The used DPoP proofs, shared by all gateways: if a proof is used twice at any gateways, exactly one use counts
 * as the first.
 */
export class UsedProofs {
  private bucket: Promise<KV> | undefined;
  private readonly shares: ProofShares;
  /** The fill level of the store when last read, 0 to 1. */
  private fill = 0;
  private keptSinceLook = 0;
  private lookedAt = 0;

  constructor(
    private readonly nats: NatsConnection,
    /** The longest time that a proof is valid, in milliseconds. */
    keepMs: number = dpopProofStore.keepMs,
    maxBytes: number = dpopProofStore.maxBytes,
  ) {
    this.shares = new ProofShares(keepMs, Math.ceil(maxBytes / bytesOfProof / 500));
  }

  /**
   * Records the use of a proof and returns whether it is the first. Rejects with CallFailed dependencyDown if the
   * use cannot be recorded at the moment: the store is down, or so full that this TPP has to wait because it
   * exceeds its share.
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
      throw dependencyDown('nats');
    }
  }

  private async mayKeep(tppId: string): Promise<boolean> {
    const now = performance.now();
    if (this.shares.admits(tppId, this.fill, now)) return true;
    if (now - this.lookedAt < looksAfterMs) return false;
    await this.look();
    return this.shares.admits(tppId, this.fill, now);
  }

  /** Reads the fill level of the store. If that fails, the previous value stays in use. */
  private async look(): Promise<void> {
    this.keptSinceLook = 0;
    this.lookedAt = performance.now();
    try {
      const status = await (await this.bucket)?.status();
      if (status === undefined) return;
      const { state, config } = status.streamInfo;
      this.fill = state.bytes / config.max_bytes;
    } catch {
      // If the store is down, storing the next proof will show it.
    }
  }
}
