import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Pulse, pulseEveryMs } from '@xs2a/contracts/pulse.contract';
import { type ServiceName, serviceNames } from '@xs2a/contracts/services';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { clockDifference } from '@xs2a/runtime/metrics/clock-difference';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER } from '@xs2a/runtime/tokens';

/** Several pulses: one that arrives late makes a clock look slow, and the latest one of several hardly ever does. */
const everyMs = 5 * pulseEveryMs;

/** Compares the clocks of all processes with this one's, by the times in their pulses. */
@Injectable()
export class InstanceClocks implements OnApplicationBootstrap, OnApplicationShutdown {
  /** By instance: how far its clock is ahead, in milliseconds, by the pulse that arrived soonest. */
  private readonly ahead = new Map<string, { readonly service: ServiceName; readonly ms: number }>();
  /** Real time, like the pulses. */
  private readonly clock = new Clock(false);
  private readonly sweep: Sweep;

  constructor(@Inject(LOGGER) logger: Logger) {
    const { clock } = this;
    const run = async (): Promise<number> => this.measure();
    this.sweep = new Sweep({ name: 'clocks of instances', everyMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Takes the time of a pulse that has just arrived. */
  note({ instance, service, at }: Pick<Pulse, 'instance' | 'service' | 'at'>): void {
    const ms = Date.parse(at) - this.clock.realMs;
    const known = this.ahead.get(instance)?.ms ?? Number.NEGATIVE_INFINITY;
    this.ahead.set(instance, { service, ms: Math.max(ms, known) });
  }

  /** Sets the metric, for each service by its instance whose clock differs most, and starts anew. */
  measure(): number {
    const byService = Map.groupBy(this.ahead.values(), (one) => one.service);
    for (const service of serviceNames) {
      const [most] = (byService.get(service) ?? [])
        .map(({ ms }) => ms)
        .toSorted((a, b) => Math.abs(b) - Math.abs(a));
      if (most === undefined) clockDifference.remove({ with: service });
      else clockDifference.set({ with: service }, most / 1000);
    }
    this.ahead.clear();
    return 0;
  }
}
