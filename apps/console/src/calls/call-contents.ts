import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CallContent } from '@xs2a/contracts/console.contract';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import { DataSource, type EntityManager, LessThan } from 'typeorm';
import { CallContentEntity } from './call-content.entity.js';

const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60_000;
/** The bytes of contents that are kept. */
const maxBytes = 256_000_000;

/**
 * Keeps the newest of each TPP up to the size at which all fit, so that a TPP with many large calls removes its own contents
 * and not those of others. `own`: the size of a TPP's contents from the newest to this one.
 */
const removeOldest = `DELETE FROM call_content WHERE (SELECT sum(bytes) FROM call_content) > $1 AND call_id IN (
  SELECT call_id FROM (
    SELECT call_id, sum(bytes) OVER (ORDER BY own, call_id DESC) AS total FROM (
      SELECT call_id, content.bytes, sum(content.bytes) OVER (PARTITION BY tpp_id ORDER BY call_id DESC) AS own
      FROM call_content AS content LEFT JOIN call USING (call_id, at)) AS of_tpp) AS of_all
  WHERE total > $1)`;

/** A call that has been stored, and what was sent in it. */
export interface StoredContent {
  readonly callId: number;
  readonly at: Date;
  readonly content: CallContent;
}

/** What was sent in the calls of a sandbox: kept for 24 hours of real time, and never more than {@link maxBytes}. */
@Injectable()
export class CallContents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const run = async (): Promise<number> => this.removeOld();
    this.sweep = new Sweep({ name: 'contents of calls', everyMs: minuteMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Stores what was sent, in the transaction that stores the calls. */
  async insert(manager: EntityManager, contents: readonly StoredContent[]): Promise<void> {
    await manager.insert(
      CallContentEntity,
      contents.map(({ callId, at, content: { request, response } }) => ({
        callId,
        at,
        bytes: Buffer.byteLength(JSON.stringify({ request, response })),
        request,
        response,
      })),
    );
  }

  /** Removes what is older than 24 hours or beyond the limit. Returns 0: nothing more is due. */
  async removeOld(): Promise<number> {
    const { manager } = this.source;
    await manager.delete(CallContentEntity, { at: LessThan(new Date(this.clock.realMs - dayMs)) });
    await manager.query(removeOldest, [maxBytes]);
    return 0;
  }
}
