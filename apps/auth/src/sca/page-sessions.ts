import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@xs2a/postgres/transaction';
import { POOL } from '@xs2a/runtime/tokens';
import { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { Language, Notice } from './catalogue/catalogue.js';
import type { AuthorisationKind, FailureReason, UnchangedReason } from './catalogue/approval-kinds.js';

/** The step of the flow (contract 12). `list` covers the PSU's own pages; `result` is the last page. */
export type Step = 'sign-in' | 'accounts' | 'review' | 'code' | 'list' | 'result';

/** The outcome of an authorisation. */
export type Outcome =
  | { readonly kind: 'authorised' }
  /** `missing` is the number of signers who still have to sign. */
  | { readonly kind: 'partly'; readonly missing: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** The payment is still in progress, but this PSU could not act on it here. */
  | { readonly kind: 'unchanged'; readonly reason: UnchangedReason };

/** The state of the flow that is stored between page requests; it never contains a password or a code. */
export interface PageState {
  readonly step: Step;
  readonly psuId?: string;
  readonly chosenIbans?: readonly string[];
  readonly challengeId?: string;
  /** When the code was sent, as an ISO instant. */
  readonly sentAt?: string;
  /** Where it was sent, masked by the bank. */
  readonly sentTo?: string;
  readonly notice?: Notice;
  /** True if the PSU approved on a review that warned of a payee whose name does not match. */
  readonly payeeWarningRead?: boolean;
  /** The user name that was typed into a sign-in form that failed, encrypted with a key from the cookie. */
  readonly typedName?: string;
  /** The `ShownPage` that the PSU saw last (the review or the code page) as JSON, encrypted with a key from the cookie. */
  readonly shownPage?: string;
  /** True if the page after the sign-in reported that the bank lifted a lock. */
  readonly knowsOfUnlock?: boolean;
  /** The language chosen with `?lang` before the PSU was known. */
  readonly language?: Language;
  /** The outcome. */
  readonly result?: {
    readonly kind: AuthorisationKind;
    readonly tppName: string;
    readonly outcome: Outcome;
    /** True if another signer had signed. */
    readonly isCosigned?: boolean;
    /** The ISO instant of the PSU's signature. */
    readonly signedAt?: string;
    /** The ISO instant until which too many wrong codes have locked signing. */
    readonly lockedUntil?: string;
  };
  /** The address to which the browser is redirected at the end. */
  readonly redirect?: string;
  /** The digest of the last form that was processed, so that the same form is not processed twice. */
  readonly taken?: string;
  /** The CSRF token of the session in which the PSU signed in; a form that contains it comes from an earlier page. */
  readonly signInCsrf?: string;
}
export interface PageSession {
  /** SHA-256 of the cookie value. */
  readonly idHash: Buffer;
  /** The one resource that the session is bound to, e.g. `payment/<paymentId>/<authorisationId>`. */
  readonly resource: string;
  readonly csrf: string;
  readonly state: PageState;
  readonly version: number;
}
interface SessionRow {
  readonly resource: string;
  readonly csrf: string;
  readonly state: PageState;
  readonly version: number;
}

/** A page session ends after this many seconds without a request (contract 12). */
const idleSeconds = 300;

const hashId = (id: string): Buffer => createHash('sha256').update(id).digest();

/** The PSUs' page sessions. Each is bound to one resource and ends after 5 minutes without a request. */
@Injectable()
export class PageSessions {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** `id` is sent only to the browser. */
  async begin(
    resource: string,
    state: PageState,
  ): Promise<{ readonly id: string; readonly session: PageSession }> {
    const id = randomToken(32);
    const session = { idHash: hashId(id), resource, csrf: randomToken(24), state, version: 1 };
    await this.pool.query({
      name: 'session-begin',
      text: `INSERT INTO page_session (id_hash, resource, csrf, state, version, expires_at)
             VALUES ($1, $2, $3, $4, 1, $5)`,
      values: [session.idHash, resource, session.csrf, JSON.stringify(state), this.idleEnd()],
    });
    return { id, session };
  }

  /**
   * Finds the active session with this id and resource, and extends it. Returns undefined if no such session
   * exists, if it has ended, or if it belongs to another resource.
   */
  async find(id: string | undefined, resource: string): Promise<PageSession | undefined> {
    if (id === undefined) return undefined;
    const idHash = hashId(id);
    const { rows } = await this.pool.query<SessionRow>({
      name: 'session-find',
      text: `UPDATE page_session SET expires_at = $4 WHERE id_hash = $1 AND resource = $2 AND expires_at > $3
             RETURNING resource, csrf, state, version`,
      values: [idHash, resource, new Date(this.clock.nowMs()), this.idleEnd()],
    });
    return rows[0] && { ...rows[0], idHash };
  }

  /** Stores the new state. Returns undefined if another request has changed the session in the meantime. */
  async save(
    session: PageSession,
    state: PageState,
    db: Pick<PoolClient, 'query'> = this.pool,
  ): Promise<PageSession | undefined> {
    const { rowCount } = await db.query({
      name: 'session-save',
      text: `UPDATE page_session SET state = $3, version = version + 1, expires_at = $4
             WHERE id_hash = $1 AND version = $2`,
      values: [session.idHash, session.version, JSON.stringify(state), this.idleEnd()],
    });
    return rowCount === 1 ? { ...session, state, version: session.version + 1 } : undefined;
  }

  /**
   * Stores what the page of the current step displays. `version` does not change, because `save` would otherwise
   * discard the step of a form that is processed at the same time.
   */
  async storeShownPage({ idHash, state }: PageSession, sealed: string): Promise<void> {
    await this.pool.query({
      name: 'session-shown-page',
      text: `UPDATE page_session SET state = state || jsonb_build_object('shownPage', $3::text)
             WHERE id_hash = $1 AND state->>'step' = $2`,
      values: [idHash, state.step, sealed],
    });
  }

  /**
   * Changes the state as other requests have left it, as long as the session waits for this code. `undefined` removes
   * a member.
   */
  async changeWhileWaiting(
    { idHash }: PageSession,
    challengeId: string,
    change: Partial<PageState>,
  ): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<Pick<SessionRow, 'state'>>({
        name: 'session-waiting',
        text: `SELECT state FROM page_session WHERE id_hash = $1 AND state->>'challengeId' = $2 FOR UPDATE`,
        values: [idHash, challengeId],
      });
      if (rows[0] === undefined) return;
      await client.query({
        name: 'session-change',
        text: 'UPDATE page_session SET state = $2, version = version + 1, expires_at = $3 WHERE id_hash = $1',
        values: [idHash, JSON.stringify({ ...rows[0].state, ...change }), this.idleEnd()],
      });
    });
  }

  /**
   * Gives the session a new id when the PSU has just signed in, which makes an id planted by an attacker useless.
   * The previous session stays at the sign-in step until it expires, so that a browser that lost the response can
   * send the same form again.
   */
  async renew(session: PageSession, state: PageState): Promise<{ readonly id: string }> {
    await this.save(session, { ...session.state, notice: undefined });
    const { id } = await this.begin(session.resource, { ...state, signInCsrf: session.csrf });
    return { id };
  }

  /** Stores the final state even if another request has changed the session in the meantime. */
  async end({ idHash }: PageSession, state: PageState): Promise<void> {
    await this.pool.query({
      name: 'session-end',
      text: 'UPDATE page_session SET state = $2, version = version + 1, expires_at = $3 WHERE id_hash = $1',
      values: [idHash, JSON.stringify(state), this.idleEnd()],
    });
  }

  async remove(session: PageSession): Promise<void> {
    await this.pool.query({
      name: 'session-remove',
      text: 'DELETE FROM page_session WHERE id_hash = $1',
      values: [session.idHash],
    });
  }

  private idleEnd(): Date {
    return new Date(this.clock.nowMs() + idleSeconds * 1000);
  }
}
