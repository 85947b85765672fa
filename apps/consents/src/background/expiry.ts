import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { expireConsent, firstUse } from '@xs2a/domain/consent/decide-consent';
import { isFinalConsent } from '@xs2a/domain/consent/consent-transitions';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Logger } from '@xs2a/observability/logger';
import { Batches, settleEach } from '@xs2a/postgres/batches';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { CallCounters } from '../access/call-counters.js';
import { CallRecords } from '../access/call-records.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { LastUsed } from '../access/last-used.js';
import { ReplaceOlder } from '../end/replace-older.js';

const maxBatch = 200;
const maxPruned = 5000;
const everyMs = 2000;
const dayMs = 24 * 60 * 60 * 1000;
/** Longer than the lifetime of any consent (contract 5), so the consent of a report this old has ended. */
const reportKeptMs = 91 * dayMs;
/** An unanswered call is removed from its counter well within this time, so a call older than this was answered. */
const answeredAfterMs = 10_000;
const tidyEveryMs = 10 * 60 * 1000;

/** Work that becomes due as time passes: recording first uses, ending consents, and removing expired counters. */
@Injectable()
export class DueConsents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  /** Removes expired counters in a separate sweep, so that this cannot delay the other one. */
  private readonly tidying: Sweep;
  private readonly endings = new Batches(maxBatch);
  private readonly firstUses = new Batches(maxBatch);
  private readonly unusedCounters = new Batches(maxPruned);
  private tidiedAt = 0;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly counters: CallCounters,
    private readonly lastUsed: LastUsed,
    private readonly callRecords: CallRecords,
    private readonly replaceOlder: ReplaceOlder,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.sweep = new Sweep({ name: 'due consents', everyMs, clock, logger, run: async () => this.round() });
    const run = async (): Promise<number> => this.tidy();
    this.tidying = new Sweep({ name: 'consent counters', everyMs, clock, logger, run });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
    this.tidying.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.tidying.stop()]);
    // Nothing depends on the time of last use, so a database that is down must not prevent the process from
    // stopping.
    await this.lastUsed.write().catch(() => undefined);
  }

  /** Ends all consents that are due now; returns the number of consents that ended. */
  async expireDue(): Promise<number> {
    return this.sweep.drain();
  }

  private async round(): Promise<number> {
    let ended = 0;
    const end = async (limit: number): Promise<number> => this.end(limit);
    const tried = new Set<string>();
    await settleEach([
      async () => this.firstUses.all(async (limit) => this.recordFirstUses(limit, tried)),
      async () => {
        ended = await this.endings.next(end);
      },
    ]);
    return ended;
  }

  /**
   * `tried`: the consents tried in this round. Each batch finds a consent again if it cannot be changed here, and
   * that must not prolong the round.
   */
  private async recordFirstUses(limit: number, tried: Set<string>): Promise<number> {
    const uses = await this.counters.firstUses((this.clock.nowMs() - answeredAfterMs) * 1000, limit);
    const usedAt = (consentId: string): string =>
      new Date(Math.floor((uses.get(consentId) ?? 0) / 1000)).toISOString();
    const untried = [...uses.keys()].filter((consentId) => !tried.has(consentId));
    await this.store.many.change(
      untried,
      (state, consentId) => firstUse(state, { now: usedAt(consentId) }, this.profile),
      { actor: 'consents' },
    );
    for (const consentId of untried) tried.add(consentId);
    return untried.length;
  }

  private async end(limit: number): Promise<number> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'due-consents',
      text: 'SELECT stream_id FROM consent_view WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
      values: [now, limit],
    });
    const changed = await this.store.many.change(
      rows.map((row) => row.stream_id),
      (state) => expireConsent(state, { now, timeZone: this.profile.timeZone }),
      { actor: 'consents' },
    );
    return [...changed.values()].filter((one) => 'state' in one && isFinalConsent(one.state.status)).length;
  }

  private async tidy(): Promise<number> {
    await this.lastUsed.write();
    const nowMs = this.clock.nowMs();
    if (nowMs - this.tidiedAt < tidyEveryMs) return 0;
    this.tidiedAt = nowMs;
    const [callsAfter, reportsAfter] = [(nowMs - dayMs) * 1000, (nowMs - reportKeptMs) * 1000];
    await settleEach([
      async () =>
        this.unusedCounters.all(async (limit) => this.counters.prune(callsAfter, reportsAfter, limit)),
      async () => this.callRecords.prune(),
      async () => {
        while ((await this.replaceOlder.leftOver(100)) > 0);
      },
    ]);
    return 0;
  }
}
