import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import { advanceClockOffset, readClockOffset } from '@xs2a/core-banking/sandbox/settings';
import { isWrittenMeanwhile, openBucket } from '@xs2a/messaging/buckets';
import { callFailed, dependencyDown } from '@xs2a/messaging/call-failed';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER, POOL, STREAMS } from '@xs2a/runtime/tokens';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';

/** A century: dates stay in four-digit years, and every lifetime in the system is far below it. */
const farthestMs = 100 * 366 * 24 * 60 * 60 * 1000;
const mostTries = 10;

/**
 * Keeps the sandbox's one clock (contract 13): this service's table holds its offset for good, the key-value bucket tells it
 * to every service. Whichever of the two is behind is brought forward at start.
 */
@Injectable()
export class SandboxClockKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(STREAMS) private readonly nats: NatsConnection,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.clock.raiseTo(await readClockOffset(this.pool));
    await this.agree().catch((error: unknown) => {
      this.logger.warn({ error }, 'the sandbox clock could not be told yet; trying again');
      void this.agreeAtLast();
    });
    void this.agreeAfterReconnects();
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
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
    const bucket = await openBucket(this.nats, clockBucket);
    for (let tries = 1; ; tries += 1) {
      const entry = await bucket.get(clockKey);
      const told = Number(entry?.string() ?? 0);
      if (told >= offsetMs) return told;
      try {
        await bucket.put(clockKey, String(offsetMs), { previousSeq: entry?.revision ?? 0 });
        return offsetMs;
      } catch (error) {
        if (!isWrittenMeanwhile(error) || tries === mostTries) throw error;
      }
    }
  }

  /** Table and bucket hold the farther time of the two then. */
  private async agree(): Promise<void> {
    const { offsetMs } = this.clock;
    const told = await this.tell(offsetMs);
    if (told > offsetMs) await advanceClockOffset(this.pool, 0, told);
    this.clock.raiseTo(told);
  }

  private async agreeAtLast(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        return await this.agree();
      } catch {
        await pause(500, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  /** A JetStream that came back without its files has forgotten the time. */
  private async agreeAfterReconnects(): Promise<void> {
    for await (const { type } of this.nats.status()) if (type === 'reconnect') await this.agreeAtLast();
  }
}
