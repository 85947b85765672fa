import type { SessionStore } from '@fastify/session';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { Clock } from '@xs2a/runtime/clock';
import { LOGGER } from '@xs2a/runtime/tokens';
import type { Session } from 'fastify';
import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { StaffSessionEntity } from './staff-session.entity.js';

/** Milliseconds without use after which a session ends. */
const idleMs = 15 * 60_000;
/** Milliseconds after which a session ends even if it is in use. */
const longestMs = 8 * 3_600_000;
/** Use is recorded at most this often, so that a click does not always write a row. */
const useRecordedEveryMs = 30_000;
const sweptEveryMs = 60_000;

/** The sessions of the console, shared by its instances. They expire by real time. */
@Injectable()
export class StaffSessions implements SessionStore, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly clock = new Clock(false);
  private readonly sweep: Sweep;

  constructor(
    @InjectRepository(StaffSessionEntity) private readonly sessions: Repository<StaffSessionEntity>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { clock } = this;
    const run = async (): Promise<number> => this.endOld();
    this.sweep = new Sweep({ name: 'staff sessions', everyMs: sweptEveryMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  readonly get = callbackify(async (id: string) => this.find(id));
  readonly set = callbackify(async (id: string, session: Session) => this.save(id, session));
  readonly destroy = callbackify(async (id: string) => this.end(id));

  /** Postpones the end of a session because a person uses it. */
  async use(id: string): Promise<void> {
    const nowMs = this.clock.nowMs();
    const before = new Date(nowMs - useRecordedEveryMs);
    await this.sessions.update({ idHash: hash(id), usedAt: LessThan(before) }, { usedAt: new Date(nowMs) });
  }

  private async find(id: string): Promise<Session | null> {
    const { idle, oldest } = this.bounds();
    const row = await this.sessions.findOneBy({
      idHash: hash(id),
      usedAt: MoreThan(idle),
      startedAt: MoreThan(oldest),
    });
    return row === null ? null : (row.data as unknown as Session);
  }

  private async save(id: string, session: Session): Promise<void> {
    const idHash = hash(id);
    const now = this.clock.nowMs();
    const data = JSON.parse(JSON.stringify(session)) as object;
    const { affected } = await this.sessions.update({ idHash }, { data });
    if (affected === 1) return;
    await this.sessions.upsert({ idHash, data, startedAt: new Date(now), usedAt: new Date(now) }, ['idHash']);
  }

  private async end(id: string): Promise<void> {
    await this.sessions.delete({ idHash: hash(id) });
  }

  /** Deletes ended sessions. Returns 0, because one statement deletes all of them. */
  async endOld(): Promise<number> {
    const { idle, oldest } = this.bounds();
    await this.sessions.delete({ usedAt: LessThan(idle) });
    await this.sessions.delete({ startedAt: LessThan(oldest) });
    return 0;
  }

  private bounds(): { readonly idle: Date; readonly oldest: Date } {
    const nowMs = this.clock.nowMs();
    return { idle: new Date(nowMs - idleMs), oldest: new Date(nowMs - longestMs) };
  }
}

const hash = (id: string): Buffer => createHash('sha256').update(id).digest();
