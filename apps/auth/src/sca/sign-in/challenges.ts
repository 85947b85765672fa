import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, POOL } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../../config.js';
import { OTP_CODES } from '../../tokens.js';
import { failuresUntilLock, isScaLocked } from '@xs2a/domain/sca/sca-lockout';
import { counter } from '@xs2a/observability/metrics';
import { inTransaction } from '@xs2a/postgres/transaction';
import { Clock } from '@xs2a/runtime/clock';
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
 * Why no code was sent: the last one is too recent, too many were not used, a concurrent request has sent one, or the
 * last one has been used or failed.
 */
export type NotSent = 'too-soon' | 'too-many' | 'replaced' | 'over';

/** A PSU's request for a code. */
export interface CodeRequest {
  /** The id of the new code. */
  readonly challengeId: string;
  readonly psuId: string;
  /** What the code signs (otpBinding of libs/domain). */
  readonly binding: string;
  readonly language: string;
  /**
   * Stores, in the transaction that stores the code, that the page waits for it; `sentAt` is an ISO instant. Returns
   * false if a concurrent request has changed the page; then no code is stored or sent.
   */
  readonly claim: (sentAt: string, client: PoolClient) => Promise<boolean>;
}

/** A code that is stored and not yet sent. */
interface StoredCode {
  readonly code: string;
  readonly sentAt: string;
}

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

  /** Creates a code and has it delivered. If that fails, throws CallFailed; the code counts as sent. */
  async issue(request: CodeRequest): Promise<Issued | NotSent> {
    const stored = await this.store(request);
    return typeof stored === 'string' ? stored : this.send(request, stored);
  }

  /**
   * Replaces a code by a new one. The old code ends, and its failures count for the new one. Of several calls for the
   * same code, exactly one sends a new one. If the new code cannot be delivered, throws CallFailed, and the old code
   * is valid again; the new one counts as sent, because it may still arrive.
   */
  async resend(oldId: string, request: CodeRequest): Promise<Issued | NotSent> {
    const stored = await this.store(request, oldId);
    if (typeof stored === 'string') return stored;
    try {
      return await this.send(request, stored);
    } catch (error) {
      await this.restore(oldId, request);
      throw error;
    }
  }

  /** Makes a replaced code valid again, with the failures of the new one. */
  private async restore(oldId: string, { challengeId, psuId }: CodeRequest): Promise<void> {
    await this.pool.query({
      name: 'challenge-restore',
      text: `UPDATE challenge AS old SET replaced_at = NULL, failures = new.failures FROM challenge AS new
             WHERE old.challenge_id = $1 AND old.psu_id = $3 AND new.challenge_id = $2 AND new.used_at IS NULL`,
      values: [oldId, challengeId, psuId],
    });
  }

  /** Stores a code, in place of the one with `oldId` if it is given. */
  private async store(request: CodeRequest, oldId?: string): Promise<StoredCode | NotSent> {
    const { pool, clock, failures, codes } = this;
    const { challengeId, psuId, binding, claim } = request;
    const [code, sentAt] = [codes.next(), clock.now()];
    const refused = await inTransaction(pool, async (client): Promise<NotSent | undefined> => {
      // Sessions that request codes at the same time wait here for each other.
      await failures.lock(client, { psuId });
      const old = oldId === undefined ? undefined : await this.replaceable(client, oldId, psuId);
      if (typeof old === 'string') return old;
      if (codes.areSent && (await unusedCodes(client, psuId, clock.nowMs())) >= maxUnused) return 'too-many';
      if (!(await claim(sentAt, client))) return 'replaced';
      if (old !== undefined)
        await client.query({
          name: 'challenge-replace',
          text: 'UPDATE challenge SET replaced_at = $2 WHERE challenge_id = $1',
          values: [oldId, sentAt],
        });
      await client.query({
        name: 'challenge-issue',
        text: `INSERT INTO challenge (challenge_id, psu_id, code_hash, failures, expires_at)
               VALUES ($1, $2, $3, $4, $5)`,
        values: [
          challengeId,
          psuId,
          this.hash(challengeId, binding, code),
          old?.failures ?? 0,
          new Date(clock.nowMs() + codeSeconds * 1000),
        ],
      });
      return undefined;
    });
    if (refused === 'too-many') issuedCodes.inc({ outcome: 'too-many' });
    return refused ?? { code, sentAt };
  }

  /** Returns the code that a new one replaces, or why it may not be replaced. */
  private async replaceable(
    client: PoolClient,
    oldId: string,
    psuId: string,
  ): Promise<ChallengeRow | NotSent> {
    const old = await find(client, oldId, psuId);
    if (old === undefined || old.used_at !== null || old.failures >= failuresUntilLock) return 'over';
    if (old.replaced_at !== null) return 'replaced';
    const sentAtMs = old.expires_at.getTime() - codeSeconds * 1000;
    return sentAtMs + resendAfterSeconds * 1000 > this.clock.nowMs() ? 'too-soon' : old;
  }

  private async send(
    { challengeId, psuId, language }: CodeRequest,
    { code, sentAt }: StoredCode,
  ): Promise<Issued> {
    return { challengeId, sentAt, sentTo: await this.deliver({ psuId, code, language }) };
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
