import { Kvm, type KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import { advanceClockOffset, readClockOffset } from '@xs2a/core-banking/sandbox/settings';
import { callFailed, dependencyDown } from '@xs2a/messaging/call-failed';
import { replicasOf } from '@xs2a/messaging/replicas';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER, NATS, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** A century: dates stay in four-digit years, and every lifetime in the system is far below it. */
const farthestMs = 100 * 366 * 24 * 60 * 60 * 1000;
const mostTries = 10;

/**
 * Keeps the sandbox's one clock (contract 13): this service's table holds its offset for good, the key-value bucket tells it
 * to every service. Whichever of the two is behind is brought forward at start.
 */
@Injectable()
export class SandboxClockKeeper implements OnApplicationBootstrap {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const kept = await readClockOffset(this.pool);
    const told = await this.tell(kept);
    if (told > kept) await advanceClockOffset(this.pool, 0, told);
    this.clock.raiseTo(Math.max(kept, told));
    void this.tellAfterReconnects();
  }

  /** Moves the clock forward; answers the new offset. Milliseconds. Throws CallFailed fieldMalformed at `advance`. */
  async advance(byMs: number): Promise<number> {
    if (!Number.isSafeInteger(byMs) || byMs <= 0 || byMs + this.clock.offsetMs > farthestMs) {
      throw callFailed(
        'fieldMalformed',
        'advance',
        'Send a duration above zero that stays within 100 years.',
      );
    }
    const offsetMs = await advanceClockOffset(this.pool, byMs, this.clock.offsetMs);
    this.clock.raiseTo(offsetMs);
    await this.tell(offsetMs).catch((error: unknown) => {
      this.logger.warn({ error }, 'the sandbox clock moved, but could not be told to all services yet');
      throw dependencyDown();
    });
    return offsetMs;
  }

  /** Writes the offset unless the bucket is farther already, so that nobody's move is undone; answers what it holds then. */
  private async tell(offsetMs: number): Promise<number> {
    const bucket = await this.bucket();
    for (let tries = 1; ; tries += 1) {
      const entry = await bucket.get(clockKey);
      const told = Number(entry?.string() ?? 0);
      if (told >= offsetMs) return told;
      try {
        await bucket.put(clockKey, String(offsetMs), { previousSeq: entry?.revision ?? 0 });
        return offsetMs;
      } catch (error) {
        // Somebody else moved it in between, unless it keeps failing.
        if (tries === mostTries) throw error;
      }
    }
  }

  /** One that is there is opened without the cluster's metadata leader, so that the clock moves while there is none. */
  private async bucket(): Promise<KV> {
    const kvm = new Kvm(this.nats);
    const bucket = await kvm.open(clockBucket);
    return bucket.status().then(
      () => bucket,
      () => kvm.create(clockBucket, { replicas: replicasOf(this.nats) }),
    );
  }

  /** A JetStream that came back without its files has forgotten the time. */
  private async tellAfterReconnects(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type !== 'reconnect') continue;
      await this.tell(this.clock.offsetMs).catch((error: unknown) =>
        this.logger.warn({ error }, 'the sandbox clock could not be told after a reconnect'),
      );
    }
  }
}
