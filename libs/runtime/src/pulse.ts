import type { NatsConnection } from '@nats-io/transport-node';
import type { UnansweredCalls } from '@xs2a/calls/unanswered-calls';
import { type ProcessEnd, type Pulse, pulseEveryMs, pulseSubject } from '@xs2a/contracts/pulse.contract';
import type { ServiceName } from '@xs2a/contracts/services';
import type { Profile } from '@xs2a/domain/profile/profile';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import type { Health } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import { readRecentCounts } from '@xs2a/observability/recent-counts';
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { Clock } from './clock.js';
import { newId } from './ids.js';
import { version } from './release.js';

export interface PulseSources {
  readonly service: ServiceName;
  readonly nats: NatsConnection;
  readonly health: Health;
  readonly unanswered: UnansweredCalls;
  readonly logger: Pick<Logger, 'warn'>;
  readonly pool?: Pool;
  readonly profile: Pick<Profile, 'name'>;
}

const flushWithinMs = 1000;

/** Real time, because operators compare pulses with their own clocks, not with the sandbox clock. */
const clock = new Clock(false);

/** Publishes the state of this process every two seconds, so that a process that hangs is noticed by its silence. */
export class PulseSender {
  private readonly instance = newId();
  private readonly startedAt = clock.now();
  private readonly loopDelay = monitorEventLoopDelay();
  private timer: NodeJS.Timeout | undefined;
  /** The pulse that is being sent; another one waits for it, so that the last one arrives last. */
  private sending: Promise<void> = Promise.resolve();

  constructor(private readonly sources: PulseSources) {}

  start(): void {
    this.loopDelay.enable();
    this.timer = setInterval(() => this.sendNext(), pulseEveryMs);
    this.sendNext();
  }

  /** Sends the last pulse, which says that the process ends as it should. */
  async stop(ended: ProcessEnd): Promise<void> {
    clearInterval(this.timer);
    this.sendNext(ended);
    await this.sending;
    this.loopDelay.disable();
    // If NATS does not answer, the service ends without it.
    await waitAtMost(flushWithinMs, this.sources.nats.flush());
  }

  private sendNext(ended?: ProcessEnd): void {
    this.sending = this.sending
      .then(async () => this.send(ended))
      .catch((error: unknown) => this.sources.logger.warn({ error }, 'a pulse could not be sent'));
  }

  private async send(ended?: ProcessEnd): Promise<void> {
    const { nats } = this.sources;
    const pulse = await this.measure(ended);
    if (!nats.isClosed()) nats.publish(pulseSubject(pulse), JSON.stringify(pulse));
  }

  private async measure(ended?: ProcessEnd): Promise<Pulse> {
    const { service, health, unanswered, pool, profile } = this.sources;
    const { ok, checks, degraded } = await health.ready();
    const eventLoopP99Ms = Math.round(this.loopDelay.percentile(99) / 1e5) / 10;
    this.loopDelay.reset();
    return {
      service,
      instance: this.instance,
      host: hostname(),
      pid: process.pid,
      version,
      startedAt: this.startedAt,
      at: clock.now(),
      isReady: ok,
      profile: profile.name,
      checks,
      degraded,
      memoryBytes: process.memoryUsage.rss(),
      eventLoopP99Ms,
      pool: pool && { open: pool.totalCount, waiting: pool.waitingCount },
      unanswered: unanswered.lastMinute(),
      lastReplies: unanswered.lastReplies(),
      recent: readRecentCounts(),
      ended,
    };
  }
}
