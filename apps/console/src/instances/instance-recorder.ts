import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CallClient } from '@xs2a/calls/client';
import { allPulses, type Pulse, pulseEveryMs } from '@xs2a/contracts/pulse.contract';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import { LessThan, type Repository } from 'typeorm';
import { Instance } from './instance.entity.js';
import { InstanceClocks } from './instance-clocks.js';

const dayMs = 86_400_000;
/** Days of real time for which the row of a process is kept after its last pulse. */
const keptDays = 30;
const forgetEveryMs = 3_600_000;

/**
 * Stores when each process was last heard, so that a process that falls silent can be named. With two instances of
 * the console, both write the same rows.
 */
@Injectable()
export class InstanceRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The pulses that are not stored yet, by instance. */
  private readonly received = new Map<string, Pulse>();
  /** Real time, like the pulses. */
  private readonly clock = new Clock(false);
  private readonly storing: Sweep;
  private readonly forgetting: Sweep;
  private unsubscribe: (() => void) | undefined;

  constructor(
    @InjectRepository(Instance) private readonly instances: Repository<Instance>,
    private readonly callClient: CallClient,
    private readonly clocks: InstanceClocks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { clock } = this;
    const store = async (): Promise<number> => this.store();
    const forget = async (): Promise<number> => this.forgetOld();
    this.storing = new Sweep({ name: 'pulses', everyMs: pulseEveryMs, clock, logger, run: store });
    this.forgetting = new Sweep({
      name: 'ended instances',
      everyMs: forgetEveryMs,
      clock,
      logger,
      run: forget,
    });
  }

  onApplicationBootstrap(): void {
    this.unsubscribe = this.callClient.listen(
      allPulses,
      (pulse) => this.note(pulse as Pulse),
      (error) => this.logger.error({ error }, 'pulses cannot be received'),
    );
    this.storing.start();
    this.forgetting.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.unsubscribe?.();
    await Promise.all([this.storing.stop(), this.forgetting.stop()]);
    // The last pulses of processes that end with this one.
    await this.store().catch((error: unknown) =>
      this.logger.warn({ error }, 'storing the last pulses failed'),
    );
  }

  private note(pulse: Pulse): void {
    this.received.set(pulse.instance, pulse);
    this.clocks.note(pulse);
    // The process ends now, and this one may be about to end with it.
    if (pulse.ended !== undefined) this.storing.wakeUp();
  }

  /** Returns 0, because everything received so far is stored at once. */
  private async store(): Promise<number> {
    // In an order that is the same in every instance, so that two of them never wait for each other.
    const pulses = [...this.received.values()].toSorted((a, b) => a.instance.localeCompare(b.instance));
    if (pulses.length > 0) await this.instances.upsert(pulses.map(toRow), ['id']);
    for (const pulse of pulses)
      if (this.received.get(pulse.instance) === pulse) this.received.delete(pulse.instance);
    return 0;
  }

  /** Deletes the rows of processes that ended long ago. */
  async forgetOld(): Promise<number> {
    const before = new Date(this.clock.nowMs() - keptDays * dayMs);
    await this.instances.delete({ lastPulseAt: LessThan(before) });
    return 0;
  }
}

const toRow = (pulse: Pulse) => ({
  id: pulse.instance,
  service: pulse.service,
  host: pulse.host,
  pid: pulse.pid,
  version: pulse.version,
  startedAt: new Date(pulse.startedAt),
  lastPulseAt: new Date(pulse.at),
  ended: pulse.ended ?? null,
});
