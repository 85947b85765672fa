import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers as natsHeaders } from '@nats-io/transport-node';
import { eventStreams } from '@xs2a/contracts/event-streams';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import type { Supervised } from '@xs2a/sandbox/processes/supervised';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { overdue } from '@xs2a/invariants/due-left';
import { LastingFaults } from './lasting-faults.js';
import { NodeFaults } from './node-faults.js';
import { copyDatabase, goBackTo } from './older-database.js';
import { whileFrozen } from './process-family.js';
import { rollingRestart } from './rolling-restart.js';
import { countedAs, describeFault, type Fault, isOneOfTwo, type Step, type Victim } from './schedule.js';
import type { ChaosWorld } from '../world.js';

/** The maximum wait for a victim that is down because of an earlier fault. */
const victimBackMs = 15_000;

/**
 * The seconds within which due work must be done while an instance is frozen for a minute and delays it: those of
 * invariant 7 count from the end of that minute.
 */
const hamperedSeconds = 75;
/**
 * The maximum number of rolling restarts that may be left for the end of a run. More would take longer than the
 * run itself.
 */
const maxWaiting = 2;

/** The time after which an armed failpoint that no process has reached is disarmed. */
const passedWithinMs = 1500;

/** Injects faults into a world in sequence, and counts them. */
export class Faults {
  /** The number of faults that happened, by kind; kills are also counted by victim. */
  readonly counts = new Map<string, number>();
  /** One sentence for each kind of work that was still due ten seconds after a database lost its newest data. */
  readonly late: string[] = [];
  /** Requests that failed during rolling restarts. */
  readonly failedInRestarts: string[] = [];
  private readonly lasting: LastingFaults;
  private readonly nodes: NodeFaults;
  private isNextRelease = false;
  /** Rolling restarts that wait until no other fault is active. */
  private readonly waiting: Fault[] = [];

  constructor(
    private readonly world: ChaosWorld,
    private readonly say: (line: string) => void,
  ) {
    this.nodes = new NodeFaults(world);
    this.lasting = new LastingFaults(world);
  }

  /** Runs the steps in order, and resolves when the last fault is over. No new fault starts after `seconds`. */
  async run(steps: readonly Step[], seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000;
    for (const { afterMs, fault } of steps) {
      await wait(afterMs);
      if (performance.now() > end) break;
      await this.inject(fault);
    }
    await this.lasting.over();
    this.world.orders.withdraw();
    for (const fault of this.waiting.splice(0).slice(0, maxWaiting)) await this.inject(fault);
  }

