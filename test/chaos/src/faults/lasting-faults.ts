import { Client } from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { whileFrozen } from './process-family.js';
import type { Instance } from './schedule.js';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import type { ChaosWorld } from '../world.js';

const minute = 60;

/** Faults that last while other faults continue. */
export class LastingFaults {
  private readonly running = new Set<Promise<unknown>>();
  /** The instances that are currently frozen or gone. */
  private readonly missing = new Map<string, number>();

  constructor(private readonly world: ChaosWorld) {}

  /** Whether any instance or its connections currently hang. */
  get isHampered(): boolean {
    return this.missing.size > 0;
  }

  /** Whether the given instance is frozen. */
  isStill(name: string): boolean {
    return this.missing.has(name);
  }

  async over(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  begin(fault: Promise<unknown>): void {
    this.running.add(fault);
    void fault.finally(() => this.running.delete(fault));
  }

  /** Freezes an instance. Returns false if it is already frozen or down. */
  freeze(name: Instance, pid: number, seconds = minute): boolean {
    if (pid === 0 || this.missing.has(name)) return false;
    this.begin(this.while(name, async () => whileFrozen(pid, seconds)));
    return true;
  }

  /**
   * Makes a process vanish. Its connections stay open on the servers for the given number of seconds, while the
   * sandbox restarts the process at once.
   */
  vanish(service: ServiceName, seconds: number): boolean {
    const { sandbox } = this.world;
    const [place, process] = [sandbox.places.get(service), sandbox.seconds[service]];
    if (place === undefined || process === undefined || process.pid === 0) return false;
    const release = place.hold();
    process.kill('SIGKILL');
    this.begin(this.while(`${service}-2's connections`, async () => wait(seconds * 1000)).finally(release));
    return true;
  }

  /** Stops the second processes cleanly, starts them from the next release's build, and later switches them back. */
  async twoReleases(seconds: number): Promise<void> {
    await this.world.startSeconds('next');
    await wait(seconds * 1000);
    await this.world.startSeconds('this');
  }

  /**
   * Opens a REPEATABLE READ transaction as superuser, to which no server timeout applies. Returns whether it could
   * begin.
   */
  async snapshot(): Promise<boolean> {
    const session = new Client({ connectionString: this.world.sandbox.databaseUrl('postgres') });
    // Killing the database ends the session, which does not make this fault fail.
    session.on('error', () => undefined);
    try {
      await session.connect();
      for (const text of [
        'SET transaction_timeout = 0',
        'SET idle_in_transaction_session_timeout = 0',
        'BEGIN ISOLATION LEVEL REPEATABLE READ',
        'SELECT count(*) FROM payments.log',
      ])
        await session.query(text);
    } catch {
      // PostgreSQL is down because of an earlier fault, so the session cannot be closed cleanly either.
      await session.end().catch(() => undefined);
      return false;
    }
    // The session may have been lost in the meantime, and has then already ended.
    this.begin(wait(minute * 1000).then(async () => session.end().catch(() => undefined)));
    return true;
  }

  private async while(name: string, fault: () => Promise<unknown>): Promise<void> {
    this.missing.set(name, (this.missing.get(name) ?? 0) + 1);
    try {
      await fault();
    } finally {
      const left = (this.missing.get(name) ?? 1) - 1;
      if (left === 0) this.missing.delete(name);
      else this.missing.set(name, left);
    }
  }
}
