import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../../config.js';
import { OTP_CODES } from '../../tokens.js';
import { failuresUntilLock, isScaLocked } from '@xs2a/domain/sca/sca-lockout';
import { counter } from '@xs2a/observability/metrics';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { OtpCodes, OtpMessage } from './otp-codes.js';
import { type ScaSubject, isLocked, ScaFailures, type StoredFailure } from './sca-failures.js';

/** The lifetime of a code, which can be used only once (quality, "Security"). */
const codeSeconds = 300;
/** The maximum number of unused codes sent to a PSU within 15 minutes. */
const maxUnused = 5;
const unusedSeconds = 900;
/** A new code can be sent this many seconds after the one before. */
const resendAfterSeconds = 30;

const issuedCodes = counter('xs2a_sca_codes_total', 'One-time codes, by whether they reached the PSU', [
  'outcome',
]);

/**
 * `failed`: there were too many wrong codes, and the authorisation has ended. `used`: a concurrent request has
 * just signed with this code, or has replaced it.
 */
export type CodeVerdict = 'right' | 'wrong' | 'failed' | 'expired' | 'used';

/** A code that was sent. */
export interface Issued {
  readonly challengeId: string;
  /** ISO instant. */
  readonly sentAt: string;
  /** Where the bank sent it, masked by the bank. */
  readonly sentTo?: string;
}
/**
 * Why no new code was sent: the last one is too recent, too many were not used, a concurrent request has replaced the
 * last one, or it has been used or failed.
 */
export type NotResent = 'too-soon' | 'too-many' | 'replaced' | 'over';

interface Verified {
  readonly verdict: CodeVerdict;
  /** Undefined if the code did not count as a failure. */
  readonly failure?: StoredFailure;
}

interface ChallengeRow {
  readonly psu_id: string;
  readonly code_hash: Buffer;
  readonly failures: number;
  readonly used_at: Date | null;
  readonly replaced_at: Date | null;
  readonly expires_at: Date;
}