  private async inject(fault: Fault): Promise<void> {
    if (fault.kind === 'rolling restart' && (this.lasting.isHampered || this.isNextRelease)) {
      this.waiting.push(fault);
      return;
    }
    this.say(describeFault(fault));
    this.world.times.fault(describeFault(fault).replace(/ \d+$/, ''));
    const happened = await this.happen(fault);
    const kind = countedAs(fault);
    if (happened) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /**
   * Injects a fault. Returns whether it happened: an armed failpoint, for example, may not be reached by any
   * process.
   */
  private async happen(fault: Fault): Promise<boolean> {
    switch (fault.kind) {
      case 'kill':
        return (await this.up(fault.victim)) && this.kill(fault.victim);
      case 'freeze':
        return (await this.up(fault.victim)) && this.freeze(fault.victim, fault.seconds);
      case 'freeze beyond ack wait':
        return (await this.up(fault.victim)) && this.freeze(fault.victim, fault.seconds);
      case 'frozen for a minute':
        return (
          (await this.up(fault.victim)) && this.lasting.freeze(fault.victim, this.victim(fault.victim).pid)
        );
      case 'host vanishes':
        return (await this.up(`${fault.service}-2`)) && this.lasting.vanish(fault.service, fault.seconds);
      case 'silent bank':
        return this.silenceBank(fault.seconds);
      case 'long snapshot':
        return (await this.up('postgres')) && this.lasting.snapshot();
      case 'promoted standby':
        return this.promote(fault.seconds);
      case 'two releases':
        if (this.isNextRelease) return false;
        this.isNextRelease = true;
        this.lasting.begin(
          this.lasting.twoReleases(fault.seconds).finally(() => {
            this.isNextRelease = false;
          }),
        );
        return true;
      case 'rolling restart':
        return this.restart(fault.service);
      case 'database goes back':
        return this.goBack(fault.seconds);
      case 'wipe':
        return this.wipe(fault.files);
      case 'roll back':
        return this.rollBack(fault.seconds);
      case 'duplicate publish':
        return this.duplicatePublish();
      case 'twin':
        return this.twin(fault);
      case 'cut connections':
        return this.cutConnections(fault.role);
      case 'advance clock':
        // The move of the clock may fail because of an earlier fault.
        this.lasting.begin(this.world.advance(fault.by).catch(() => undefined));
        return true;
      case 'failpoint':
        return this.failpoint(fault.name);
      default:
        return this.nodes.happen(fault);
    }
  }

  private victim(name: Victim): Supervised {
    const { postgres, nats, services, seconds } = this.world.sandbox;
    const all: readonly Supervised[] = [
      postgres as Supervised,
      nats as Supervised,
      ...Object.values(services),
      ...Object.values(seconds),
    ];
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new RangeError(`nothing is called ${name}`);
    return found;
  }

  private async up(name: Victim): Promise<boolean> {
    const end = performance.now() + victimBackMs;
    while (this.victim(name).pid === 0 && performance.now() < end) await wait(50);
    return this.victim(name).pid !== 0;
  }

  private kill(name: Victim): boolean {
    const victim = this.victim(name);
    if (victim.pid === 0) return false;
    victim.kill('SIGKILL');
    return true;
  }

  /**
   * Freezes one of two instances while other faults continue. PostgreSQL or a single NATS server is frozen as a
   * whole.
   */
  private async freeze(victim: Victim, seconds: number): Promise<boolean> {
    const { pid } = this.victim(victim);
    return isOneOfTwo(victim) ? this.lasting.freeze(victim, pid, seconds) : whileFrozen(pid, seconds);
  }

  private async silenceBank(seconds: number): Promise<boolean> {
    const both = ['accounts', 'accounts-2'] as const;
    for (const name of both) if (!(await this.up(name))) return false;
    return both.map((name) => this.lasting.freeze(name, this.victim(name).pid, seconds)).every(Boolean);
  }

  /**
   * Kills the primary and promotes the standby. PostgreSQL delays each commit until the standby has it, so no
   * acknowledged data may be lost.
   */
  private async promote(seconds: number): Promise<boolean> {
    const { databases, postgres } = this.world.sandbox;
    if (!(await this.up('postgres'))) return false;
    const { dataDir } = postgres.current;
    await databases.addStandby();
    await wait(seconds * 1000);
    await databases.failOver();
    rmSync(dataDir, { recursive: true, force: true });
    return true;
  }

  private async restart(service: ServiceName): Promise<boolean> {
    const failed = await rollingRestart(this.world, service);
    this.failedInRestarts.push(...(failed ?? []));
    return failed !== undefined;
  }

  private async wipe(files: 'PAYMENTS' | 'CONSENTS' | 'all'): Promise<boolean> {
    const { sandbox } = this.world;
    const jetStreamFolder = join(this.world.natsFolder, 'jetstream');
    if (!(await this.up('nats'))) return false;
    await sandbox.nats.stop();
    const folder = files === 'all' ? jetStreamFolder : streamFolder(jetStreamFolder, files);
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    await sandbox.nats.start();
    return folder !== undefined;
  }

  private async rollBack(seconds: number): Promise<boolean> {
    const { sandbox } = this.world;
    const jetStreamFolder = join(this.world.natsFolder, 'jetstream');
    const copy = `${jetStreamFolder}-before`;
    if (!(await this.up('nats'))) return false;
    await sandbox.nats.stop();
    cpSync(jetStreamFolder, copy, { recursive: true });
    await sandbox.nats.start();
    await wait(seconds * 1000);
    await sandbox.nats.stop();
    rmSync(jetStreamFolder, { recursive: true, force: true });
    cpSync(copy, jetStreamFolder, { recursive: true });
    rmSync(copy, { recursive: true });
    await sandbox.nats.start();
    return true;
  }

  /**
   * Replaces the database with an older copy. Work that is due when PostgreSQL is up again must be done soon
   * afterwards.
   */
  private async goBack(seconds: number): Promise<boolean> {
    const { sandbox, log } = this.world;
    if (!(await this.up('postgres'))) return false;
    const copy = await copyDatabase(sandbox);
    await wait(seconds * 1000);
    await goBackTo(sandbox, copy, (undone) => log.wentBack(undone));
    // A frozen instance receives half of all calls without answering, and holds its locks for some seconds,
    // so a longer limit applies.
    const within = this.lasting.isHampered ? hamperedSeconds : this.world.restSeconds;
    const left = await overdue(this.world, within);
    this.late.push(...left.map((what) => `${what}, ${within} s after the database went back`));
    return true;
  }

  /**
   * Publishes copies of events. Each copy states its expected sequence, as the relay's messages do, so the stream
   * must refuse all of them.
   */
  private async duplicatePublish(): Promise<boolean> {
    const { nats, log } = this.world;
    try {
      const manager = await jetstreamManager(nats);
      const client = jetstream(nats, { timeout: 2000 });
      const { state } = await manager.streams.info(eventStreams.payments);
      let sent = 0;
      for (let seq = Math.max(1, state.last_seq - 9); seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage(eventStreams.payments, { seq });
        if (message === null) continue;
        sent += 1;
        const expect = { lastSequence: seq - 1, streamName: eventStreams.payments };
        const taken = await client
          .publish(message.subject, message.data, { expect, headers: natsHeaders() })
          .then(() => true)
          .catch(() => false);
        if (taken) log.surprises.push(`the stream took the event at ${seq} twice`);
      }
      return sent > 0;
    } catch {
      // JetStream is down after an earlier fault.
      return false;
    }
  }

  private async twin({ service, seconds, end }: Extract<Fault, { kind: 'twin' }>): Promise<boolean> {
    // If an earlier fault prevents the start, this fault does not happen.
    const started = await this.world.sandbox.startAnother(service).catch(() => undefined);
    if (started === undefined) return false;
    await wait(seconds * 1000);
    if (end === 'SIGTERM') await started.stop();
    else started.kill('SIGKILL');
    await started.exited;
    return true;
  }

  private async cutConnections(role: string): Promise<boolean> {
    try {
      const { rowCount } = await this.world.schemas
        .of('payments')
        .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
      return (rowCount ?? 0) > 0;
    } catch {
      return false;
    }
  }

  private async failpoint(name: string): Promise<boolean> {
    const { orders } = this.world;
    orders.order(name);
    const end = performance.now() + passedWithinMs;
    while (orders.isOpen && performance.now() < end) await wait(20);
    const passed = !orders.isOpen;
    orders.withdraw();
    return passed;
  }
}

/** Returns the folder of a stream's files, or undefined if the stream has none. */
const streamFolder = (jetStreamFolder: string, stream: string): string | undefined => {
  if (!existsSync(jetStreamFolder)) return undefined;
  const found = readdirSync(jetStreamFolder, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(join('streams', stream)),
  );
  return found === undefined ? undefined : join(jetStreamFolder, found);
};
