import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { InstanceState, KnownInstance } from '@xs2a/doctor/instances';
import { listInstances, selectKnownInstances, toKnownInstance } from '@xs2a/doctor/instances';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import type { DataSource } from 'typeorm';
import { CallGroups, type CallVolume } from '../calls-pages/call-groups.js';
import { LivePulses } from '@xs2a/doctor/live-pulses';
import { TppCertificates } from '../tpps/tpp-certificates.js';
import { TppNames } from '../tpps/tpp-names.js';
import { Backlog, type Waiting } from './backlog.js';
import { ClockMoves } from './clock-moves.js';
import type { Finding } from './finding.js';
import { findFindings } from './findings.js';
import { type KilledProcess, selectKilled } from './killed-processes.js';
import { hasStarted } from './service-findings.js';
import { windowMs } from './thresholds.js';

/** What this instance of the console knows about the running system. */
export interface Observation {
  /** Real time in epoch milliseconds. */
  readonly atMs: number;
  readonly instances: readonly InstanceState[];
  readonly volume: CallVolume;
  readonly waiting: Waiting;
  readonly findings: readonly Finding[];
}

const observedEveryMs = 2000;
/** Milliseconds after which an observation says nothing about the present. */
const outdatedAfterMs = 10_000;

/**
 * Looks at the running system every two seconds, once for all people who have a page open, so that a hundred open pages cost
 * no more than one.
 */
@Injectable()
export class Observer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly clock = new Clock(false);
  private readonly sweep: Sweep;
  private latest: Observation | undefined;
  /** When the system had started. */
  private startedAtMs: number | undefined;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly pulses: LivePulses,
    private readonly groups: CallGroups,
    private readonly backlog: Backlog,
    private readonly clockMoves: ClockMoves,
    private readonly certificates: TppCertificates,
    private readonly names: TppNames,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { clock } = this;
    const run = async (): Promise<number> => this.look();
    this.sweep = new Sweep({ name: 'observation', everyMs: observedEveryMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /**
   * The latest observation; undefined until every process that is well must have been heard, and if none succeeded lately, for
   * example because the database does not answer.
   */
  get observation(): Observation | undefined {
    const isPresent = this.latest !== undefined && this.clock.nowMs() - this.latest.atMs < outdatedAfterMs;
    return isPresent ? this.latest : undefined;
  }

  /** Returns 0, because one look sees everything. */
  private async look(): Promise<number> {
    if (!this.pulses.hasHeardAll) return 0;
    const atMs = this.clock.nowMs();
    const heard = this.pulses.running();
    const [known, killed, volume, certificates] = await Promise.all([
      this.source.query<(KnownInstance & { readonly lastPulseAt: Date })[]>(selectKnownInstances),
      this.source.query<KilledProcess[]>(selectKilled, [heard.map(({ instance }) => instance)]),
      this.groups.since(new Date(atMs - windowMs)),
      this.certificates.list(),
    ]);
    const instances = listInstances(heard, known.map(toKnownInstance), atMs);
    const { waiting } = this.backlog;
    if (hasStarted(instances, this.pulses.listenedMs)) this.startedAtMs ??= atMs;
    const startedForMs = this.startedAtMs === undefined ? undefined : atMs - this.startedAtMs;
    const { sinceMoveMs: sinceClockMoveMs } = this.clockMoves;
    const findings = findFindings({
      instances,
      volume,
      waiting,
      startedForMs,
      killed,
      certificates,
      sinceClockMoveMs,
      atMs,
      nameOf: this.names.of,
    });
    this.latest = { atMs, instances, volume, waiting, findings };
    return 0;
  }
}
