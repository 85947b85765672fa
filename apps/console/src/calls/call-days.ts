import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import { DataSource, LessThan } from 'typeorm';
import type { ConsoleConfig } from '../config.js';
import { CallBatchEntity } from './call-batch.entity.js';
import { CallsLeftOutEntity } from './calls-left-out.entity.js';
import { certificateKeptMs, TppCertificateEntity } from './tpp-certificate.entity.js';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;
/** Days after the present one for which partitions are made ahead. */
const daysAhead = 3;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The partitions of the table `call`, one per day of real time (UTC): made ahead, and dropped after `CALL_DAYS`. */
@Injectable()
export class CallDays implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly made = new Set<string>();
  private readonly sweep: Sweep;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly kept: Pick<ConsoleConfig, 'CALL_DAYS'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const run = async (): Promise<number> => this.keep();
    this.sweep = new Sweep({ name: 'days of calls', everyMs: hourMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** The start of the oldest day that is kept, in epoch milliseconds. */
  get oldestMs(): number {
    return Math.floor(this.clock.realMs / dayMs - this.kept.CALL_DAYS) * dayMs;
  }

  /** Makes the partitions for these instants (epoch milliseconds) unless they exist. */
  async make(instants: readonly number[]): Promise<void> {
    for (const day of new Set(instants.map(isoDay))) {
      if (this.made.has(day)) continue;
      await this.source.query('SELECT add_call_day($1)', [day]);
      this.made.add(day);
    }
  }

  /** Makes the partitions of the coming days and removes what is past its retention. Returns 0: nothing more is due. */
  async keep(): Promise<number> {
    const { oldestMs } = this;
    const { realMs } = this.clock;
    await this.make(Array.from({ length: daysAhead + 1 }, (_, ahead) => realMs + ahead * dayMs));
    await this.source.query('SELECT drop_call_days($1)', [isoDay(oldestMs)]);
    await this.source.manager.delete(CallsLeftOutEntity, { until: LessThan(new Date(oldestMs)) });
    const seenAt = LessThan(new Date(realMs - certificateKeptMs));
    await this.source.manager.delete(TppCertificateEntity, { seenAt });
    // A gateway resends a batch only as long as it lives, and mostly for seconds.
    await this.source.manager.delete(CallBatchEntity, { recordedAt: LessThan(new Date(realMs - dayMs)) });
    return 0;
  }
}
