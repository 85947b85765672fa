import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type {
  AuthorisationKind,
  FailureReason,
  Language,
  Notice,
  UnchangedReason,
} from './catalogue/catalogue.js';

/** The step of the flow (contract 12). `list` is the PSU's own pages, `result` the last page. */
export type Step = 'sign-in' | 'accounts' | 'review' | 'code' | 'list' | 'result';

/** The outcome of an authorisation. */
export type Outcome =
  | { readonly kind: 'authorised' }
  /** This many more people have to sign. */
  | { readonly kind: 'partly'; readonly missing: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** The payment continues, but this PSU could not act on it here. */
  | { readonly kind: 'unchanged'; readonly reason: UnchangedReason };

/** The state of the flow that is stored between page requests; it never contains a password or a code. */
export interface PageState {
  readonly step: Step;
  readonly psuId?: string;
  readonly chosenIbans?: readonly string[];
  readonly challengeId?: string;
  readonly notice?: Notice;
  /** Chosen by `?lang` before the PSU was known. */
  readonly language?: Language;
  /** The outcome. */
  readonly result?: { readonly kind: AuthorisationKind; readonly tppName: string; readonly outcome: Outcome };
  /** The address to which the browser was finally sent. */
  readonly redirect?: string;
  /** The digest of the form that led here, so that the same form is not processed twice. */
  readonly taken?: string;
  /** The CSRF token of the session in which the PSU signed in; a form that carries it belongs to an earlier page. */
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

/** A page session ends after this long without a request (contract 12). */
const idleSeconds = 300;

const hashId = (id: string): Buffer => createHash('sha256').update(id).digest();

/** The PSUs' page sessions. Each is bound to one resource and ends after 5 idle minutes. */
@Injectable()
export class PageSessions {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** `id` is sent to the browser and nowhere else. */
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
   * Finds the live session with this id and resource, and extends it. Undefined if there is none, it has ended, or
   * it belongs to another resource.
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

  /** Stores the new state; undefined if another request has changed the session in the meantime. */
  async save(session: PageSession, state: PageState): Promise<PageSession | undefined> {
    const { rowCount } = await this.pool.query({
      name: 'session-save',
      text: `UPDATE page_session SET state = $3, version = version + 1, expires_at = $4
             WHERE id_hash = $1 AND version = $2`,
      values: [session.idHash, session.version, JSON.stringify(state), this.idleEnd()],
    });
    return rowCount === 1 ? { ...session, state, version: session.version + 1 } : undefined;
  }

  /**
   * Starts the session of a PSU who has just signed in under a new id, which makes an id that an attacker planted
   * earlier useless. The previous session stays at the sign-in step until it is idle, so that a browser that lost
   * the response can send the same form again.
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