/** One-time codes. Each is bound to the content that the PSU saw, so a code for one payment cannot sign another. */
@Injectable()
export class Challenges {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly failures: ScaFailures,
    @Inject(OTP_CODES) private readonly codes: OtpCodes,
    @Inject(CONFIG) private readonly config: Pick<AuthConfig, 'AUTH_COOKIE_SECRET'>,
  ) {}

  /**
   * Creates a code for `binding` (otpBinding of libs/domain) and has it delivered. Returns undefined if this PSU has
   * too many unused codes.
   */
  async issue(psuId: string, binding: string, language: string): Promise<Issued | undefined> {
    const issued = await this.send({ psuId, binding, language }, async () => 0);
    return typeof issued === 'string' ? undefined : issued;
  }

  /**
   * Replaces a code by a new one. The old code ends, and its failures count for the new one. Of several calls for the
   * same code, exactly one sends a new one. If the new code cannot be delivered, throws CallFailed, and the old code
   * is valid again; the new one counts as sent, because it may still arrive.
   */
  async resend(
    challengeId: string,
    psuId: string,
    binding: string,
    language: string,
  ): Promise<Issued | NotResent> {
    const replace = async (client: PoolClient): Promise<number | NotResent> => {
      const old = await find(client, challengeId, psuId);
      if (old === undefined || old.used_at !== null || old.failures >= failuresUntilLock) return 'over';
      if (old.replaced_at !== null) return 'replaced';
      const sentAtMs = old.expires_at.getTime() - codeSeconds * 1000;
      if (sentAtMs + resendAfterSeconds * 1000 > this.clock.nowMs()) return 'too-soon';
      await client.query({
        name: 'challenge-replace',
        text: 'UPDATE challenge SET replaced_at = $2 WHERE challenge_id = $1',
        values: [challengeId, this.clock.now()],
      });
      return old.failures;
    };
    return this.send({ psuId, binding, language }, replace, async () => this.restore(challengeId, psuId));
  }

  /** Makes a replaced code valid again. Nothing else ends a replaced code, so it is unused. */
  private async restore(challengeId: string, psuId: string): Promise<void> {
    await this.pool.query({
      name: 'challenge-restore',
      text: `UPDATE challenge SET replaced_at = NULL
             WHERE challenge_id = $1 AND psu_id = $2 AND used_at IS NULL`,
      values: [challengeId, psuId],
    });
  }

  /**
   * Sends a code unless `before` or the number of unused codes forbids it; `before` returns the failures so far. Calls
   * `undelivered` if the code is stored but its delivery fails.
   */
  private async send(
    {
      psuId,
      binding,
      language,
    }: { readonly psuId: string; readonly binding: string; readonly language: string },
    before: (client: PoolClient) => Promise<number | NotResent>,
    undelivered?: () => Promise<void>,
  ): Promise<Issued | NotResent> {
    const { pool, clock, failures, codes } = this;
    const [challengeId, code, sentAt] = [newId(), codes.next(), clock.now()];
    const refused = await inTransaction(pool, async (client): Promise<NotResent | undefined> => {
      // Sessions that request codes at the same time wait here for each other.
      await failures.lock(client, { psuId });
      if (codes.areSent && (await unusedCodes(client, psuId, clock.nowMs())) >= maxUnused) return 'too-many';
      const counted = await before(client);
      if (typeof counted === 'string') return counted;
      await client.query({
        name: 'challenge-issue',
        text: `INSERT INTO challenge (challenge_id, psu_id, code_hash, failures, expires_at)
               VALUES ($1, $2, $3, $4, $5)`,
        values: [
          challengeId,
          psuId,
          this.hash(challengeId, binding, code),
          counted,
          new Date(clock.nowMs() + codeSeconds * 1000),
        ],
      });
      return undefined;
    });
    if (refused === 'too-many') issuedCodes.inc({ outcome: 'too-many' });
    if (refused !== undefined) return refused;
    try {
      return { challengeId, sentAt, sentTo: await this.deliver({ psuId, code, language }) };
    } catch (error) {
      await undelivered?.();
      throw error;
    }
  }

  /**
   * Returns how many wrong codes are left before signing is locked or the authorisation ends, and until when it is
   * locked.
   */
  async standing(
    challengeId: string,
    who: ScaSubject,
  ): Promise<{ readonly triesLeft: number; readonly lockedUntil?: string }> {
    const count = await this.failures.readDeciding(who);
    const now = this.clock.now();
    if (isScaLocked(count, now)) return { triesLeft: 0, lockedUntil: count.lockedUntil };
    const { rows } = await this.pool.query<Pick<ChallengeRow, 'failures'>>({
      name: 'challenge-failures',
      text: 'SELECT failures FROM challenge WHERE challenge_id = $1 AND psu_id = $2',
      values: [challengeId, who.psuId],
    });
    // After a lock the count starts anew.
    const counted = count.lockedUntil === undefined ? count.failures : 0;
    return { triesLeft: failuresUntilLock - Math.max(counted, rows[0]?.failures ?? 0) };
  }

  /**
   * Verifies a code. Locks the challenge and the PSU's failure count, so that parallel guesses are counted one by
   * one.
   */
  async verify(challengeId: string, who: ScaSubject, binding: string, code: string): Promise<CodeVerdict> {
    const { pool, clock, failures } = this;
    const { psuId } = who;
    const { verdict, failure } = await inTransaction(pool, async (client): Promise<Verified> => {
      const counts = await failures.lock(client, who);
      const challenge = await find(client, challengeId, psuId);
      if (challenge === undefined || challenge.expires_at.getTime() <= clock.nowMs())
        return { verdict: 'expired' };
      if (challenge.used_at !== null || challenge.replaced_at !== null) return { verdict: 'used' };
      if (challenge.failures >= failuresUntilLock) return { verdict: 'failed' };
      const isRight = timingSafeEqual(challenge.code_hash, this.hash(challengeId, binding, code));
      if (isRight && !isLocked(counts, clock.now())) {
        await client.query('UPDATE challenge SET used_at = $2 WHERE challenge_id = $1', [
          challengeId,
          clock.now(),
        ]);
        await failures.completed(client, who, counts);
        return { verdict: 'right' };
      }
      const failure = await failures.failed(client, who, counts);
      await client.query('UPDATE challenge SET failures = failures + 1 WHERE challenge_id = $1', [
        challengeId,
      ]);
      return { verdict: challenge.failures + 1 >= failuresUntilLock ? 'failed' : 'wrong', failure };
    });
    if (failure !== undefined) failures.report('code', failure);
    return verdict;
  }

  private async deliver(message: OtpMessage): Promise<string | undefined> {
    try {
      const sentTo = await this.codes.deliver(message);
      issuedCodes.inc({ outcome: this.codes.areSent ? 'sent' : 'shown' });
      return sentTo;
    } catch (error) {
      issuedCodes.inc({ outcome: 'not-delivered' });
      throw error;
    }
  }

  private hash(challengeId: string, binding: string, code: string): Buffer {
    return createHmac('sha256', `codes:${this.config.AUTH_COOKIE_SECRET}`)
      .update(JSON.stringify([challengeId, binding, code]))
      .digest();
  }
}

const unusedCodes = async (client: PoolClient, psuId: string, nowMs: number): Promise<number> => {
  const issuedAfter = new Date(nowMs + (codeSeconds - unusedSeconds) * 1000);
  const { rows } = await client.query<{ count: number }>({
    name: 'challenge-unused',
    text: 'SELECT count(*)::int AS count FROM challenge WHERE psu_id = $1 AND expires_at > $2 AND used_at IS NULL',
    values: [psuId, issuedAfter],
  });
  return rows[0]?.count ?? 0;
};

const find = async (
  client: PoolClient,
  challengeId: string,
  psuId: string,
): Promise<ChallengeRow | undefined> => {
  const { rows } = await client.query<ChallengeRow>({
    name: 'challenge-find',
    text: `SELECT psu_id, code_hash, failures, used_at, replaced_at, expires_at FROM challenge
           WHERE challenge_id = $1 AND psu_id = $2 FOR UPDATE`,
    values: [challengeId, psuId],
  });
  return rows[0];
};
