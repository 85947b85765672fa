import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { type LeaderLock, repeat, runAsLeader } from '@xs2a/postgres/leader-lock';
import { LeaderWatch } from '@xs2a/postgres/leader-watch';
import { once } from 'node:events';
import type { Pool } from 'pg';

/** The work that the active instance does until it stops or loses its lock. */
export interface ActiveWork {
  stop(): Promise<unknown>;
  /** Aborted when the work cannot continue. The work is then stopped, and an instance takes over again. */
  readonly ended?: AbortSignal;
}

export interface ActiveInstanceOptions {
  /** The name of the lock, also used as the prefix of log lines. */
  readonly name: string;
  /** The health check's warning if no instance is active. */
  readonly nobodyIsActive: string;
  /** Set to 1 while this instance is active, otherwise to 0. */
  readonly gauge: { set(value: number): void };
  readonly pool: Pool;
  readonly logger: Logger;
}

/** Works while it holds a lock that only one instance at a time can hold; the other instances stand by. */
export abstract class ActiveInstance<Work extends ActiveWork>
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  /** Undefined while this instance is on standby. */
  protected active: Work | undefined;
  protected readonly stopping = new AbortController();
  protected readonly watch: LeaderWatch;
  private running: Promise<void> | undefined;

  protected constructor(private readonly instance: ActiveInstanceOptions) {
    this.watch = new LeaderWatch(instance.nobodyIsActive);
  }

  /** Called each time this instance has obtained the lock. */
  protected abstract begin(lock: LeaderLock): Work | Promise<Work>;

  onApplicationBootstrap(): void {
    const { name, gauge, pool, logger } = this.instance;
    gauge.set(0);
    const stop = this.stopping.signal;
    const heldElsewhere = (): void => this.watch.seen();
    this.running = repeat(
      async () =>
        runAsLeader(pool, name, { stop, heldElsewhere }, async (lock) =>
          this.watch.while(async () => this.lead(lock)),
        ),
      stop,
      (error) => logger.warn({ error }, `acquiring the ${name} lock failed; will retry`),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async lead(lock: LeaderLock): Promise<void> {
    const { name, gauge, logger } = this.instance;
    const work = await this.begin(lock);
    this.active = work;
    gauge.set(1);
    logger.info(`${name}: active`);
    try {
      const ends = [this.stopping.signal, lock.lost, ...(work.ended === undefined ? [] : [work.ended])];
      const end = AbortSignal.any(ends);
      if (!end.aborted) await once(end, 'abort');
    } finally {
      gauge.set(0);
      await work.stop();
      this.active = undefined;
      logger.info(`${name}: no longer active`);
    }
  }
}
