import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { allPulses, type Pulse } from '@xs2a/contracts/pulse.contract';
import { silentAfterMs } from './instances.js';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';

interface Heard {
  readonly pulse: Pulse;
  readonly atMs: number;
}

/** The latest pulse of each process, as this process heard it. */
@Injectable()
export class LivePulses implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly latest = new Map<string, Heard>();
  /** Real time, like the pulses. */
  private readonly clock = new Clock(false);
  private listeningSinceMs = Number.POSITIVE_INFINITY;
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly callClient: CallClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.listeningSinceMs = this.clock.nowMs();
    this.unsubscribe = this.callClient.listen(
      allPulses,
      (pulse) => this.note(pulse as Pulse),
      (error) => this.logger.error({ error }, 'pulses cannot be received'),
    );
  }

  onApplicationShutdown(): void {
    this.unsubscribe?.();
  }

  /** For how long this process has listened, in milliseconds; negative before. */
  get listenedMs(): number {
    return this.clock.nowMs() - this.listeningSinceMs;
  }

  /** True once every process that is well must have been heard. */
  get hasHeardAll(): boolean {
    return this.listenedMs > silentAfterMs;
  }

  /** The processes that run, each with its latest pulse. */
  running(): readonly Pulse[] {
    const nowMs = this.clock.nowMs();
    for (const [instance, { atMs }] of this.latest)
      if (nowMs - atMs > silentAfterMs) this.latest.delete(instance);
    return [...this.latest.values()].map(({ pulse }) => pulse);
  }

  private note(pulse: Pulse): void {
    if (pulse.ended === undefined) this.latest.set(pulse.instance, { pulse, atMs: this.clock.nowMs() });
    else this.latest.delete(pulse.instance);
  }
}
