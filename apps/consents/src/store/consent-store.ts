import type { FactoryProvider } from '@nestjs/common';
import { consentEventTypes, consentStateFields } from '@xs2a/domain/consent/consent-event-types';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { consentStateVersion, evolveConsent } from '@xs2a/domain/consent/evolve-consent';
import type { Profile } from '@xs2a/domain/profile/profile';
import { callRefusals } from '@xs2a/domain/failure/failed';
import type { Failure } from '@xs2a/domain/failure/failures';
import { EventStore } from '@xs2a/event-store/streams/event-store';
import { idempotencyPurpose } from '@xs2a/event-store/streams/idempotency-records';
import type { Logger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import type { ConfigOf, relayConfig } from '@xs2a/runtime/config';
import { CONFIG, LOGGER, POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { consentView } from './consent-view.js';

/** The streams of consents. */
export type ConsentStore = EventStore<ConsentEvent, ConsentState, Failure>;

/** Injection token of the {@link ConsentStore}. */
export const CONSENT_STORE = Symbol('CONSENT_STORE');

export const createConsentStore = (
  pool: Pool,
  clock: Clock,
  logger: Logger,
  { timeZone }: Profile,
  settings: Pick<ConfigOf<typeof relayConfig>, 'MASTER_KEYS'> &
    Partial<Pick<ConfigOf<typeof relayConfig>, 'APPEND_BATCHING'>>,
): ConsentStore =>
  new EventStore({
    pool,
    evolve: (state, event, at) => evolveConsent(state, event, at, timeZone),
    stateVersion: consentStateVersion,
    view: consentView(timeZone),
    clock,
    logger,
    eventTypes: consentEventTypes,
    appendBatching: settings.APPEND_BATCHING,
    personalData: { masterKeys: settings.MASTER_KEYS, ofState: consentStateFields },
    refusals: callRefusals,
    hashKeys: settings.MASTER_KEYS.hashKeys(idempotencyPurpose),
  });

/** Provides the {@link ConsentStore} of a service. */
export const consentStoreProvider: FactoryProvider<ConsentStore> = {
  provide: CONSENT_STORE,
  useFactory: createConsentStore,
  inject: [POOL, Clock, LOGGER, PROFILE, CONFIG],
};
