import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import type { ClockMove } from '@xs2a/contracts/sandbox/clock-moves.contract';
import { advanceClockOffset, readClockOffset, readStoredMoves } from '@xs2a/core-banking/sandbox/settings';
import { isWrittenMeanwhile, openBucket } from '@xs2a/nats/buckets';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER, POOL, STREAMS } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** A century: dates keep four-digit years, and every lifetime in the system is far shorter. */
const farthestMs = 100 * 366 * 24 * 60 * 60 * 1000;
const maxTries = 10;
const agreeEveryMs = 1000;

/**
 * Keeps the sandbox's shared clock (contract 13). This service's table stores its offset permanently; the
 * key-value bucket publishes it to all services. Whichever is behind is brought forward, at startup and every
 * second, because the time is lost if JetStream loses its files or the database is reset to an earlier state.
 */
@Injectable()
export class SandboxClockKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(STREAMS) private readonly nats: NatsConnection,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const run = async (): Promise<number> => this.agree();
    this.sweep = new Sweep({ name: 'sandbox-clock', everyMs: agreeEveryMs, clock, logger, run });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.agree().catch((error: unknown) => {
      this.logger.warn({ error }, 'publishing the sandbox clock failed; will retry');
    });
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /**
   * Moves the clock forward and stores who moved it; returns the new offset in milliseconds. Throws CallFailed
   * fieldMalformed at `advance`.
   */
  async advance(byMs: number, move?: Omit<ClockMove, 'movedAt'>): Promise<number> {
    if (!Number.isSafeInteger(byMs) || byMs <= 0 || byMs + this.clock.offsetMs > farthestMs) {
      throw callFailed(
        'fieldMalformed',
        'advance',
        'Send a duration above zero. The clock can move at most 100 years in total.',
      );
    }
    const offsetMs = await advanceClockOffset(this.pool, {
      byMs,
      known: this.clock.offsetMs,
      move: move && { ...move, movedAt: new Date(this.clock.realMs).toISOString() },
    });
    this.clock.raiseTo(offsetMs);
    await this.publish(offsetMs).catch((error: unknown) => {
      this.logger.warn({ error }, 'the sandbox clock moved, but is not yet published to all services');
      throw dependencyDown('nats');
    });
    return offsetMs;
  }

  /** Returns the latest moves, newest first. */
  async readMoves(): Promise<readonly ClockMove[]> {
    return readStoredMoves(this.pool);
  }

  /**
   * Writes the offset unless the bucket is already further ahead, so that no clock move is undone; returns the
   * resulting value.
   */
  private async publish(offsetMs: number): Promise<number> {
    const bucket = await openBucket(this.nats, clockBucket);
    for (let tries = 1; ; tries += 1) {
      const entry = await bucket.get(clockKey);
      const published = Number(entry?.string() ?? 0);
      if (published >= offsetMs) return published;
      try {
        await bucket.put(clockKey, String(offsetMs), { previousSeq: entry?.revision ?? 0 });
        return offsetMs;
      } catch (error) {
        if (!isWrittenMeanwhile(error) || tries === maxTries) throw error;
      }
    }
  }

  /** Makes the table, the bucket and this process agree on the latest of their three times. */
  private async agree(): Promise<number> {
    const kept = await readClockOffset(this.pool);
    this.clock.raiseTo(kept);
    const published = await this.publish(this.clock.offsetMs);
    this.clock.raiseTo(published);
    if (kept < published) await advanceClockOffset(this.pool, { byMs: 0, known: published });
    return 0;
  }
}
