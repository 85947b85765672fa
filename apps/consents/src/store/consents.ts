import { Inject, Injectable } from '@nestjs/common';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { expireConsent } from '@xs2a/domain/consent/decide-consent';
import { evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { Decision } from '@xs2a/domain/decision';
import type { Profile } from '@xs2a/domain/profile/profile';
import { authorisationIn } from '@xs2a/domain/sca/authorisations';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { isUuid } from '@xs2a/domain/text/uuid';
import { CONSENT_STORE, type ConsentStore } from './consent-store.js';

/** An id that sorts after every UUIDv7. */
const newestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Reads and changes consents. A consent that does not exist and a consent that belongs to another TPP or PSU give
 * the same error: consentUnknown.
 */
@Injectable()
export class Consents {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Reads a consent in its current state (see {@link asOfNow}). */
  async read(consentId: string, isVisible: (state: ConsentState) => boolean): Promise<ConsentState> {
    const loaded = isUuid(consentId) ? await this.store.load(consentId) : undefined;
    if (loaded === undefined || !isVisible(loaded.state)) throw callFailed('consentUnknown');
    return this.asOfNow(loaded.state);
  }

  /** Returns a TPP's consents, newest first. Ids are UUIDv7, so smaller ids are older. */
  async ofTpp(tppId: string, limit: number, before = newestId): Promise<ConsentState[]> {
    const { rows } = await this.pool.query<StateRow>({
      name: 'consents-of-tpp',
      text: `SELECT stream_id, version, state, ${streamKeyOf('consent_view')} AS stream_key FROM consent_view WHERE tpp_id = $1 AND stream_id < $2 ORDER BY stream_id DESC LIMIT $3`,
      values: [tppId, before, limit],
    });
    return (await this.store.many.readStates(rows)).map((state) => this.asOfNow(state));
  }

  /** Decides on the basis of the newest state and stores the resulting events; `isVisible` as in {@link read}. */
  async change(
    consentId: string,
    actor: string,
    isVisible: (state: ConsentState) => boolean,
    decide: (state: ConsentState) => Decision<ConsentEvent>,
  ): Promise<ConsentState> {
    if (!isUuid(consentId)) throw callFailed('consentUnknown');
    const unknown: Decision<ConsentEvent> = { refused: { failure: 'consentUnknown' } };
    const changed = await this.store.many.change(
      [consentId],
      (state) => (isVisible(state) ? this.onceEnded(state, decide) : unknown),
      { actor },
    );
    const result = changed.get(consentId);
    if (result === undefined) throw callFailed('consentUnknown');
    if (!('refused' in result)) return result.state;
    throw result.refused.failure === 'resourceUnknown'
      ? callFailed('consentUnknown')
      : new CallFailed([result.refused]);
  }

  /** Returns the state as of now: an expired consent counts as ended even before the sweep has recorded that. */
  asOfNow(state: ConsentState): ConsentState {
    return this.after(state, this.endedByTime(state));
  }

  /**
   * Ends a valid consent that has expired before anything else, so that no command changes a status that a read
   * has shown as final.
   */
  private onceEnded(
    state: ConsentState,
    decide: (state: ConsentState) => Decision<ConsentEvent>,
  ): Decision<ConsentEvent> {
    const ended = state.status === 'valid' ? this.endedByTime(state) : [];
    const decision = decide(this.after(state, ended));
    return 'refused' in decision ? decision : { events: [...ended, ...decision.events] };
  }

  private endedByTime(state: ConsentState): readonly ConsentEvent[] {
    const decision = expireConsent(state, { now: this.clock.now(), timeZone: this.profile.timeZone });
    return 'refused' in decision ? [] : decision.events;
  }

  private after(state: ConsentState, events: readonly ConsentEvent[]): ConsentState {
    const { timeZone } = this.profile;
    return events.reduce<ConsentState>(
      (now, event) => evolveConsent(now, event, this.clock.now(), timeZone),
      state,
    );
  }
}

export const ofTpp =
  (tppId: string) =>
  (state: ConsentState): boolean =>
    state.tppId === tppId;
export const ofAuthorisation =
  (authorisationId: string) =>
  (state: ConsentState): boolean =>
    authorisationIn(state, authorisationId) !== undefined;
